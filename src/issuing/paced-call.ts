/** Makes calls that only read, and waits whenever the provider asks for a pause. */
import type { CallContext, NotSentOutcome } from "../domain/provider-adapter.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { type CallRoute, openCredentials } from "./call-context.ts";
import { callOnce } from "./single-call.ts";

/** Pauses in a row before the provider counts as unavailable. */
const WAITS_MAX = 10;
/** If the provider names no pause. */
const DEFAULT_WAIT_MS = 10_000;
const WAIT_MS_MAX = 120_000;

export interface Pacing {
  /** Aborted by Ctrl-C. */
  signal: AbortSignal | undefined;
  /** Resolves after `ms`, or once the signal is aborted. */
  wait(ms: number): Promise<void>;
}

/**
 * Calls until the provider no longer asks for a pause, or once without `pacing`. Each call has its own entry in the log.
 */
export async function callWithPauses<Outcome extends { kind: string; error?: ErrorObject }>(
  context: Context,
  route: CallRoute,
  pacing: Pacing | undefined,
  ask: (call: CallContext) => Promise<Outcome>,
): Promise<Outcome | { kind: "interrupted" }> {
  const credentials = openCredentials(context, route);
  for (let waits = 0; ; waits += 1) {
    if (pacing?.signal?.aborted === true) return { kind: "interrupted" };
    const { outcome } = await callOnce(context, route, credentials, "lookup", ask);
    const pauseMs = pauseOf(outcome);
    if (pacing === undefined || pauseMs === undefined || waits === WAITS_MAX) return outcome;
    await pacing.wait(Math.min(pauseMs, WAIT_MS_MAX));
  }
}

/** How long a throttled request has to wait; undefined if it was not throttled. */
function pauseOf(outcome: { kind: string }): number | undefined {
  if (outcome.kind !== "not_sent") return undefined;
  const { retryAfterMs, error } = outcome as NotSentOutcome;
  if (retryAfterMs !== undefined) return retryAfterMs;
  return error.provider_code === "429" ? DEFAULT_WAIT_MS : undefined;
}
