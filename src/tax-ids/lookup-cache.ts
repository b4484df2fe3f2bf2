/**
 * Caches answers about tax numbers in the database, for all processes. Errors are logged and do not fail a lookup: without
 * the cache, the registry is queried again.
 */
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Store } from "../../storage/database/store.ts";
import { inTurn } from "../../storage/database/write.ts";
import { hashNumber, findTaxAnswer, upsertTaxAnswer } from "../../storage/merchants/customers.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Log } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import type { Finding } from "./registry-answer.ts";

/** A finding with the time of the registry's answer. */
export interface Found extends Finding {
  checkedAt: string;
}

/** Whose answer about which number. */
export interface CacheKey {
  country: string;
  code: string;
}

export interface AnswerCache {
  /** Undefined if there is no answer, or only an expired one. */
  find(key: CacheKey): Promise<Found | undefined>;
  /** Resolves once the answer is on disk, or the failure is logged. Never rejects. */
  store(key: CacheKey, found: Found): Promise<void>;
}

export interface AnswerCacheDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** 0 disables the cache. */
  cacheHours: number;
}

const HOUR_MS = 3_600_000;

export function createAnswerCache({ store, clock, log, cacheHours }: AnswerCacheDeps): AnswerCache {
  const lifetimeMs = cacheHours * HOUR_MS;

  /** An answer from the future has expired, because its age is unknown after the clock was set back. */
  function isFresh(checkedAt: string): boolean {
    const ageMs = clock.nowMs() - Date.parse(checkedAt);
    return ageMs >= 0 && ageMs < lifetimeMs;
  }

  return {
    async find(key) {
      if (lifetimeMs === 0) return undefined;
      try {
        const row = await findTaxAnswer(store.read, key);
        if (row === undefined || !isFresh(row.checked_at)) return undefined;
        const opened = store.cipher.open(placeIn("tax_answers", row.country, row.hash), row.sealed);
        if (opened === undefined) return undefined;
        const { valid, name, address } = readJson<Finding>(opened.toString("utf8"));
        return { valid, name, address, checkedAt: row.checked_at };
      } catch (error) {
        log.warn({ error: String(error) }, "cached answers about tax numbers cannot be read");
        return undefined;
      }
    },
    async store(key, { valid, name, address, checkedAt }) {
      if (lifetimeMs === 0) return;
      const { country } = key;
      const finding: Finding = { valid, name, address };
      try {
        await store.defer(ANSWERS, { key, finding, checkedAt });
      } catch (error) {
        log.warn({ country, error: String(error) }, "an answer about a tax number cannot be cached");
      }
    },
  };
}

interface FoundAnswer {
  key: CacheKey;
  finding: Finding;
  checkedAt: string;
}

const ANSWERS = inTurn(async (trx, { key, finding, checkedAt }: FoundAnswer) => {
  const { country } = key;
  const hash = hashNumber(trx.auditKey, key);
  const sealed = trx.cipher.seal(placeIn("tax_answers", country, hash), JSON.stringify(finding));
  await upsertTaxAnswer(trx, { country, hash, sealed, checked_at: checkedAt });
});
