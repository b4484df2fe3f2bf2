/** Whether a VAT number is registered: the sandbox answers test keys, the EU registry or a kept answer of it live ones. */
import type { Store } from "../../storage/open.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import type { Finding, NoAnswerReason, RegistryAnswer } from "./registry-answer.ts";
import { createAnswerCache, type Found } from "./lookup-cache.ts";
import { createGate } from "./lookup-gate.ts";
import { buildTaxIdLookupObject } from "./lookup-object.ts";
import type { TaxIds } from "../domain/tax-id-lookup.ts";
import { parseQuestion, type TaxQuestion } from "./question.ts";
import { createRegistry } from "./eu-registry.ts";
import { answerFromSandbox } from "./sandbox-lookup.ts";

export interface TaxIdsDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** Of the EU registry, up to the method's name. */
  registryUrl: string;
  /** For a question to the registry, a second try included. */
  timeoutSeconds: number;
  /** How long an answer is given again; 0 asks each time. */
  cacheHours: number;
  /** Before the second try. A second unless given. */
  retryPauseMs?: number | undefined;
}

export function createTaxIds(deps: TaxIdsDeps): TaxIds {
  const { store, clock, log } = deps;
  const cache = createAnswerCache(deps);
  const gate = createGate(deps);
  const registry = createRegistry({
    url: deps.registryUrl,
    timeoutMs: deps.timeoutSeconds * 1000,
    retryPauseMs: deps.retryPauseMs,
  });
  /** Questions that are out, and answers on their way to the disk: whoever asks the same shares them. */
  const inFlight = new Map<string, Promise<{ found: Found; kept: Promise<void> }>>();

  async function find(question: TaxQuestion): Promise<Found> {
    const kept = await cache.find(question);
    if (kept !== undefined) return kept;
    await refuseWhileHeld(store.read, {
      en: "The EU registry was not queried",
      el: "Δεν έγινε αναζήτηση στο μητρώο της ΕΕ",
    });
    const key = `${question.country} ${question.code}`;
    return (await (inFlight.get(key) ?? start(question, key))).found;
  }

  function start(question: TaxQuestion, key: string): Promise<{ found: Found; kept: Promise<void> }> {
    const leave = gate.enter(question.country);
    const asking = ask(question, leave);
    inFlight.set(key, asking);
    const remove = () => void inFlight.delete(key);
    asking.then(({ kept }) => kept).then(remove, remove);
    return asking;
  }

  async function ask(question: TaxQuestion, leave: (answer: RegistryAnswer | undefined) => void) {
    let answer: RegistryAnswer | undefined;
    try {
      answer = await registry.ask(question);
    } finally {
      leave(answer);
    }
    note(question, answer);
    const found = { ...findingOf(answer), checkedAt: clock.now() };
    return { found, kept: cache.keep(question, found) };
  }

  /** For the operator, who can do something about a block and wants to know of the rest. */
  function note({ country }: TaxQuestion, answer: RegistryAnswer): void {
    if (answer.kind !== "no_answer") return;
    const { reason, code } = answer;
    if (reason === "blocked") log.warn({ country, code }, "the EU registry blocks this server's questions");
    else log.info({ country, reason, code }, "the EU registry gave no answer");
  }

  return {
    async lookup(mode, asked) {
      const question = parseQuestion(asked);
      if (mode === "test")
        return buildTaxIdLookupObject(
          question,
          findingOf(answerFromSandbox(question)),
          "sandbox",
          clock.now(),
        );
      const found = await find(question);
      return buildTaxIdLookupObject(question, found, "eu_registry", found.checkedAt);
    },
    async close() {
      await registry.close();
      await Promise.allSettled(inFlight.values());
    },
  };
}

/** What the lookup answers; throws what it fails with. */
function findingOf(answer: RegistryAnswer): Finding {
  if (answer.kind === "found") return answer.finding;
  if (answer.kind === "invalid_input") {
    const message = "is no number of this country, says the EU registry; check it for slips";
    throw validationError([{ path: "code", message }]);
  }
  throw new AppError("service_unavailable", MESSAGES[answer.reason]);
}

const UNREACHED = "The EU registry did not answer; try again later";

const MESSAGES: Readonly<Record<NoAnswerReason, string>> = {
  unavailable: "The EU registry or that of the member state is unavailable; try again later",
  overloaded:
    "The EU registry or that of the member state is asked too much at the moment; try again in a minute",
  blocked: "The EU registry takes no question from this server at the moment; try again later",
  unreadable: "The EU registry gave no usable answer; try again later",
  unreached: UNREACHED,
  cut: UNREACHED,
};
