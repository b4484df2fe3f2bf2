/** Claims documents that were sent and whose provider is to be queried: for their MARK, or for a send without an answer. */
import { claimForQuery, findDueQueries } from "../../storage/documents/claims.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import {
  type ClaimOptions,
  createLease,
  type Group,
  groupRows,
  limitGroups,
  loadRows,
} from "./claimed-group.ts";

/** Claims due documents in `phase` and adds them to `groups`. Their phase stays the same. */
export async function claimQueries(
  trx: Transaction,
  adapter: ProviderAdapter,
  phase: "awaiting_mark" | "reconciling",
  options: ClaimOptions,
  groups: Group[],
): Promise<void> {
  for (;;) {
    const free = options.free("query", groups);
    const excluded = free === 0 ? undefined : options.excluded("query", groups);
    if (excluded === undefined) return;
    const rows = await findDueQueries(trx, {
      provider: adapter.provider,
      phase,
      limit: adapter.askBatchMax ?? adapter.issueBatchMax,
      due: new Date(trx.clockMs).toISOString(),
      excluded,
    });
    if (rows.length === 0) return;
    const loaded = limitGroups(await loadRows(trx, rows, options), free);
    const lease = createLease(trx, options);
    await claimForQuery(
      trx,
      loaded.map(({ row }) => row.id),
      lease,
    );
    const { owner, until } = lease;
    const claimed = loaded.map((one) => ({
      ...one,
      row: { ...one.row, lease_owner: owner, lease_until: until, next_at: null },
    }));
    groups.push(...(await groupRows(trx, { adapter, phase, owner }, claimed)));
  }
}
