/**
 * Claims what is due. One write claims rows, allocates their numbers and begins their provider calls: a process that dies
 * afterwards leaves a trace for the rescuer.
 */
import type { Transaction } from "../../storage/write.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { claimQueries } from "./claim-queries.ts";
import { claimSends } from "./claim-sends.ts";
import type { ClaimOptions, Group } from "./claimed-group.ts";

/** Claims up to `options.groupsMax` groups of one provider: queries first, then new sends. */
export async function claimGroups(
  trx: Transaction,
  adapter: ProviderAdapter,
  options: ClaimOptions,
): Promise<Group[]> {
  const groups: Group[] = [];
  const left = () => ({ ...options, groupsMax: options.groupsMax - groups.length });
  groups.push(...(await claimQueries(trx, adapter, "reconciling", left())));
  groups.push(...(await claimQueries(trx, adapter, "awaiting_mark", left())));
  if (options.maySend) groups.push(...(await claimSends(trx, adapter, left())));
  return groups;
}
