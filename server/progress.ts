/** The state of one request on its way through the pipeline. */
import type { Clock } from "../src/foundation/clock.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import type { Window } from "./limits.ts";
import { requestIdOf } from "./request.ts";

/** Filled in step by step; the response headers and the log row are built from it. */
export interface Progress {
  requestId: string;
  source: "api" | "mcp";
  /** When the request began, by the appliance's clock. */
  startedMs: number;
  /** The same instant by the monotonic clock, to measure the duration. */
  startedAt: number;
  /** The mode of the caller's key; undefined until the key is accepted. */
  mode: Mode | undefined;
  /** The rate limit to report in the headers; undefined where no limit applies. */
  window: Window | undefined;
  idempotencyKey: string | null;
  bodyText: string | null;
  /** `bodyText`, parsed. */
  body: unknown;
}

/** `known` overrides fields, for a request on behalf of a caller who was authenticated before. */
export function beginProgress(
  headers: Headers,
  clock: Clock,
  platformRequestIdHeader: string,
  known: Partial<Progress> = {},
): Progress {
  return {
    requestId: requestIdOf(headers, platformRequestIdHeader),
    source: "api",
    startedMs: clock.nowMs(),
    startedAt: performance.now(),
    mode: undefined,
    window: undefined,
    idempotencyKey: null,
    bodyText: null,
    body: undefined,
    ...known,
  };
}
