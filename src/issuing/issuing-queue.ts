/**
 * The issuing queue of one process: claims due documents, sends or queries them, and settles the outcomes. Several processes
 * can work on one database, because a claim is one guarded statement and has a lease.
 */
import { renewLeases } from "../../storage/documents/document-queue.ts";
import { createPoke } from "../foundation/turns.ts";
import type { Contact } from "../domain/adjust-outcomes.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import { type Group, kindOf } from "./claimed-group.ts";
import { claimDue, findDueProviders } from "./claim-groups.ts";
import { type Availability, createAvailability, createSlots } from "./issuing-slots.ts";
import { processGroup } from "./process-group.ts";
import { rescheduleAfterClockJump, rescueExpired } from "./rescue.ts";
import {
  findStrandedConnections,
  type InProgress,
  listInProgress,
} from "../../storage/documents/batch-progress.ts";

export interface IssuingQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Looks for work until nothing is due and nothing is in progress. */
  settleAll(): Promise<void>;
  /** Works until the given documents are final, for commands that wait. A server may run at the same time. */
  drain(options: DrainOptions): Promise<Drained>;
  /** Takes over the documents of dead workers; returns how many. */
  rescue(): Promise<number>;
  /** Reschedules what was put off while the clock ran ahead; everything if this process saw it being set back. */
  rescheduleAfterClockJump(wasSetBack?: boolean): Promise<void>;
  /** Renews the leases of this process. Must be called well within a lease. */
  renew(): Promise<void>;
  isBusy(): boolean;
  /** Claims nothing more, and resolves once everything in progress is settled. `context.cut` hastens it. */
  stop(): Promise<void>;
}

export function createIssuingQueue(context: Context): IssuingQueue {
  const { config, log, store } = context;
  const inProgress = new Map<Promise<void>, Group>();
  const availability = createAvailability();
  const slots = createSlots(config.issuing.concurrency, availability, () => inProgress.values());
  const { poke, running, stop } = createPoke(look);

  async function look(): Promise<void> {
    try {
      const due = await findDueProviders(context, slots);
      for (const group of await claimDue(context, slots, due)) start(group);
    } catch (error) {
      if (!isReportedAlready(error))
        log.error({ error: String(error) }, "the queue could not be read; trying again");
    }
  }

  function start(group: Group): void {
    const work: Promise<void> = process(group).finally(() => {
      inProgress.delete(work);
      poke();
    });
    inProgress.set(work, group);
  }

  async function process(group: Group): Promise<void> {
    const { provider } = group.adapter;
    try {
      const { contact, next } = await processGroup(context, group);
      recordContact(context, availability, group, contact);
      if (next !== undefined) start(next);
    } catch (error) {
      recordContact(context, availability, group, { isAnswered: false, retryAfterMs: undefined });
      log.error({ provider, error: String(error) }, "a group of documents was left to the rescuer");
    }
  }

  const owners = () => [...inProgress.values()].map(({ owner }) => owner);

  return {
    poke,
    async settleAll() {
      poke();
      while (running() !== undefined || inProgress.size > 0) {
        await running();
        await Promise.all(inProgress.keys());
      }
    },
    drain: (options) => drain(context, poke, options),
    async rescue() {
      // What the other appliance held at the time of the backup waits for `fiscal resume`.
      if (await isHeld(store.read)) return 0;
      // This process's own claims are alive even if their leases have run out: the machine may have slept.
      return rescueExpired(context, new Set(owners()));
    },
    rescheduleAfterClockJump(wasSetBack) {
      if (wasSetBack === true) availability.endPauses();
      return rescheduleAfterClockJump(context, wasSetBack);
    },
    async renew() {
      if (inProgress.size === 0) return;
      await store.write(async (trx) => {
        const until = new Date(trx.clockMs + config.issuing.leaseSeconds * 1000).toISOString();
        for (const owner of owners()) await renewLeases(trx, { owner, until });
      });
    },
    isBusy: () => running() !== undefined || inProgress.size > 0,
    async stop() {
      await stop();
      while (inProgress.size > 0) await Promise.all(inProgress.keys());
    },
  };
}

