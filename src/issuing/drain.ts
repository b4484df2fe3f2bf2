/** Works the queue until certain documents are final: what `documents issue` waits for, with or without a server beside it. */
import { countInProgress, findStrandedConnections } from "../../storage/queue.ts";
import type { Context } from "../journal/context.ts";
import type { IssuingQueue } from "./issuing-queue.ts";

export interface DrainOptions {
  /** Wait for these. */
  documentIds: ReadonlySet<string>;
  signal?: AbortSignal | undefined;
  /** Called as documents become final. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** SQLite takes 32,766 parameters; smaller questions keep a long batch's progress cheap. */
const QUESTION_SIZE = 500;
const PAUSE_MS = 50;

/** Documents that wait for a connection whose account the provider refuses. */
export interface Stranded {
  connectionId: string;
  documents: number;
}

/**
 * Resolves once every document of `options` is final or can go no further by itself (its connection is invalid), or when
 * the signal is aborted. Answers what the documents wait for that cannot go on.
 */
export async function drain(
  context: Context,
  issuing: IssuingQueue,
  options: DrainOptions,
): Promise<Stranded[]> {
  const total = options.documentIds.size;
  let open = chunksOf([...options.documentIds], QUESTION_SIZE);
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
    const ofOpen = still.reduce((sum, chunk) => sum + chunk.length, 0);
    options.onProgress?.(settled + ofOpen - pending, total);
    open = still;
    if (open.length > 0) await new Promise<void>((turn) => setTimeout(turn, PAUSE_MS));
  }
  return options.signal?.aborted === true ? [] : findStranded(context, [...options.documentIds]);
}

async function findStranded({ store }: Context, ids: readonly string[]): Promise<Stranded[]> {
  const documents = new Map<string, number>();
  for (const chunk of chunksOf(ids, QUESTION_SIZE)) {
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
