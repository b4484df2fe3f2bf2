/** One POST to a receiver on the developer's side, and what became of it. */
import type { Pool } from "undici";
import { type Trouble, troubleOf } from "../delivery-errors.ts";

/** How a receiver did not answer. `http` stands for an answer other than 2xx; its status says which. */
export type PostError = Trouble | "http";

export interface PostOutcome {
  /** Null when no answer came. */
  status: number | null;
  /** Null when the receiver took it: any 2xx. */
  error: PostError | null;
  durationMs: number;
}

export interface Poster {
  /** Never throws for what a network or a receiver can do. Follows no redirect, and reads no more of the answer than its head. */
  post(headers: Record<string, string>, body: string, signal: AbortSignal): Promise<PostOutcome>;
  close(): Promise<void>;
}

/** decisions 10: 5 s of the timeout are for connecting. */
const CONNECT_MS = 5_000;
/** What is read of an answer before its connection is given up: decisions 10 keeps no more of one. */
const ANSWER_BYTES_MAX = 4096;

export function createPoster(url: URL, timeoutMs: number): Poster {
  let pool: Pool | undefined;
  async function open(): Promise<Pool> {
    // Loaded by the first event: a listener may wait long for it.
    const { default: undici } = await import("undici");
    return new undici.Pool(url.origin, {
      connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }
  return {
    async post(headers, body, signal) {
      pool ??= await open();
      const started = performance.now();
      const answered = await pool
        .request({
          method: "POST",
          path: `${url.pathname}${url.search}`,
          headers,
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        .then(
          async ({ statusCode, body: answer }) => {
            // The status is the verdict: an answer whose rest is cut off was an answer all the same.
            await answer.dump({ limit: ANSWER_BYTES_MAX }).catch(() => undefined);
            return statusCode;
          },
          (error: unknown) => troubleOf(error),
        );
      const durationMs = Math.round(performance.now() - started);
      if (typeof answered === "string") return { status: null, error: answered, durationMs };
      const isTaken = answered >= 200 && answered < 300;
      return { status: answered, error: isTaken ? null : "http", durationMs };
    },
    close: async () => pool?.destroy(),
  };
}
