import * as v from "valibot";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TaxIdLookupObjectSchema } from "../../src/domain/tax-id-lookup.ts";
import { openTaxIds, type TaxIdBench } from "./setup.ts";

const GREEK = { country: "GR", code: "123456783" };
const GERMAN = { country: "DE", code: "129273398" };
const NOW = "2026-11-21T09:00:00.000Z";
const HOUR_MS = 3_600_000;

let scene: TaxIdBench;
beforeEach(async () => {
  scene = await openTaxIds();
});
afterEach(() => scene.close());

describe("a lookup with a live key", () => {
  test("asks the registry for Greece by its own prefix, and answers in the specification's form", async () => {
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
    ["DE", "129273398", { name: "---", address: "---" }, { name: null, address: null }],
    [
      "IT",
      "00743110157",
      { name: "ESEMPIO SPA", address: "VIA ROMA 1 \n00100 ROMA RM\n" },
      { name: "ESEMPIO SPA", address: "VIA ROMA 1 00100 ROMA RM" },
    ],
    [
      "AT",
      "U12345678",
      { name: "Beispiel GmbH", address: "Musterweg 1\nAT-1010 Wien" },
      { name: "Beispiel GmbH", address: "Musterweg 1 AT-1010 Wien" },
    ],
  ])("%s shares what it shares", async (country, code, registration, said) => {
    scene.vies.register(country, code, registration);
    expect(await scene.taxIds.lookup("live", { country, code })).toMatchObject({ valid: true, ...said });
  });

  test("one that has ended has no name, whatever the registry sends", async () => {
    scene.vies.register("DE", "129273398", { valid: false, name: "Beispiel GmbH", address: "Musterweg 1" });
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({
      valid: false,
      name: null,
      address: null,
    });
  });

  test("a number that nobody has is an answer", async () => {
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({
      valid: false,
      name: null,
      address: null,
      source: "eu_registry",
    });
  });

  test.each([
    [{ country: "GR", code: "123456789" }, "code: "],
    [{ country: "US", code: "123456783" }, "country: "],
    [{ country: "DE", code: "DE129273398" }, "code: "],
  ])("nobody is asked about %j", async (asked, says) => {
    for (const mode of ["test", "live"] as const) {
      const failure = scene.taxIds.lookup(mode, asked);
      await expect(failure).rejects.toMatchObject({ code: "validation_failed", retryable: false });
      await expect(failure).rejects.toThrow(says);
    }
    expect(scene.vies.asked).toEqual([]);
  });

  test("INVALID_INPUT is refused, and asked again the next time", async () => {
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

describe("a lookup with a test key", () => {
  test("is answered by the sandbox, and never asks, reads or keeps anything", async () => {
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
    // What the sandbox invented is not what a live key is told.
    expect(await scene.taxIds.lookup("live", GREEK)).toMatchObject({ valid: false, source: "eu_registry" });
    expect(await scene.taxIds.lookup("test", GREEK)).toMatchObject({ valid: true, source: "sandbox" });
  });
});

describe("an answer that was given before", () => {
  test("is given again for a day, as of when the registry gave it", async () => {
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
    expect(scene.vies.asked).toHaveLength(2);
  });

  test("may be that it is not valid", async () => {
    await scene.taxIds.lookup("live", GERMAN);
    scene.vies.register("DE", "129273398", { name: "---", address: "---" });
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: false });
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("is shared with the other processes on the database", async () => {
    const first = await scene.taxIds.lookup("live", GERMAN);
    await scene.isKept();
    expect(await scene.open().lookup("live", GERMAN)).toEqual(first);
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("is not given where the cache is off, and none is kept", async () => {
    const without = scene.open({ cacheHours: 0 });
    await without.lookup("live", GERMAN);
    await without.lookup("live", GERMAN);
    expect(scene.vies.asked).toHaveLength(2);
    await scene.taxIds.lookup("live", GERMAN);
    expect(scene.vies.asked).toHaveLength(3);
  });

  test("is told apart by country", async () => {
    scene.vies.register("DE", "129273398", { name: "---", address: "---" });
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: true });
    expect(await scene.taxIds.lookup("live", { ...GERMAN, country: "PT" })).toMatchObject({ valid: false });
    expect(scene.vies.asked.map(({ countryCode }) => countryCode)).toEqual(["DE", "PT"]);
  });
});

describe("several lookups at once", () => {
  test("about one number ask once, and all get the answer", async () => {
    scene.vies.next({ kind: "held" });
    const lookups = Array.from({ length: 20 }, () => scene.taxIds.lookup("live", GREEK));
    await scene.vies.arrived(1);
    lookups.push(scene.taxIds.lookup("live", GREEK));
    scene.vies.release();
    const results = await Promise.all(lookups);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("about one number fail together, and the next one asks again", async () => {
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

  test("where the cache is off too, and with nothing left over", async () => {
    const without = scene.open({ cacheHours: 0 });
    await Promise.all([1, 2, 3].map(() => without.lookup("live", GREEK)));
    expect(scene.vies.asked).toHaveLength(1);
    await without.lookup("live", GREEK);
    expect(scene.vies.asked).toHaveLength(2);
  });
});

describe("closing", () => {
  test("ends the lookups that wait, as unavailable", async () => {
    scene.vies.next({ kind: "held" });
    const waiting = scene.taxIds.lookup("live", GREEK);
    const failure = expect(waiting).rejects.toMatchObject({ code: "service_unavailable" });
    await scene.vies.arrived(1);
    await scene.taxIds.close();
    await failure;
  });

  test("lets no question out afterwards", async () => {
    await scene.taxIds.close();
    await expect(scene.taxIds.lookup("live", GREEK)).rejects.toMatchObject({ code: "service_unavailable" });
    expect(scene.vies.asked).toEqual([]);
  });

  test("keeps what was answered", async () => {
    await scene.taxIds.lookup("live", GREEK);
    await scene.taxIds.close();
    await scene.isKept();
    expect(await scene.open().lookup("live", GREEK)).toMatchObject({ valid: false });
    expect(scene.vies.asked).toHaveLength(1);
  });
});
