/** Runs the queue until the given documents are final, for commands that wait. A server may run at the same time. */
import {
  findStrandedConnections,
  type InProgress,
  listInProgress,
} from "../../storage/documents/batch-progress.ts";
import type { Context } from "../journal/context.ts";
import type { IssuingQueue } from "./issuing-queue.ts";

export interface DrainOptions {
  /** The documents to wait for. */
  documentIds: ReadonlySet<string>;
  signal?: AbortSignal | undefined;
  /** How long to wait; without it, as long as it takes. */
  limit?: WaitLimit | undefined;
  /** Called after each look at the documents. */
  onProgress?: ((progress: DrainProgress) => void) | undefined;
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

/** Ids per query: SQLite accepts 32,766 parameters, and smaller queries keep a long batch's progress cheap. */
const CHUNK_SIZE = 500;
const PAUSE_MS = 50;

/** Resolves once every document is final or stranded (its connection is invalid), the time is up, or the signal is aborted. */
export async function drain(
  context: Context,
  issuing: IssuingQueue,
  { documentIds, signal, limit, onProgress }: DrainOptions,
): Promise<Drained> {
  const total = documentIds.size;
  const deadline = startDeadline(limit);
  let look: Look = { chunks: chunksOf([...documentIds], CHUNK_SIZE), waitingFor: [] };
  let open = total;
  while (look.chunks.length > 0 && signal?.aborted !== true) {
    issuing.poke();
    look = await lookAt(context, look.chunks);
    const openBefore = open;
    open = countOf(look);
    if (open < openBefore) deadline.progressed();
    const remainingMs = deadline.remainingMs();
    const until = remainingMs === null ? null : new Date(context.clock.nowMs() + remainingMs).toISOString();
    onProgress?.({ done: total - open, total, waitingFor: look.waitingFor, until });
    if (open === 0 || remainingMs === 0) break;
    await new Promise<void>((turn) => setTimeout(turn, Math.min(PAUSE_MS, remainingMs ?? PAUSE_MS)));
  }
  const isAborted = signal?.aborted === true;
  return { stranded: isAborted ? [] : await findStranded(context, [...documentIds]), open };
}

interface Look {
  /** The ids that contain documents in progress. */
  chunks: string[][];
  waitingFor: InProgress[];
}

async function lookAt({ store }: Context, chunks: readonly string[][]): Promise<Look> {
  const open: string[][] = [];
  const byPhase = new Map<string, InProgress>();
  for (const chunk of chunks) {
    const found = await listInProgress(store.read, chunk);
    if (found.length > 0) open.push(chunk);
    for (const one of found) byPhase.set(one.phase, sumOf(byPhase.get(one.phase), one));
  }
  return { chunks: open, waitingFor: [...byPhase.values()] };
}

function sumOf(before: InProgress | undefined, { phase, count, due }: InProgress): InProgress {
  if (before === undefined) return { phase, count, due };
  const isSooner = before.due === null || (due !== null && due < before.due);
  return { phase, count: before.count + count, due: isSooner ? due : before.due };
}

function countOf({ waitingFor }: Look): number {
  return waitingFor.reduce((sum, { count }) => sum + count, 0);
}

/** Measures elapsed time, which a change of the clock does not affect. */
function startDeadline(limit: WaitLimit | undefined) {
  let startedMs = performance.now();
  return {
    progressed() {
      if (limit?.restarts === true) startedMs = performance.now();
    },
    /** Null without a limit. */
    remainingMs: () => (limit === undefined ? null : Math.max(0, startedMs + limit.ms - performance.now())),
  };
}

async function findStranded({ store }: Context, ids: readonly string[]): Promise<Stranded[]> {
  const documents = new Map<string, number>();
  for (const chunk of chunksOf(ids, CHUNK_SIZE)) {
    for (const { connection_id: id, count } of await findStrandedConnections(store.read, chunk))
      if (id !== null) documents.set(id, (documents.get(id) ?? 0) + count);
  }
  return [...documents].map(([connectionId, count]) => ({ connectionId, documents: count }));
}

function chunksOf(items: readonly string[], size: number): string[][] {
  const chunks: string[][] = [];
  for (let index = 0; index < items.length; index += size) chunks.push(items.slice(index, index + size));
  return chunks;
}
