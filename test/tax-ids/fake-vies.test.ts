/** The played registry by itself: it must answer and complain as providers facts D say before it judges the product. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeVies, startFakeVies, TEST_NUMBERS } from "../helpers/fake-vies.ts";

let vies: FakeVies;
beforeEach(async () => {
  vies = await startFakeVies();
});
afterEach(() => vies.close());

async function ask(countryCode: string, vatNumber: string, extra: Record<string, unknown> = {}) {
  const response = await fetch(`${vies.url}/check-vat-number`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ countryCode, vatNumber, ...extra }),
  });
  return { status: response.status, body: await response.json() };
}

test("answers a registered number, one that is not, and the test number of each", async () => {
  vies.register("EL", "123456783", { name: "ΠΑΡΑΔΕΙΓΜΑ", address: "ΟΔΟΣ 1" });
  const { status, body } = await ask("EL", "123456783");
  expect(status).toBe(200);
  expect(body).toMatchObject({ countryCode: "EL", vatNumber: "123456783", valid: true, name: "ΠΑΡΑΔΕΙΓΜΑ" });
  expect((await ask("DE", "123456783")).body).toMatchObject({ valid: false, name: "---", address: "---" });
  expect((await ask("DE", "100")).body).toMatchObject({ valid: true });
  expect((await ask("DE", "200")).body).toMatchObject({ valid: false, name: "---" });
  expect(vies.asked.map(({ vatNumber }) => vatNumber)).toEqual(["123456783", "123456783", "100", "200"]);
});

test.each(Object.entries(TEST_NUMBERS))("the test number %s is %s", async (number, code) => {
  expect((await ask("FR", number)).body).toEqual({ actionSucceed: false, errorWrappers: [{ error: code }] });
});

test("a member state is disturbed until it is no more", async () => {
  vies.disturb("DE", "MS_MAX_CONCURRENT_REQ");
  expect((await ask("DE", "100")).body).toMatchObject({
    errorWrappers: [{ error: "MS_MAX_CONCURRENT_REQ" }],
  });
  expect((await ask("AT", "100")).body).toMatchObject({ valid: true });
  vies.disturb("DE", undefined);
  expect((await ask("DE", "100")).body).toMatchObject({ valid: true });
});

describe("fails the test", () => {
  /** Closes the registry of the test, which must have this problem, and puts a sound one in its place. */
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
    expect((await ask(countryCode, vatNumber, extra)).status).toBe(400);
    await expectProblem(problem);
  });

  test("on another method, path, header or type of content", async () => {
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

  test("on a fault that nothing met", async () => {
    vies.next({ kind: "cut", at: "start" });
    await expectProblem("nothing met the fault");
  });
});
