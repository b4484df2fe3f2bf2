/**
 * Answers of the EU registry, kept in the database for as long as they may be given again, and shared by every process on
 * it. Nothing here may fail a lookup: what cannot be read is asked again, what cannot be written was answered all the same.
 */
import type { Store } from "../../storage/open.ts";
import { findTaxAnswer, upsertTaxAnswer } from "../../storage/tax-answers.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import type { Finding } from "./registry-answer.ts";
import type { TaxQuestion } from "./question.ts";

/** A finding, and when the registry gave it. */
export interface Found extends Finding {
  checkedAt: string;
}

export interface AnswerCache {
  /** Undefined when there is none that may still be given. */
  find(question: TaxQuestion): Promise<Found | undefined>;
  /** Resolves once it is on disk, or the log says why it is not. Never rejects. */
  keep(question: TaxQuestion, found: Found): Promise<void>;
}

export interface AnswerCacheDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 keeps nothing and finds nothing. */
  cacheHours: number;
}

const HOUR_MS = 3_600_000;

export function createAnswerCache({ store, clock, log, cacheHours }: AnswerCacheDeps): AnswerCache {
  const keptMs = cacheHours * HOUR_MS;

  /** An answer from the future is none: the clock was set back, and nobody knows its age. */
  function isFresh(checkedAt: string): boolean {
    const ageMs = clock.nowMs() - Date.parse(checkedAt);
    return ageMs >= 0 && ageMs < keptMs;
  }

  return {
    async find(question) {
      if (keptMs === 0) return undefined;
      try {
        const row = await findTaxAnswer(store.read, question);
        if (row === undefined || !isFresh(row.checked_at)) return undefined;
        const opened = store.cipher.open(taxAnswerRecord(question), row.sealed);
        if (opened === undefined) return undefined;
        const { valid, name, address } = readJson<Finding>(opened.toString("utf8"));
        return { valid, name, address, checkedAt: row.checked_at };
      } catch (error) {
        log.warn({ error: String(error) }, "the kept answers about tax numbers cannot be read");
        return undefined;
      }
    },
    async keep(question, { checkedAt, ...finding }) {
      if (keptMs === 0) return;
      const { country, code } = question;
      try {
        await store.defer((trx) => {
          const sealed = store.cipher.seal(taxAnswerRecord(question), JSON.stringify(finding));
          return upsertTaxAnswer(trx, { country, code, sealed, checked_at: checkedAt });
        });
      } catch (error) {
        log.warn({ country, error: String(error) }, "an answer about a tax number cannot be kept");
      }
    },
  };
}

/** What an answer is sealed for: it opens for no other number. */
export function taxAnswerRecord({ country, code }: { country: string; code: string }): string {
  return `tax ${country} ${code}`;
}
