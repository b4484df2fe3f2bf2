/**
 * Keeps the PDFs rendered last. The same paper gives the same bytes, so a PDF is found by a digest of
 * everything that it is drawn from, and never becomes outdated: a changed document has another digest.
 */
import { createHash } from "node:crypto";
import type { Paper } from "./paper.ts";

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
