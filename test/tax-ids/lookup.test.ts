// docs/contract.md#limits: Reuse of a lookup's result
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { TaxIdLookupObjectSchema } from "../../src/domain/tax-number.ts";
import { openTaxIds } from "./setup.ts";
import { forEachTest } from "../helpers/set-up.ts";

const GREEK = { country: "GR", code: "123456783" };
const GERMAN = { country: "DE", code: "129273398" };
const NOW = "2026-11-21T09:00:00.000Z";
const HOUR_MS = 3_600_000;

const scene = forEachTest(openTaxIds);

describe("a lookup with a live key", () => {
  test("queries Greek numbers with the prefix EL", async () => {
    scene.vies.register("EL", "123456783", {
      name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ||ΠΑΡΑΔΕΙΓΜΑ",
      address: "ΟΔΟΣ 1        10431 - ΑΘΗΝΑ",
    });
    const result = await scene.taxIds.lookup("live", { country: "GR", code: "123.456 783" });
    expect(result).toEqual({
      object: "tax_id_lookup",
      country: "GR",
      code: "123456783",
      valid: true,
      name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ||ΠΑΡΑΔΕΙΓΜΑ",
      address: "ΟΔΟΣ 1 10431 - ΑΘΗΝΑ",
      source: "eu_registry",
      checked_at: NOW,
    });
    expect(v.is(TaxIdLookupObjectSchema, result)).toBe(true);
    expect(scene.vies.asked).toEqual([{ countryCode: "EL", vatNumber: "123456783" }]);
  });

  test.each([
    [{ country: "GR", code: "123456789" }, "code: ", ["test", "live"]],
    [{ country: "US", code: "123456783" }, "country: ", ["test", "live"]],
    [{ country: "DE", code: "DE129273398" }, "code: ", ["live"]],
  ] as const)("rejects %j without a query", async (asked, says, modes) => {
    for (const mode of modes) {
      const failure = scene.taxIds.lookup(mode, asked);
      await expect(failure).rejects.toMatchObject({ code: "validation_failed", retryable: false });
      await expect(failure).rejects.toThrow(says);
    }
    expect(scene.vies.asked).toEqual([]);
  });

  test("rejects a number with INVALID_INPUT, and does not cache that", async () => {
    const ask = async () => {
      const failure = scene.taxIds.lookup("live", { country: "DE", code: "201" });
      await expect(failure).rejects.toMatchObject({ code: "validation_failed", retryable: false });
      await expect(failure).rejects.not.toThrow("201");
    };
    await ask();
    await ask();
    expect(scene.vies.asked).toHaveLength(2);
  });
});

test("a lookup with a test key is answered by the sandbox, without the registry or its answers", async () => {
  const result = await scene.taxIds.lookup("test", GREEK);
  expect(result).toMatchObject({ ...GREEK, valid: true, source: "sandbox", checked_at: NOW });
  expect(v.is(TaxIdLookupObjectSchema, result)).toBe(true);
  expect(await scene.taxIds.lookup("test", { country: "GR", code: "099999999" })).toMatchObject({
    valid: false,
    name: null,
  });
  const failure = scene.taxIds.lookup("test", { country: "GR", code: "876543210" });
  await expect(failure).rejects.toMatchObject({ code: "service_unavailable", retryable: true });
  expect(scene.vies.asked).toEqual([]);
  // Live lookups do not return the invented answers.
  expect(await scene.taxIds.lookup("live", GREEK)).toMatchObject({ valid: false, source: "eu_registry" });
  expect(await scene.taxIds.lookup("test", GREEK)).toMatchObject({ valid: true, source: "sandbox" });
});

describe("a cached answer", () => {
  test("is returned for a day, with the time of the original answer", async () => {
    scene.vies.register("EL", "123456783", { name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ", address: "ΟΔΟΣ 1" });
    const first = await scene.taxIds.lookup("live", GREEK);
    await scene.isKept();
    scene.bench.advance(24 * HOUR_MS - 1);
    expect(await scene.taxIds.lookup("live", GREEK)).toEqual(first);
    expect(first.checked_at).toBe(NOW);
    expect(scene.vies.asked).toHaveLength(1);
    scene.bench.advance(1);
    expect(await scene.taxIds.lookup("live", GREEK)).toEqual({
      ...first,
      checked_at: "2026-11-22T09:00:00.000Z",
    });
    await scene.isKept();
    await scene.open().lookup("live", GREEK);
    expect(scene.vies.asked).toHaveLength(2);
  });

  test("is shared by all processes on the database", async () => {
    const first = await scene.taxIds.lookup("live", GERMAN);
    await scene.isKept();
    expect(await scene.open().lookup("live", GERMAN)).toEqual(first);
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("is neither stored nor returned if the cache is disabled", async () => {
    const without = scene.open({ cacheHours: 0 });
    await without.lookup("live", GERMAN);
    await without.lookup("live", GERMAN);
    expect(scene.vies.asked).toHaveLength(2);
    await scene.taxIds.lookup("live", GERMAN);
    expect(scene.vies.asked).toHaveLength(3);
  });
});

describe("several lookups at once", () => {
  test("about one number share a single query", async () => {
    scene.vies.next({ kind: "held" });
    const lookups = Array.from({ length: 20 }, () => scene.taxIds.lookup("live", GREEK));
    await scene.vies.arrived(1);
    lookups.push(scene.taxIds.lookup("live", GREEK));
    scene.vies.release();
    const results = await Promise.all(lookups);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("about one number fail together, and the next one queries again", async () => {
    scene.vies.next({ kind: "error", code: "MS_UNAVAILABLE" });
    const both = await Promise.allSettled([
      scene.taxIds.lookup("live", GREEK),
      scene.taxIds.lookup("live", GREEK),
    ]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await scene.taxIds.lookup("live", GREEK)).toMatchObject({ valid: false });
    expect(scene.vies.asked).toHaveLength(2);
  });

  test("about different numbers do not wait for each other", async () => {
    scene.vies.next({ kind: "held" });
    const slow = scene.taxIds.lookup("live", GERMAN);
    await scene.vies.arrived(1);
    expect(await scene.taxIds.lookup("live", GREEK)).toMatchObject({ valid: false });
    scene.vies.release();
    expect(await slow).toMatchObject({ valid: false });
  });
});

describe("closing", () => {
  test("fails waiting lookups as unavailable", async () => {
    scene.vies.next({ kind: "held" });
    const waiting = scene.taxIds.lookup("live", GREEK);
    const failure = expect(waiting).rejects.toMatchObject({ code: "service_unavailable" });
    await scene.vies.arrived(1);
    await scene.taxIds.close();
    await failure;
  });

  test("prevents further queries", async () => {
    await scene.taxIds.close();
    await expect(scene.taxIds.lookup("live", GREEK)).rejects.toMatchObject({ code: "service_unavailable" });
    expect(scene.vies.asked).toEqual([]);
  });

  test("waits until answers are stored", async () => {
    await scene.taxIds.lookup("live", GREEK);
    await scene.taxIds.close();
    await scene.isKept();
    expect(await scene.open().lookup("live", GREEK)).toMatchObject({ valid: false });
    expect(scene.vies.asked).toHaveLength(1);
  });
});
