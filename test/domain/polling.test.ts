import { describe, expect, test } from "vitest";
import { type Asking, ASKS_AFTER_RESTORE, asksLeftAfter, nextAsking } from "../../src/domain/polling.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";

interface Case {
  name: string;
  before: { phase: DocumentPhase; asking: Asking };
  move: { phase: DocumentPhase; isNumberGivenUp: boolean };
  asking: Asking;
  /** Of three; undefined where the counter learns nothing. */
  asksLeft: number | undefined;
}

const kept = (phase: DocumentPhase) => ({ phase, isNumberGivenUp: false });
const givenUp = (phase: DocumentPhase) => ({ phase, isNumberGivenUp: true });
const first = (phase: DocumentPhase) => ({ phase, asking: "first" as const });

const CASES: Case[] = [
  {
    name: "what was never restored is not asked about",
    before: { phase: "reconciling", asking: null },
    move: kept("queued"),
    asking: null,
    asksLeft: undefined,
  },
  {
    name: "what the provider has not may be sent, and the counter needs one less",
    before: first("reconciling"),
    move: kept("queued"),
    asking: "done",
    asksLeft: 2,
  },
  {
    name: "the same where no attempt is left",
    before: first("reconciling"),
    move: kept("failed"),
    asking: "done",
    asksLeft: 2,
  },
  {
    name: "what the provider has shows that the other appliance came this far",
    before: first("reconciling"),
    move: kept("issued"),
    asking: "first",
    asksLeft: ASKS_AFTER_RESTORE,
  },
  {
    name: "a number of another document is another question for the next one",
    before: first("reconciling"),
    move: givenUp("queued"),
    asking: "first",
    asksLeft: ASKS_AFTER_RESTORE,
  },
  {
    name: "an asking without an answer says nothing",
    before: first("reconciling"),
    move: kept("reconciling"),
    asking: "first",
    asksLeft: undefined,
  },
  {
    name: "what was asked about stays so when its send could not be made",
    before: { phase: "submitting", asking: "done" },
    move: kept("queued"),
    asking: "done",
    asksLeft: undefined,
  },
  {
    name: "what was asked about and gave its number up is asked about again",
    before: { phase: "submitting", asking: "done" },
    move: givenUp("queued"),
    asking: "first",
    asksLeft: undefined,
  },
  {
    name: "what died while it was claimed is still to be asked about",
    before: first("submitting"),
    move: kept("queued"),
    asking: "first",
    asksLeft: undefined,
  },
];

describe("after a restore", () => {
  test.each(CASES)("$name", ({ before, move, asking, asksLeft }) => {
    expect(nextAsking(before, move)).toBe(asking);
    expect(asksLeftAfter(3, before, move)).toBe(asksLeft);
  });

  test("a counter that has nothing left to ask stays so", () => {
    expect(asksLeftAfter(0, first("reconciling"), kept("queued"))).toBe(0);
  });
});
