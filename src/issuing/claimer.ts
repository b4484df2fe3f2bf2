/** Decides what this process may claim now: by due times, held state, disk space, free slots and the availability of providers. */
import { findNextDue } from "../../storage/documents/document-queue.ts";
import type { Provider } from "../../storage/stored-values.ts";
import { decideUnsendable } from "../domain/decide-after-call.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import type { ClaimOptions, Group } from "./claimed-group.ts";
import { claimGroups, WAITING_PHASES, type WaitingPhase } from "./claim-groups.ts";
import type { Slots } from "./issuing-slots.ts";
import { settleAll } from "./settle-document.ts";
import { inTurn } from "../../storage/database/write.ts";

/** Written together with what is accepted and settled in the same turn of the event loop. */
const CLAIMS = inTurn((trx, { adapter, options }: { adapter: ProviderAdapter; options: ClaimOptions }) =>
  claimGroups(trx, adapter, options),
);

export interface Claimer {
  /** The providers with documents due. Reads through the reader's connection, so that an idle appliance takes no write lock. */
  findDue(): Promise<ProviderAdapter[]>;
  /** Claims as many groups of these providers as there are free slots. */
  claim(adapters: readonly ProviderAdapter[]): Promise<Group[]>;
}

/**
 * How often a provider's whole queue is read while sends to it are in progress. It takes tens of milliseconds if a hundred
 * thousand documents wait for one counter, and every finished send would repeat it.
 */
const READ_ALL_MS = 1000;

export function createClaimer(context: Context, slots: Slots): Claimer {
  const { clock, config, log, providers, store } = context;

  /** On a full disk nothing is sent, because the outcome must fit. Queries continue for longer. */
  const maySend = () => context.space.level() !== "full";

  const readAllAtMs = new Map<Provider, number>();

  function mayReadAll(provider: Provider, claimed: readonly Group[]): boolean {
    const nowMs = clock.nowMs();
    const elapsedMs = nowMs - (readAllAtMs.get(provider) ?? Number.NEGATIVE_INFINITY);
    // The clock may have been set back.
    const isRecent = elapsedMs >= 0 && elapsedMs < READ_ALL_MS;
    if (isRecent && slots.isSending(provider, claimed)) return false;
    readAllAtMs.set(provider, nowMs);
    return true;
  }

  function optionsFor({ provider }: ProviderAdapter, others: readonly Group[]): ClaimOptions {
    return {
      leaseMs: config.issuing.leaseSeconds * 1000,
      maySend: maySend(),
      free: (kind, claimed) => slots.free(kind, [...others, ...claimed]),
      excluded: (kind, claimed) => slots.excluded(kind, provider, [...others, ...claimed], clock.nowMs()),
      mayReadAll: (claimed) => mayReadAll(provider, claimed),
      onUnreadable: (document, reason) =>
        log.error({ document, reason }, "a document was taken out of the queue; it must be examined"),
      onUnsendable: async (trx, row, reason) => {
        const decide = () => decideUnsendable(reason);
        await settleAll(trx, [{ context, claimed: row, decide, usedConnectionId: null, isFiled: false }]);
      },
    };
  }

  async function isDue(adapter: ProviderAdapter, phase: WaitingPhase): Promise<boolean> {
    const { provider } = adapter;
    const kind = phase === "queued" ? "send" : "query";
    if ((kind === "send" && !maySend()) || slots.free(kind, []) === 0) return false;
    const now = clock.now();
    const excluded = slots.excluded(kind, provider, [], clock.nowMs());
    if (excluded === undefined) return false;
    const due = await findNextDue(store.read, { provider, phase, excluded });
    return due !== undefined && due <= now;
  }

  async function isAnyDue(adapter: ProviderAdapter): Promise<boolean> {
    for (const phase of WAITING_PHASES) if (await isDue(adapter, phase)) return true;
    return false;
  }

  return {
    async findDue() {
      if (await isHeld(store.read)) return [];
      const adapters = providers.all();
      const due = await Promise.all(adapters.map(isAnyDue));
      return adapters.filter((_, index) => due[index]);
    },
    /** Each provider has its own write, so that a failure of one does not stop the others. */
    async claim(adapters) {
      const groups: Group[] = [];
      for (const adapter of adapters) {
        try {
          const options = optionsFor(adapter, groups);
          groups.push(...(await store.add(CLAIMS, { adapter, options })));
        } catch (error) {
          if (isReportedAlready(error)) continue;
          const fields = { provider: adapter.provider, error: String(error) };
          log.error(fields, "documents could not be claimed; trying again");
        }
      }
      return groups;
    },
  };
}
