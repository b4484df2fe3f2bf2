/**
 * Refuses queries about member states that do not answer, with one circuit breaker for each in this process: after several failures
 * in a row no query is sent for a while, then a single one as a probe.
 */
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import type { RegistryAnswer } from "./eu-registry.ts";
import type { LookupCountry } from "../domain/tax-number.ts";

type Answer = RegistryAnswer | "not_asked" | undefined;

export function createGate({ clock, log }: { clock: Clock; log: Log }) {
  const circuits = new Map<LookupCountry, Circuit>();
  return {
    /**
     * Admits a query about the country. Call the returned function once with the answer, undefined if the query threw, or
     * `not_asked` if it was not sent.
     * Throws `service_unavailable` with the time to wait while the member state is not queried.
     */
    enter(country: LookupCountry): (answer: Answer) => void {
      const admission = admit(circuits.get(country) ?? CLOSED, clock.nowMs());
      if (!admission.isAdmitted) throw waitError(admission.retryAfterMs);
      circuits.set(country, admission.circuit);
      return (answer) => {
        const before = circuits.get(country) ?? CLOSED;
        const after = settle(before, outcomeOf(answer), admission.isProbe, clock.nowMs());
        circuits.set(country, after);
        if (after.state === "open" && before.state !== "open")
          log.warn(
            { country, seconds: after.openMs / 1000 },
            "the EU registry is not queried about a country for a while",
          );
      };
    },
  };
}

/**
 * INVALID_INPUT and VAT_BLOCKED concern a single number and do not involve the member state. If they counted as failures,
 * lookups of such numbers would block all others.
 */
function outcomeOf(answer: Answer): CircuitOutcome {
  if (answer === "not_asked") return "neither";
  if (answer?.kind === "found") return "worked";
  const isAboutNumber =
    answer?.kind === "invalid_input" || (answer?.kind === "no_answer" && answer.code === "VAT_BLOCKED");
  return isAboutNumber ? "neither" : "failed";
}

function waitError(retryAfterMs: number): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new AppError(
    "service_unavailable",
    {
      en: `The registry of this member state has not answered several times in a row; try again in ${retryAfterSeconds} s`,
      el: `Το μητρώο αυτού του κράτους μέλους δεν απάντησε επανειλημμένα· δοκιμάστε ξανά σε ${retryAfterSeconds} δευτερόλεπτα`,
    },
    { retryAfterSeconds },
  );
}

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
export type CircuitOutcome = "worked" | "failed" | "neither";

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
export function settle(circuit: Circuit, outcome: CircuitOutcome, isProbe: boolean, nowMs: number): Circuit {
  if (outcome === "worked") return CLOSED;
  if (circuit.state === "closed") {
    if (outcome !== "failed") return circuit;
    const failures = circuit.failures + 1;
    return failures < FAILURES_MAX ? { state: "closed", failures } : openFor(OPEN_MS, nowMs);
  }
  // It was sent before the circuit opened.
  if (circuit.state === "open" || !isProbe) return circuit;
  if (outcome === "neither") return { state: "open", untilMs: nowMs, openMs: circuit.openMs };
  return openFor(Math.min(circuit.openMs * 2, OPEN_MS_MAX), nowMs);
}

function openFor(openMs: number, nowMs: number): Circuit {
  return { state: "open", untilMs: nowMs + openMs, openMs };
}
