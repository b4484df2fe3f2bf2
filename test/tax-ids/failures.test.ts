/** Failures of the registry and the network never mean "not valid", are not cached, and put no number into the log. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "../helpers/fake-vies.ts";
import { openTaxIds } from "./setup.ts";
import { forEachTest } from "../helpers/set-up.ts";

const GERMAN = { country: "DE", code: "129273398" };
const scene = forEachTest(openTaxIds);
beforeEach(async () => {
  scene.vies.register("DE", "129273398", { name: "---", address: "---" });
});

const unavailable = { code: "service_unavailable", retryable: true };

/** The lookup fails as unavailable, and the next one queries the registry again. */
async function expectNoAnswer(): Promise<void> {
  await expect(scene.taxIds.lookup("live", GERMAN)).rejects.toMatchObject(unavailable);
  const before = scene.vies.asked.length;
  expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: true });
  expect(scene.vies.asked).toHaveLength(before + 1);
  expect(scene.bench.logged.join("\n")).not.toContain(GERMAN.code);
}

describe("a fault of the registry", () => {
  /** Of those that `readAnswer` tells apart, one, and those that could put the number into the log. */
  const lasting: [string, Fault][] = [
    ["the member state is down", { kind: "error", code: "MS_UNAVAILABLE" }],
    ["an unknown code", { kind: "error", code: "NEW_CODE_129273398" }],
    ["an HTML page", { kind: "raw", body: "<html>129273398</html>" }],
    [
      "a redirect",
      { kind: "raw", body: "", status: 302, headers: { location: "/rest-api/check-vat-number" } },
    ],
    ["a response that is too large", { kind: "changed", fields: { name: "X".repeat(70_000) } }],
  ];

  test.each(lasting)("%s is not an answer, and is not retried", async (_what, fault) => {
    scene.vies.next(fault);
    await expectNoAnswer();
    expect(scene.vies.asked).toHaveLength(2);
  });

  const momentary: [string, Fault][] = [
    ["overload", { kind: "error", code: "SERVER_BUSY" }],
    ["HTTP 429", { kind: "raw", body: "<html></html>", status: 429 }],
    ["a connection cut before the response", { kind: "cut", at: "start" }],
    ["a connection cut during the response", { kind: "cut", at: "middle" }],
  ];

  test.each(momentary)("%s is retried once", async (_what, fault) => {
    scene.vies.next(fault);
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: true });
    expect(scene.vies.asked).toHaveLength(2);
  });

  test.each(momentary)("%s twice is not an answer", async (_what, fault) => {
    scene.vies.next(fault, fault);
    await expectNoAnswer();
    expect(scene.vies.asked).toHaveLength(3);
  });

  test.each(["IP_BLOCKED", "VAT_BLOCKED"])("%s is logged as a warning", async (code) => {
    scene.vies.next({ kind: "error", code });
    await expectNoAnswer();
    const warnings = scene.bench.logged.filter((line) => line.startsWith("warn:"));
    expect(warnings).toEqual([expect.stringContaining(`"country":"DE","code":"${code}"`)]);
  });
});

describe("a lookup", () => {
  test("fails while the registry is down", async () => {
    await scene.vies.goDown();
    await expect(scene.taxIds.lookup("live", GERMAN)).rejects.toMatchObject(unavailable);
    await scene.vies.comeBack();
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: true });
  });

  test("reconnects if the idle connection was closed", async () => {
    await scene.taxIds.lookup("live", { country: "DE", code: "100" });
    await scene.vies.goDown();
    await scene.vies.comeBack();
    expect(await scene.taxIds.lookup("live", GERMAN)).toMatchObject({ valid: true });
  });

  test("counts the pause before the retry towards the timeout", async () => {
    const hasty = scene.open({ timeoutSeconds: 0.5, retryPauseMs: 60_000 });
    scene.vies.next({ kind: "error", code: "SERVER_BUSY" });
    await expect(hasty.lookup("live", GERMAN)).rejects.toThrow("gave no answer");
    expect(scene.vies.asked).toHaveLength(1);
  });

  test("counts the retry towards the timeout", async () => {
    const hasty = scene.open({ timeoutSeconds: 0.5 });
    scene.vies.next({ kind: "error", code: "SERVER_BUSY" }, { kind: "held" });
    await expect(hasty.lookup("live", GERMAN)).rejects.toMatchObject(unavailable);
    expect(scene.vies.asked).toHaveLength(2);
  });

  test("fails if the server does not speak HTTP", async () => {
    const server = createServer((socket) => socket.end("220 mail.example ESMTP\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(scene.open({ url }).lookup("live", GERMAN)).rejects.toMatchObject(unavailable);
    server.close();
  });

  test("accepts a slash at the end of the address", async () => {
    expect(await scene.open({ url: `${scene.vies.url}/` }).lookup("live", GERMAN)).toMatchObject({
      valid: true,
    });
  });
});

test("a member state that does not answer is not queried for 30 seconds after five failures", async () => {
  const ask = (number: number) =>
    scene.taxIds.lookup("live", { country: "DE", code: String(100_000 + number) });
  const before = await scene.taxIds.lookup("live", GERMAN);
  scene.vies.disturb("DE", "MS_UNAVAILABLE");
  for (let number = 1; number <= 5; number += 1) await expect(ask(number)).rejects.toMatchObject(unavailable);
  await expect(ask(6)).rejects.toMatchObject({ ...unavailable, retryAfterSeconds: 30 });
  scene.bench.advance(20_500);
  await expect(ask(7)).rejects.toMatchObject({ ...unavailable, retryAfterSeconds: 10 });
  expect(scene.vies.asked).toHaveLength(6);
  const warnings = scene.bench.logged.filter((line) => line.startsWith("warn:"));
  expect(warnings).toEqual([expect.stringContaining('{"country":"DE","seconds":30}')]);
  // What is cached is answered meanwhile.
  expect(await scene.taxIds.lookup("live", GERMAN)).toEqual(before);
});
