/** The fake EU registry notices wrong queries: docs/eu-registry.md#eu-registry. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeVies, startFakeVies } from "../helpers/fake-vies.ts";

let vies: FakeVies;
beforeEach(async () => {
  vies = await startFakeVies();
});
afterEach(() => vies.close());

async function ask(countryCode: string, vatNumber: string, extra: Record<string, unknown>) {
  const response = await fetch(`${vies.url}/check-vat-number`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ countryCode, vatNumber, ...extra }),
  });
  return response.status;
}

describe("fails the test", () => {
  /** Expects the fake to report the problem, and replaces it by a new one. */
  async function expectProblem(problem: string): Promise<void> {
    await expect(vies.close()).rejects.toThrow(problem);
    vies = await startFakeVies();
  }

  test.each([
    ["GR", "123456783", {}, "no such country code"],
    ["GB", "123456783", {}, "no such country code"],
    ["EL", "EL123456783", {}, "the prefix was left"],
    ["EL", "GR123456783", {}, "the prefix was left"],
    ["DE", "123 456", {}, "has not the form"],
    ["DE", "1234567890123", {}, "has not the form"],
    ["DE", "100", { requesterNumber: "123456783" }, "unknown fields: requesterNumber"],
  ])("on %s %s %j", async (countryCode, vatNumber, extra, problem) => {
    expect(await ask(countryCode, vatNumber, extra)).toBe(400);
    await expectProblem(problem);
  });

  test("on an unknown path, a forbidden header or another content type", async () => {
    await fetch(`${vies.url}/ms/DE/vat/100`);
    await expectProblem("there is no GET /rest-api/ms/DE/vat/100 here");
    const json = { "content-type": "application/json" };
    const body = JSON.stringify({ countryCode: "DE", vatNumber: "100" });
    const address = () => `${vies.url}/check-vat-number`;
    await fetch(address(), { method: "POST", headers: { ...json, authorization: "Bearer a" }, body });
    await expectProblem("must not be sent the header authorization");
    await fetch(address(), { method: "POST", body });
    await expectProblem("not said to be JSON");
  });

  test("on a fault that was not used", async () => {
    vies.next({ kind: "cut", at: "start" });
    await expectProblem("nothing met the fault");
  });
});
