/** Refuses queries about member states that do not answer, with one circuit breaker for each in this process. */
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import type { RegistryAnswer } from "./registry-answer.ts";
import { admit, type Circuit, CLOSED, type Outcome, settle } from "./lookup-breaker.ts";
import type { LookupCountry } from "../domain/tax-id-lookup.ts";

export interface Gate {
  /**
   * Admits a query about the country. Call the returned function once with the answer, undefined if the query threw, or
   * `not_asked` if it was not sent.
   * Throws `service_unavailable` with the time to wait while the member state is not queried.
   */
  enter(country: LookupCountry): (answer: RegistryAnswer | "not_asked" | undefined) => void;
}

export function createGate({ clock, log }: { clock: Clock; log: Log }): Gate {
  const circuits = new Map<LookupCountry, Circuit>();
  return {
    enter(country) {
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
function outcomeOf(answer: RegistryAnswer | "not_asked" | undefined): Outcome {
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
