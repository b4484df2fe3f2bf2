/**
 * A circuit breaker: after several failures in a row no query is sent for a while, then a single one as a probe. Pure: the
 * caller stores a circuit for each member state, and passes the time.
 */

export type Circuit =
  /** Queries pass; the last `failures` failed. */
  | { state: "closed"; failures: number }
  /** No query passes before `untilMs`. It opened for `openMs`. */
  | { state: "open"; untilMs: number; openMs: number }
  /** A probe is in progress; all other queries are refused. */
  | { state: "probing"; openMs: number };

export type Admission =
  /** Pass `isProbe` to `settle` with the outcome. */
  { isAdmitted: true; isProbe: boolean; circuit: Circuit } | { isAdmitted: false; retryAfterMs: number };

/** Whether the member state answered; `neither` if the result does not show it. */
export type Outcome = "worked" | "failed" | "neither";

export const CLOSED: Circuit = { state: "closed", failures: 0 };

const FAILURES_MAX = 5;
const OPEN_MS = 30_000;
const OPEN_MS_MAX = 300_000;
/** About as long as a probe takes. */
const PROBE_WAIT_MS = 2_000;

/** Decides whether a query may be sent now. If so, the returned circuit replaces the given one. */
export function admit(circuit: Circuit, nowMs: number): Admission {
  if (circuit.state === "closed") return { isAdmitted: true, isProbe: false, circuit };
  if (circuit.state === "probing") return { isAdmitted: false, retryAfterMs: PROBE_WAIT_MS };
  const leftMs = circuit.untilMs - nowMs;
  // If more time is left than it opened for, the clock was set back, so the rest is ignored.
  if (leftMs > 0 && leftMs <= circuit.openMs) return { isAdmitted: false, retryAfterMs: leftMs };
  return { isAdmitted: true, isProbe: true, circuit: { state: "probing", openMs: circuit.openMs } };
}

/** The circuit after an admitted query has ended. Other queries may have changed the circuit in the meantime. */
export function settle(circuit: Circuit, outcome: Outcome, isProbe: boolean, nowMs: number): Circuit {
  if (outcome === "worked") return CLOSED;
  if (circuit.state === "closed")
    return outcome === "failed" ? countFailure(circuit.failures, nowMs) : circuit;
  // It was sent before the circuit opened.
  if (circuit.state === "open" || !isProbe) return circuit;
  if (outcome === "neither") return { state: "open", untilMs: nowMs, openMs: circuit.openMs };
  return openFor(Math.min(circuit.openMs * 2, OPEN_MS_MAX), nowMs);
}

function countFailure(before: number, nowMs: number): Circuit {
  const failures = before + 1;
  return failures < FAILURES_MAX ? { state: "closed", failures } : openFor(OPEN_MS, nowMs);
}

function openFor(openMs: number, nowMs: number): Circuit {
  return { state: "open", untilMs: nowMs + openMs, openMs };
}
