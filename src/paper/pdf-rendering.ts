/**
 * Renders one PDF at a time, and keeps those rendered last. The same paper gives the same bytes, so a PDF is found by a digest of
 * everything that it is drawn from, and never becomes outdated: a changed document has another digest.
 */
import { createHash } from "node:crypto";
import type { Paper } from "./paper.ts";
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";

export interface PdfCache {
  find(key: string): Buffer<ArrayBuffer> | undefined;
  keep(key: string, bytes: Buffer<ArrayBuffer>): void;
}

/** `bytesMax`: the total size of what is kept. The PDF that was used longest ago goes first. */
export function createPdfCache(bytesMax: number): PdfCache {
  const kept = new Map<string, Buffer<ArrayBuffer>>();
  let total = 0;
  return {
    find(key) {
      const bytes = kept.get(key);
      if (bytes === undefined) return undefined;
      // A map keeps its order of insertion.
      kept.delete(key);
      kept.set(key, bytes);
      return bytes;
    },
    keep(key, bytes) {
      if (kept.has(key) || bytes.length > bytesMax) return;
      kept.set(key, bytes);
      total += bytes.length;
      for (const [oldest, { length }] of kept) {
        if (total <= bytesMax) break;
        kept.delete(oldest);
        total -= length;
      }
    },
  };
}

/** A digest of `paper` with its logo. */
export function digestPaper(paper: Paper): string {
  const { logo, ...stationery } = paper.stationery;
  const hash = createHash("sha256").update(JSON.stringify({ ...paper, stationery }));
  return hash.update(logo ?? "").digest("base64");
}

export interface Turns {
  /** Throws `service_unavailable` when too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  /** How many may wait behind the one that runs. */
  waitingMax: number;
  /** The message for rejected callers. */
  tooMany: Text;
  retryAfterSeconds: number;
}

export function createTurns({ waitingMax, tooMany, retryAfterSeconds }: TurnsOptions): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    async run(work) {
      if (pending > waitingMax) throw new AppError("service_unavailable", tooMany, { retryAfterSeconds });
      pending += 1;
      const turn = last.then(work);
      // The next one starts when this one ends, even if it fails.
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        pending -= 1;
      }
    },
  };
}
