/** Decides what this process may claim now: by due times, held state, disk space, free slots and the availability of providers. */
import { findNextDue } from "../../storage/documents/document-queue.ts";
import { inTurn } from "../../storage/database/write.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import type { Group } from "./claimed-group.ts";
import { type Claimable, claimGroups, maySend, WAITING_PHASES, type WaitingPhase } from "./claim-groups.ts";
import type { Slots } from "./issuing-slots.ts";

/** The providers with documents due. Reads through the reader's connection, so that an idle appliance takes no write lock. */
export async function findDueProviders(context: Context, slots: Slots): Promise<ProviderAdapter[]> {
  if (await isHeld(context.store.read)) return [];
  const adapters = context.providers.all();
  const due = await Promise.all(adapters.map((adapter) => isAnyDue(context, slots, adapter)));
  return adapters.filter((_, index) => due[index]);
}

async function isAnyDue(context: Context, slots: Slots, adapter: ProviderAdapter): Promise<boolean> {
  for (const phase of WAITING_PHASES) if (await isDue(context, slots, adapter, phase)) return true;
  return false;
}

async function isDue(
  context: Context,
  slots: Slots,
  { provider }: ProviderAdapter,
  phase: WaitingPhase,
): Promise<boolean> {
  const { clock, store } = context;
  const kind = phase === "queued" ? "send" : "query";
  if ((kind === "send" && !maySend(context)) || slots.free(kind, []) === 0) return false;
  const now = clock.now();
  const excluded = slots.excluded(kind, provider, [], clock.nowMs());
  if (excluded === undefined) return false;
  const due = await findNextDue(store.read, { provider, phase, excluded });
  return due !== undefined && due <= now;
}

/** Written together with what is accepted and settled in the same turn of the event loop. */
const CLAIMS = inTurn((trx, claimable: Claimable) => claimGroups(trx, claimable));

/**
 * Claims as many groups of these providers as there are free slots. Each provider has its own write, so that a failure of one does not
 * stop the others.
 */
export async function claimDue(
  context: Context,
  slots: Slots,
  adapters: readonly ProviderAdapter[],
): Promise<Group[]> {
  const { log, store } = context;
  const groups: Group[] = [];
  for (const adapter of adapters) {
    try {
      groups.push(...(await store.add(CLAIMS, { context, slots, adapter, others: [...groups] })));
    } catch (error) {
      if (isReportedAlready(error)) continue;
      const fields = { provider: adapter.provider, error: String(error) };
      log.error(fields, "documents could not be claimed; trying again");
    }
  }
  return groups;
}
