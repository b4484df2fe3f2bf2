import { describe, expect, test } from "vitest";
import {
  nextPollBeforeSend,
  type PollBeforeSend,
  pollsLeftAfter,
} from "../../src/numbering/poll-after-restore.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";

interface Case {
  name: string;
  before: { phase: DocumentPhase; asking: PollBeforeSend };
  move: { phase: DocumentPhase; isNumberGivenUp: boolean };
  next: PollBeforeSend;
  /** Of three; undefined if the move reveals nothing about the counter. */
  pollsLeft: number | undefined;
}

const keepsNumber = (phase: DocumentPhase) => ({ phase, isNumberGivenUp: false });
const givesUpNumber = (phase: DocumentPhase) => ({ phase, isNumberGivenUp: true });
const first = (phase: DocumentPhase) => ({ phase, asking: "first" as const });

const CASES: Case[] = [
  {
    name: "a document that was never restored is not polled",
    before: { phase: "reconciling", asking: null },
    move: keepsNumber("queued"),
    next: null,
    pollsLeft: undefined,
  },
  {
    name: "an absent document may be sent, and the counter needs one poll less",
    before: first("reconciling"),
    move: keepsNumber("queued"),
    next: "done",
    pollsLeft: 2,
  },
  {
    name: "an absent document without attempts left also counts for the counter",
    before: first("reconciling"),
    move: keepsNumber("failed"),
    next: "done",
    pollsLeft: 2,
  },
  {
    name: "a document that was found restarts the counter's polls",
    before: first("reconciling"),
    move: keepsNumber("issued"),
    next: "first",
    pollsLeft: 5,
  },
  {
    name: "a number of another document restarts the polls, and the next number is polled too",
    before: first("reconciling"),
    move: givesUpNumber("queued"),
    next: "first",
    pollsLeft: 5,
  },
  {
    name: "a query without an answer reveals nothing",
    before: first("reconciling"),
    move: keepsNumber("reconciling"),
    next: "first",
    pollsLeft: undefined,
  },
  {
    name: "a polled document is not polled again when its send fails",
    before: { phase: "submitting", asking: "done" },
    move: keepsNumber("queued"),
    next: "done",
    pollsLeft: undefined,
  },
  {
    name: "a polled document is polled again under a new number",
    before: { phase: "submitting", asking: "done" },
    move: givesUpNumber("queued"),
    next: "first",
    pollsLeft: undefined,
  },
  {
    name: "a document whose claim died before the poll is still to be polled",
    before: first("submitting"),
    move: keepsNumber("queued"),
    next: "first",
    pollsLeft: undefined,
  },
];

describe("after a restore", () => {
  test.each(CASES)("$name", ({ before, move, next, pollsLeft }) => {
    expect(nextPollBeforeSend(before, move)).toBe(next);
    expect(pollsLeftAfter(3, before, move)).toBe(pollsLeft);
  });

  test("a counter with no polls left stays that way", () => {
    expect(pollsLeftAfter(0, first("reconciling"), keepsNumber("queued"))).toBe(0);
  });
});
