/**
 * A circuit breaker: what has failed several times in a row is left alone for a while, then tried with a single question.
 * Values and functions only; whoever asks holds a circuit for each member state, and the time.
 */

export type Circuit =
  /** Questions pass; `failures` have failed in a row. */
  | { state: "closed"; failures: number }
  /** None passes before `untilMs`; it opened for `openMs`. */
  | { state: "open"; untilMs: number; openMs: number }
  /** One is out, the others wait for how it ends. */
  | { state: "probing"; openMs: number };

export type Admission =
  /** `isProbe` is handed to `settle` with the outcome. */
  { isAdmitted: true; isProbe: boolean; circuit: Circuit } | { isAdmitted: false; retryAfterMs: number };

/** How a question ended, as far as the member state goes: `neither` says nothing about whether it answers. */
export type Outcome = "worked" | "failed" | "neither";

export const CLOSED: Circuit = { state: "closed", failures: 0 };

const FAILURES_MAX = 5;
const OPEN_MS = 30_000;
const OPEN_MS_MAX = 300_000;
/** While one question is out: about as long as an answer takes. */
const PROBE_WAIT_MS = 2_000;

/** Whether a question may be asked now. The circuit of an admission replaces the one given. */
export function admit(circuit: Circuit, nowMs: number): Admission {
  if (circuit.state === "closed") return { isAdmitted: true, isProbe: false, circuit };
  if (circuit.state === "probing") return { isAdmitted: false, retryAfterMs: PROBE_WAIT_MS };
  const leftMs = circuit.untilMs - nowMs;
  // More left than it opened for: the clock was set back, and would keep it open for as much longer.
  if (leftMs > 0 && leftMs <= circuit.openMs) return { isAdmitted: false, retryAfterMs: leftMs };
  return { isAdmitted: true, isProbe: true, circuit: { state: "probing", openMs: circuit.openMs } };
}

/** The circuit after an admitted question has ended; other questions may have ended since it was admitted. */
export function settle(circuit: Circuit, outcome: Outcome, isProbe: boolean, nowMs: number): Circuit {
  // Whoever was answered, the member state answers.
  if (outcome === "worked") return CLOSED;
  if (circuit.state === "closed")
    return outcome === "failed" ? countFailure(circuit.failures, nowMs) : circuit;
  // It began before the circuit opened: that it failed too is nothing new.
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
