// docs/contract.md#tax-number-lookup
// docs/contract.md#statuses-by-operation
import { describe, expect, test } from "vitest";
import { startFakeVies } from "../../helpers/fake-vies.ts";
import { type Json, openSpecServer } from "../helpers/bench.ts";
import { closing, forAllTests } from "../../helpers/set-up.ts";
import { expectError } from "../../helpers/http.ts";

const LOOKUP = "/api/v1/tax_ids/lookup";
const vies = forAllTests(startFakeVies);
const registry = () => ({ FISCAL_TAX_IDS__REGISTRY_URL: vies.url });
const server = forAllTests(() =>
  openSpecServer({ env: { ...registry(), FISCAL_RATE_LIMIT__LOOKUPS: "1000" } }),
);

function look(country: string, code: string, key?: string) {
  const query = new URLSearchParams({ country, code });
  return server.get(`${LOOKUP}?${query}`, key === undefined ? {} : { key });
}

async function found(country: string, code: string, key?: string): Promise<Json> {
  const { status, body } = await look(country, code, key);
  expect([status, body.message]).toEqual([200, undefined]);
  return body.data;
}

const samples = forAllTests(async () => {
  vies.register("EL", "094012834", { name: "ΑΛΦΑ ΑΕ||ΑΛΦΑ", address: "ΟΔΟΣ 1\n10431   ΑΘΗΝΑ" });
  vies.register("DE", "123456789", { name: "---", address: "---" });
  const key = server.liveKey;
  return {
    test: await found("GR", "12.34 56-783"),
    notValid: await found("GR", "099999999"),
    live: await found("GR", " 094 012-834 ", key),
    liveNotValid: await found("FR", "12345678901", key),
    notShared: await found("DE", "123456789", key),
  };
});

describe("Tax-number lookup result", () => {
  // Each has exactly these fields.
  test("every field of a valid number", () => {
    expect(samples.live).toEqual({
      object: "tax_id_lookup",
      country: "GR",
      code: "094012834",
      valid: true,
      name: "ΑΛΦΑ ΑΕ||ΑΛΦΑ",
      address: "ΟΔΟΣ 1 10431 ΑΘΗΝΑ",
      source: "eu_registry",
      checked_at: expect.stringMatching(/^2026-11-21T09:00:00\.\d{3}Z$/),
    });
  });

  test("the fields of the others", () => {
    const { test: sandbox, notValid, live, liveNotValid, notShared } = samples;
    for (const result of Object.values(samples)) expect(Object.keys(result)).toEqual(Object.keys(live));
    expect(sandbox).toMatchObject({ code: "123456783", valid: true, source: "sandbox" });
    expect(notValid).toMatchObject({ valid: false, name: null });
    expect(liveNotValid).toMatchObject({ valid: false, name: null, address: null });
    expect(notShared).toMatchObject({ country: "DE", name: null, address: null });
  });
});

describe("GET /api/v1/tax_ids/lookup", () => {
  test("country and code are required, code has up to 60 characters, and nothing else is accepted", async () => {
    for (const [query, path] of [
      ["code=123456783", "country"],
      ["country=GR", "code"],
      ["country=GR&code=", "code"],
      [`country=GR&code=123456783${".".repeat(52)}`, "code"],
      ["country=GR&code=123456783&colour=red", "colour"],
    ]) {
      const { status, body } = await server.get(`${LOOKUP}?${query}`);
      expect([status, body.message]).toEqual([400, expect.stringMatching(`^${path}: `)]);
    }
    expect((await found("GR", `123456783${".".repeat(51)}`)).code).toBe("123456783");
    expect((await found("IE", "1234567-wa")).code).toBe("1234567WA");
  });

  test.each([
    ["GR", "1", "1", false],
    ["GR", "el 123456783", "EL123456783", false],
    ["FR", "é/9", "É/9", true],
  ])("a test key gets an answer about %s %s, whatever its form", async (country, code, normalised, valid) => {
    expect(await found(country, code)).toMatchObject({ code: normalised, valid, source: "sandbox" });
  });

  test.each([
    ["the EU registry", "SERVICE_UNAVAILABLE", "12345678901"],
    ["the member state's registry", "MS_UNAVAILABLE", "12345678902"],
  ])(
    "%s is unavailable: 503 service_unavailable, retryable, and never a negative result",
    async (_whose, code, number) => {
      vies.next({ kind: "error", code });
      const { status, body } = await look("IT", number, server.liveKey);
      expect([status, body.code, body.retryable]).toEqual([503, "service_unavailable", true]);
      expect((await found("IT", number, server.liveKey)).valid).toBe(false);
      expectError(await look("GR", "876543210"), 503, "service_unavailable");
    },
  );

  test("429 with the lookup limit's headers once too many were sent to the registry", async () => {
    const env = { ...registry(), FISCAL_RATE_LIMIT__LOOKUPS: "2" };
    await using small = await closing(openSpecServer({ env }));
    const ask = (code: string, key = small.liveKey) =>
      small.get(`${LOOKUP}?country=PT&code=${code}`, { key });
    expect((await ask("100000001")).status).toBe(200);
    // Neither cached answers, nor those of the sandbox, nor invalid input are counted.
    for (let count = 0; count < 3; count += 1) {
      expect((await ask("100000001")).status).toBe(200);
      expect((await ask(`10000${count}`, small.testKey)).status).toBe(200);
      expect((await ask("x")).status).toBe(400);
    }
    expect((await ask("100000002")).headers.get("ratelimit-limit")).toBe("2");
    const { status, body, headers } = await ask("100000003");
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "60"]);
    expect((await ask("100000001")).status).toBe(200);
  });
});
