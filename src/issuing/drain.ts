/** Runs the queue until the given documents are final, for commands that wait. A server may run at the same time. */
import { countInProgress, findStrandedConnections } from "../../storage/batch-progress.ts";
import type { Context } from "../journal/context.ts";
import type { IssuingQueue } from "./issuing-queue.ts";

export interface DrainOptions {
  /** The documents to wait for. */
  documentIds: ReadonlySet<string>;
  signal?: AbortSignal | undefined;
  /** Called as documents become final. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Ids per query: SQLite accepts 32,766 parameters, and smaller queries keep a long batch's progress cheap. */
const CHUNK_SIZE = 500;
const PAUSE_MS = 50;

/** Documents that wait for a connection whose account the provider refused. */
export interface Stranded {
  connectionId: string;
  documents: number;
}

/**
 * Resolves once every document is final or stranded (its connection is invalid), or the signal is aborted. Returns the connections
 * that stranded documents wait for.
 */
export async function drain(
  context: Context,
  issuing: IssuingQueue,
  options: DrainOptions,
): Promise<Stranded[]> {
  const total = options.documentIds.size;
  let open = chunksOf([...options.documentIds], CHUNK_SIZE);
  let settled = 0;
  while (open.length > 0 && options.signal?.aborted !== true) {
    issuing.poke();
    const still: string[][] = [];
    let pending = 0;
    for (const chunk of open) {
      const count = await countInProgress(context.store.read, chunk);
      if (count > 0) still.push(chunk);
      else settled += chunk.length;
      pending += count;
    }
    const inOpenChunks = still.reduce((sum, chunk) => sum + chunk.length, 0);
    options.onProgress?.(settled + inOpenChunks - pending, total);
    open = still;
    if (open.length > 0) await new Promise<void>((turn) => setTimeout(turn, PAUSE_MS));
  }
  return options.signal?.aborted === true ? [] : findStranded(context, [...options.documentIds]);
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
