import { beforeEach, expect, test } from "vitest";
import { createClock } from "../../src/foundation/clock.ts";
import type { LookupCountry } from "../../src/domain/tax-number.ts";
import type { RegistryAnswer } from "../../src/tax-ids/eu-registry.ts";
import { createGate } from "../../src/tax-ids/lookup-gate.ts";

const FAILED: RegistryAnswer = { kind: "no_answer", reason: "unavailable", code: "MS_UNAVAILABLE" };
const WORKED: RegistryAnswer = { kind: "found", finding: { valid: true, name: null, address: null } };
const ABOUT_NUMBER: RegistryAnswer = { kind: "invalid_input" };

const ignore = () => undefined;
const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

let nowMs: number;
let gate: ReturnType<typeof createGate>;
beforeEach(() => {
  nowMs = 1_700_000_000_000;
  gate = createGate({ clock: createClock(() => nowMs), log });
});

/** The seconds to wait; 0 for a query that was admitted, which gets `answer`. */
function ask(answer: RegistryAnswer, country: LookupCountry = "DE"): number {
  try {
    gate.enter(country)(answer);
    return 0;
  } catch (error) {
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

function fail(times: number): void {
  for (let failure = 0; failure < times; failure += 1) expect(ask(FAILED)).toBe(0);
}

test("five failures in a row stop the queries about a country for 30 seconds", () => {
  fail(5);
  expect(ask(WORKED)).toBe(30);
  expect(ask(WORKED, "FR")).toBe(0);
  nowMs += 29_999;
  expect(ask(WORKED)).toBe(1);
  nowMs += 1;
  expect(ask(WORKED)).toBe(0);
  fail(4);
});

test("an answer starts the count again, and one about a number alone changes nothing", () => {
  fail(4);
  expect(ask(WORKED)).toBe(0);
  fail(4);
  for (let time = 0; time < 9; time += 1) expect(ask(ABOUT_NUMBER)).toBe(0);
  fail(1);
  expect(ask(WORKED)).toBe(30);
});

test("a single probe is sent, and its answer ends the pause", () => {
  fail(5);
  nowMs += 30_000;
  const leave = gate.enter("DE");
  expect(ask(WORKED)).toBe(2);
  leave(WORKED);
  fail(4);
});

test("each failed probe doubles the pause, up to five minutes", () => {
  fail(5);
  const waits: number[] = [];
  for (let round = 0; round < 6; round += 1) {
    const seconds = ask(FAILED);
    waits.push(seconds);
    nowMs += seconds * 1000;
    fail(1);
  }
  expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
});

test("a probe that shows nothing is followed by another one at once", () => {
  fail(5);
  nowMs += 30_000;
  expect(ask(ABOUT_NUMBER)).toBe(0);
  expect(ask(WORKED)).toBe(0);
});

test("of queries that were sent before the pause, failures change nothing and answers end it", () => {
  const [failing, working] = [gate.enter("DE"), gate.enter("DE")];
  fail(5);
  failing(FAILED);
  expect(ask(WORKED)).toBe(30);
  working(WORKED);
  expect(ask(WORKED)).toBe(0);
});

test("a clock that was set back ends the pause", () => {
  fail(5);
  nowMs -= 3_600_000;
  expect(ask(WORKED)).toBe(0);
});
