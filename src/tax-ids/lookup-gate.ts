/**
 * Refuses queries about member states that do not answer, with one circuit breaker for each in this process: after several failures
 * in a row no query is sent for a while, then a single one as a probe.
 */
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import type { RegistryAnswer } from "./eu-registry.ts";
import type { LookupCountry } from "../domain/tax-number.ts";

/** Undefined if the query threw, `not_asked` if it was not sent. */
type Answer = RegistryAnswer | "not_asked" | undefined;

interface Circuit {
  /** In a row. */
  failures: number;
  /** 0 until there are too many of them. */
  openMs: number;
  /** No query is sent before. */
  untilMs: number;
  /** A single query was let through, and the others wait for its answer. */
  isProbed: boolean;
}

const FAILURES_MAX = 5;
const OPEN_MS = 30_000;
const OPEN_MS_MAX = 300_000;
/** About as long as a probe takes. */
const PROBE_WAIT_MS = 2000;

export function createGate({ clock, log }: { clock: Clock; log: Log }) {
  const circuits = new Map<LookupCountry, Circuit>();

  function circuitOf(country: LookupCountry): Circuit {
    const circuit = circuits.get(country) ?? { failures: 0, openMs: 0, untilMs: 0, isProbed: false };
    circuits.set(country, circuit);
    return circuit;
  }

  function open(country: LookupCountry, circuit: Circuit): void {
    circuit.openMs = circuit.openMs === 0 ? OPEN_MS : Math.min(circuit.openMs * 2, OPEN_MS_MAX);
    circuit.untilMs = clock.nowMs() + circuit.openMs;
    circuit.isProbed = false;
    const seconds = circuit.openMs / 1000;
    log.warn({ country, seconds }, "the EU registry is not queried about a country for a while");
  }

  return {
    /**
     * Admits a query about the country. Call the returned function once with the answer. Throws `service_unavailable` with the time
     * to wait while the member state is not queried.
     */
    enter(country: LookupCountry): (answer: Answer) => void {
      const asked = circuitOf(country);
      const { openMs, untilMs, isProbed } = asked;
      const nowMs = clock.nowMs();
      const leftMs = untilMs - nowMs;
      // If more time is left than it opened for, the clock was set back, so the rest is ignored.
      if (leftMs > 0 && leftMs <= openMs) throw waitError(isProbed ? PROBE_WAIT_MS : leftMs);
      const isProbe = openMs > 0;
      if (isProbe) Object.assign(asked, { untilMs: nowMs + openMs, isProbed: true });
      return (answer) => {
        const outcome = outcomeOf(answer);
        const circuit = circuitOf(country);
        if (outcome === "worked") circuits.delete(country);
        else if (outcome === "neither") circuit.untilMs = isProbe ? 0 : circuit.untilMs;
        // A failure of a query that was sent before it opened says nothing new.
        else if (isProbe || circuit.openMs === 0) {
          circuit.failures += 1;
          if (circuit.failures >= FAILURES_MAX) open(country, circuit);
        }
      };
    },
  };
}

/**
 * INVALID_INPUT and VAT_BLOCKED concern a single number and do not involve the member state. If they counted as failures,
 * lookups of such numbers would block all others.
 */
function outcomeOf(answer: Answer): "worked" | "failed" | "neither" {
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
