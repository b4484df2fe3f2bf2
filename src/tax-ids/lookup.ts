/** Looks up VAT numbers: with test keys in the sandbox, with live keys in the EU registry (docs/contract.md#tax-number-lookup). */
import type { Store } from "../../storage/database/store.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import { createGate } from "./lookup-gate.ts";
import type { LookupSource, TaxIds } from "../domain/tax-number.ts";
import { parseQuestion, type TaxQuestion } from "./question.ts";
import { answerFromSandbox, createRegistry, type Finding, type RegistryAnswer } from "./eu-registry.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { inTurn } from "../../storage/database/write.ts";
import { findTaxAnswer, hashNumber, upsertTaxAnswer } from "../../storage/merchants/customers.ts";
import { readJson } from "../foundation/json.ts";

export interface TaxIdsDeps {
  store: Store;
  clock: Clock;
  log: Log;
  registryUrl: string;
  timeoutSeconds: number;
  /** How long answers are cached; 0 disables the cache. */
  cacheHours: number;
  /** Before the retry; one second by default. */
  retryPauseMs?: number | undefined;
}

type Admit = () => Promise<void>;

interface Lookup {
  question: TaxQuestion;
  source: LookupSource;
  admit: Admit | undefined;
}

/** The sandbox's answers are cached too, so that a repeated lookup has the same time, but never taken for the registry's. */
function cacheKeyOf({ question: { country, code }, source }: Lookup): CacheKey {
  return { country: source === "sandbox" ? `sandbox ${country}` : country, code };
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
  /** Lookups in progress, and answers not on disk yet. Lookups of the same number share them. */
  const inFlight = new Map<string, Promise<Found>>();

  function find(lookup: Lookup): Promise<Found> {
    const key = cacheKeyOf(lookup);
    const name = `${key.country} ${key.code}`;
    const known = inFlight.get(name);
    if (known !== undefined) return known;
    const forget = () => void inFlight.delete(name);
    const found = ask(lookup, key, forget);
    inFlight.set(name, found);
    found.catch(forget);
    return found;
  }

  async function ask({ question, source, admit }: Lookup, key: CacheKey, onKept: () => void): Promise<Found> {
    const cached = await cache.find(key);
    if (cached !== undefined) {
      onKept();
      return cached;
    }
    const answer = source === "sandbox" ? answerFromSandbox(question) : await askRegistry(question, admit);
    const found = { ...findingOf(answer), checkedAt: clock.now() };
    void cache.store(key, found).then(onKept);
    return found;
  }

  async function askRegistry(question: TaxQuestion, admit: Admit | undefined): Promise<RegistryAnswer> {
    await refuseWhileHeld(store.read, {
      en: "The EU registry was not queried",
      el: "Δεν έγινε αναζήτηση στο μητρώο της ΕΕ",
    });
    const leave = gate.enter(question.country);
    let answer: RegistryAnswer | "not_asked" | undefined = "not_asked";
    try {
      await admit?.();
      answer = undefined;
      answer = await registry.ask(question);
    } finally {
      leave(answer);
    }
    logFailure(question, answer);
    return answer;
  }

  function logFailure({ country }: TaxQuestion, answer: RegistryAnswer): void {
    if (answer.kind !== "no_answer") return;
    const { reason, code } = answer;
    if (reason === "blocked") log.warn({ country, code }, "the EU registry blocks queries of this server");
    else log.info({ country, reason, code }, "the EU registry gave no answer");
  }

  return {
    async lookup(mode, asked, admit) {
      const source = mode === "test" ? "sandbox" : "eu_registry";
      const question = parseQuestion(asked, source);
      const { checkedAt, ...finding } = await find({ question, source, admit });
      return { object: "tax_id_lookup", ...question, ...finding, source, checked_at: checkedAt };
    },
    async close() {
      await registry.close();
      await Promise.allSettled(inFlight.values());
    },
  };
}

/** Returns the finding of an answer, or throws the error of the lookup. */
function findingOf(answer: RegistryAnswer): Finding {
  if (answer.kind === "found") return answer.finding;
  if (answer.kind === "invalid_input") {
    throw validationError([{ path: "code", message: NOT_OF_THIS_COUNTRY }]);
  }
  throw new AppError("service_unavailable", NO_ANSWER);
}

const NOT_OF_THIS_COUNTRY: Text = {
  en: "is not a number of this country according to the EU registry; check it for typing errors",
  el: "δεν είναι αριθμός αυτής της χώρας σύμφωνα με το μητρώο της ΕΕ· ελέγξτε μήπως πληκτρολογήθηκε λάθος",
};

const NO_ANSWER: Text = {
  en: "The EU registry, or that of the member state, gave no answer; try again later",
  el: "Το μητρώο της ΕΕ ή του κράτους μέλους δεν έδωσε απάντηση· δοκιμάστε ξανά αργότερα",
};

export interface Found extends Finding {
  checkedAt: string;
}

interface CacheKey {
  country: string;
  code: string;
}

const HOUR_MS = 3_600_000;

export type AnswerCache = ReturnType<typeof createAnswerCache>;

/**
 * Keeps answers in the database, for all processes. Errors are logged and do not fail a lookup: without the cache, the registry is queried
 * again.
 */
export function createAnswerCache({
  store,
  clock,
  log,
  cacheHours,
}: Pick<TaxIdsDeps, "store" | "clock" | "log" | "cacheHours">) {
  const lifetimeMs = cacheHours * HOUR_MS;

  /** An answer from the future has expired, because its age is unknown after the clock was set back. */
  function isFresh(checkedAt: string): boolean {
    const ageMs = clock.nowMs() - Date.parse(checkedAt);
    return ageMs >= 0 && ageMs < lifetimeMs;
  }

  return {
    /** Undefined if there is no answer, or only an expired one. */
    async find(key: CacheKey): Promise<Found | undefined> {
      if (lifetimeMs === 0) return undefined;
      try {
        const row = await findTaxAnswer(store.read, key);
        if (row === undefined || !isFresh(row.checked_at)) return undefined;
        const opened = store.cipher.open(placeIn("tax_answers", row.country, row.hash), row.sealed);
        if (opened === undefined) return undefined;
        return { ...readJson<Finding>(opened.toString("utf8")), checkedAt: row.checked_at };
      } catch (error) {
        log.warn({ error: String(error) }, "cached answers about tax numbers cannot be read");
        return undefined;
      }
    },

    /** Resolves once the answer is on disk, or the failure is logged. Never rejects. */
    async store(key: CacheKey, found: Found): Promise<void> {
      if (lifetimeMs === 0) return;
      try {
        await store.defer(ANSWERS, { key, found });
      } catch (error) {
        const { country } = key;
        log.warn({ country, error: String(error) }, "an answer about a tax number cannot be cached");
      }
    },
  };
}

const ANSWERS = inTurn(async (trx, { key, found }: { key: CacheKey; found: Found }) => {
  const { country } = key;
  const { checkedAt, ...finding } = found;
  const hash = hashNumber(trx.auditKey, key);
  const sealed = trx.cipher.seal(placeIn("tax_answers", country, hash), JSON.stringify(finding));
  await upsertTaxAnswer(trx, { country, hash, sealed, checked_at: checkedAt });
});
