/** Claims what is due, in one write with the numbers: a process that dies afterwards leaves its claims to the rescuer. */
import type { Transaction } from "../../storage/database/write.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { claimQueries } from "./claim-queries.ts";
import { claimSends } from "./claim-sends.ts";
import type { ClaimOptions, Group } from "./claimed-group.ts";

/** Claims as many groups of one provider as `options` allow: queries first, then new sends. */
export async function claimGroups(
  trx: Transaction,
  adapter: ProviderAdapter,
  options: ClaimOptions,
): Promise<Group[]> {
  const groups: Group[] = [];
  await claimQueries(trx, adapter, "reconciling", options, groups);
  await claimQueries(trx, adapter, "awaiting_mark", options, groups);
  if (options.maySend) await claimSends(trx, adapter, options, groups);
  return groups;
}
