/** Sends one POST to a local receiver and returns the outcome. */
import { createHttpSender } from "../../foundation/http-sender.ts";
import { CONNECT_MS, type NetworkFailure, networkFailureOf, RESPONSE_BYTES_MAX } from "../sender.ts";

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

const CONNECTIONS_MAX = 16;

export function createPoster(url: URL, timeoutMs: number): Poster {
  const http = createHttpSender({ connectMsMax: CONNECT_MS, connections: CONNECTIONS_MAX });
  return {
    async post(headers, body, signal) {
      const started = performance.now();
      const outcome = await http.send(
        {
          method: "POST",
          url: url.href,
          headers,
          body,
          timeoutMs,
          // Only the status counts, even if the rest of the response is cut off.
          read: (response) => response.dump({ limit: RESPONSE_BYTES_MAX }).catch(() => undefined),
        },
        signal,
      );
      const durationMs = Math.round(performance.now() - started);
      if (outcome.kind === "failed") return { status: null, error: networkFailureOf(outcome), durationMs };
      const { status } = outcome;
      const isAccepted = status >= 200 && status < 300;
      return { status, error: isAccepted ? null : "http", durationMs };
    },
    close: http.close,
  };
}
