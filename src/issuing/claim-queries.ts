/** Claims documents that were sent and whose provider is to be queried: for their MARK, or for a send without an answer. */
import { randomUUID } from "node:crypto";
import { claimForQuery } from "../../storage/documents/claims.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { type ClaimOptions, type Group, groupRows, limitGroups, loadRows } from "./claimed-group.ts";

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
    // Each claim has its own name, so that a late outcome is never taken for that of a later claim.
    const owner = randomUUID();
    const rows = await claimForQuery(trx, {
      provider: adapter.provider,
      phase,
      limit: adapter.askBatchMax ?? adapter.issueBatchMax,
      due: new Date(trx.clockMs).toISOString(),
      now: trx.now,
      owner,
      leaseUntil: new Date(trx.clockMs + options.leaseMs).toISOString(),
      excluded,
    });
    if (rows.length === 0) return;
    const loaded = await loadRows(trx, rows, options);
    const kept = await limitGroups(trx, loaded, free);
    groups.push(...(await groupRows(trx, { adapter, phase, owner }, kept)));
  }
}
