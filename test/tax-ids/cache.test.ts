import { beforeEach, describe, expect, test } from "vitest";
import { findTaxAnswer, deleteTaxAnswersBefore } from "../../storage/merchants/customers.ts";
import { type AnswerCache, createAnswerCache, type Found } from "../../src/tax-ids/lookup.ts";
import type { TaxQuestion } from "../../src/tax-ids/question.ts";
import { openBench } from "../helpers/appliance.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { forEachTest } from "../helpers/set-up.ts";

const GREEK: TaxQuestion = { country: "GR", code: "123456783" };
const FOUND: Found = {
  valid: true,
  name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ",
  address: "ΟΔΟΣ 1",
  checkedAt: "2026-11-21T09:00:00.000Z",
};

let cache: AnswerCache;
const bench = forEachTest(openBench);
beforeEach(async () => {
  cache = open();
});

function open(changes: Partial<Parameters<typeof createAnswerCache>[0]> = {}): AnswerCache {
  const { store, clock, log } = bench.appliance;
  return createAnswerCache({ store, clock, log, cacheHours: 24, ...changes });
}

describe("cached answers", () => {
  test("are encrypted for their own number", async () => {
    await cache.store(GREEK, FOUND);
    const { store } = bench.appliance;
    const row = await findTaxAnswer(store.read, GREEK);
    const { hash = "", sealed = new Uint8Array() } = row ?? {};
    expect(`${hash} ${Buffer.from(sealed).toString("utf8")}`).not.toMatch(/123456783|ΠΑΡΑΔΕΙΓΜΑ|ΟΔΟΣ|valid/);
    expect(store.cipher.open(placeIn("tax_answers", "GR", hash), sealed)?.toString()).toBe(
      JSON.stringify({ valid: true, name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ", address: "ΟΔΟΣ 1" }),
    );
    expect(store.cipher.open(placeIn("tax_answers", "DE", hash), sealed)).toBeUndefined();
  });

  test("are not found if they are from the future, because the clock was set back", async () => {
    await cache.store(GREEK, FOUND);
    bench.advance(-1);
    expect(await cache.find(GREEK)).toBeUndefined();
  });

  test("that cannot be decrypted are not found", async () => {
    await cache.store(GREEK, FOUND);
    const other = { seal: bench.appliance.store.cipher.seal, open: () => undefined };
    const store = { ...bench.appliance.store, cipher: other };
    expect(await open({ store }).find(GREEK)).toBeUndefined();
  });
});

describe("a cache that fails", () => {
  const broken = () => Promise.reject(new Error("database or disk is full"));

  test("logs a warning without the number if it cannot be written", async () => {
    const store = { ...bench.appliance.store, defer: broken };
    await open({ store }).store(GREEK, FOUND);
    expect(bench.logged).toEqual([
      expect.stringMatching(/^warn: .*cannot be cached .*"country":"GR".*disk is full/),
    ]);
    expect(bench.logged.join()).not.toContain("123456783");
    expect(await cache.find(GREEK)).toBeUndefined();
  });

  test("finds nothing and logs a warning if it cannot be read", async () => {
    await cache.store(GREEK, FOUND);
    const { store } = bench.appliance;
    const read = { all: broken, first: broken, run: broken, query: broken, cipher: store.cipher };
    expect(await open({ store: { ...store, read } }).find(GREEK)).toBeUndefined();
    expect(bench.logged).toEqual([expect.stringMatching(/^warn: .*cannot be read .*disk is full/)]);
  });
});

test("deletes old answers in portions, oldest first", async () => {
  const { store } = bench.appliance;
  const days = ["2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21"];
  for (const [index, day] of days.entries()) {
    const checkedAt = `${day}T09:00:00.000Z`;
    await cache.store({ country: "DE", code: `1000${index}` }, { ...FOUND, checkedAt });
  }
  const before = "2026-11-21T09:00:00.000Z";
  const left = async () => {
    const rows = await Promise.all(
      days.map((_day, index) => findTaxAnswer(store.read, { country: "DE", code: `1000${index}` })),
    );
    return rows.map((row) => row !== undefined);
  };
  expect(await store.write((trx) => deleteTaxAnswersBefore(trx, { before, limit: 2 }))).toBe(2);
  expect(await left()).toEqual([false, false, true, true]);
  expect(await store.write((trx) => deleteTaxAnswersBefore(trx, { before, limit: 2 }))).toBe(1);
  expect(await left()).toEqual([false, false, false, true]);
  expect(await store.write((trx) => deleteTaxAnswersBefore(trx, { before, limit: 2 }))).toBe(0);
});
