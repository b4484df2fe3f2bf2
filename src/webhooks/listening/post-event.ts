/** Sends one POST to a local receiver and returns the outcome. */
import type { Pool } from "undici";
import { type NetworkFailure, classifyFailure } from "../delivery-errors.ts";

/** Why an attempt failed. `http` is a status other than 2xx. */
export type PostError = NetworkFailure | "http";

export interface PostOutcome {
  /** Null if there was no response. */
  status: number | null;
  /** Null if the receiver accepted it with any 2xx. */
  error: PostError | null;
  durationMs: number;
}

export interface Poster {
  /** Never throws because of the network or the receiver. Follows no redirects and ignores the response body. */
  post(headers: Record<string, string>, body: string, signal: AbortSignal): Promise<PostOutcome>;
  close(): Promise<void>;
}

/** The part of the timeout for connecting (docs/contract.md#webhook-delivery). */
const CONNECT_MS = 5_000;
/** How much of a response body is read before the connection is closed. */
const RESPONSE_BYTES_MAX = 4096;

export function createPoster(url: URL, timeoutMs: number): Poster {
  let pool: Pool | undefined;
  async function open(): Promise<Pool> {
    // Loaded by the first event, which may be long after the start.
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
      const result = await pool
        .request({
          method: "POST",
          path: `${url.pathname}${url.search}`,
          headers,
          body,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        })
        .then(
          async ({ statusCode, body: responseBody }) => {
            // Only the status counts, even if the rest of the response is cut off.
            await responseBody.dump({ limit: RESPONSE_BYTES_MAX }).catch(() => undefined);
            return statusCode;
          },
          (error: unknown) => classifyFailure(error),
        );
      const durationMs = Math.round(performance.now() - started);
      if (typeof result === "string") return { status: null, error: result, durationMs };
      const isAccepted = result >= 200 && result < 300;
      return { status: result, error: isAccepted ? null : "http", durationMs };
    },
    close: async () => pool?.destroy(),
  };
}