function recordContact(
  { clock }: Context,
  availability: Availability,
  group: Group,
  { isAnswered, retryAfterMs }: Contact,
): void {
  const { mode, connectionId } = group;
  const { provider } = group.adapter;
  // The sandbox only simulates outages, which must not stop its other documents.
  if (connectionId === null || provider === "sandbox") return;
  const record = isAnswered ? availability.answered : availability.failed;
  record({ kind: kindOf(group), provider, mode, connectionId }, clock.nowMs(), retryAfterMs);
}

export interface DrainOptions {
  documentIds: ReadonlySet<string>;
  signal?: AbortSignal | undefined;
  limit?: WaitLimit | undefined;
  onProgress?: ((progress: DrainProgress) => void | Promise<void>) | undefined;
}

export interface WaitLimit {
  ms: number;
  /** The time starts again whenever a document becomes final, so that a long batch that makes progress is not cut short. */
  restarts: boolean;
}

export interface DrainProgress {
  done: number;
  total: number;
  /** The documents that are not done, by phase. */
  waitingFor: readonly InProgress[];
  /** When the limit ends the wait; null without a limit. */
  until: string | null;
}

/** Documents that wait for a connection whose account the provider refused. */
export interface Stranded {
  connectionId: string;
  documents: number;
}

export interface Drained {
  /** The connections that stranded documents wait for. */
  stranded: Stranded[];
  /** Documents that are still in progress, because the time was up or the signal was aborted. */
  open: number;
}

/** Ids per query. Those of documents that are all done are not asked for again, which keeps a long batch's progress cheap. */
const CHUNK_SIZE = 500;
const PAUSE_MS = 50;

/** Resolves once every document is final or stranded (its connection is invalid), the time is up, or the signal is aborted. */
async function drain(
  context: Context,
  poke: () => void,
  { documentIds, signal, limit, onProgress }: DrainOptions,
): Promise<Drained> {
  const total = documentIds.size;
  /** Elapsed time, which a change of the clock does not affect. */
  let startedMs = performance.now();
  let chunks = chunksOf([...documentIds], CHUNK_SIZE);
  let open = total;
  while (chunks.length > 0 && signal?.aborted !== true) {
    poke();
    const found: InProgress[][] = [];
    for (const ids of chunks) found.push(await listInProgress(context.store.read, { ids }));
    chunks = chunks.filter((_, index) => found[index]!.length > 0);
    const waitingFor = sumByPhase(found.flat());
    const openBefore = open;
    open = waitingFor.reduce((sum, { count }) => sum + count, 0);
    if (limit?.restarts === true && open < openBefore) startedMs = performance.now();
    const remainingMs = limit === undefined ? null : Math.max(0, startedMs + limit.ms - performance.now());
    const until = remainingMs === null ? null : new Date(context.clock.nowMs() + remainingMs).toISOString();
    await onProgress?.({ done: total - open, total, waitingFor, until });
    if (open === 0 || remainingMs === 0) break;
    await new Promise<void>((turn) => setTimeout(turn, Math.min(PAUSE_MS, remainingMs ?? PAUSE_MS)));
  }
  const isAborted = signal?.aborted === true;
  return {
    stranded: isAborted ? [] : await findStrandedConnections(context.store.read, { ids: [...documentIds] }),
    open,
  };
}

function sumByPhase(parts: readonly InProgress[]): InProgress[] {
  return [...Map.groupBy(parts, ({ phase }) => phase)].map(([phase, same]) => ({
    phase,
    count: same.reduce((sum, { count }) => sum + count, 0),
    due: same.flatMap(({ due }) => due ?? []).sort()[0] ?? null,
  }));
}

function chunksOf(items: readonly string[], size: number): string[][] {
  const chunks: string[][] = [];
  for (let index = 0; index < items.length; index += size) chunks.push(items.slice(index, index + size));
  return chunks;
}
