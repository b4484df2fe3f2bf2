import { expect, test } from "vitest";
import {
  nextPollBeforeSend,
  type PollBeforeSend,
  pollsLeftAfter,
} from "../../src/numbering/poll-after-restore.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";

const RENUMBERED = "queued, with another number";
type To = DocumentPhase | typeof RENUMBERED;

/** `left` are the counter's polls of three; undefined if the move reveals nothing about it. */
test.each<[string, DocumentPhase, PollBeforeSend, To, next: PollBeforeSend, left?: number]>([
  ["that was never restored is not polled", "reconciling", null, "queued", null],
  [
    "that is absent may be sent, and its counter needs a poll less",
    "reconciling",
    "first",
    "queued",
    "done",
    2,
  ],
  ["that is absent and cannot be tried again counts as well", "reconciling", "first", "failed", "done", 2],
  ["that was found restarts the polls of its counter", "reconciling", "first", "issued", "first", 5],
  ["whose number is another's does too, and is polled again", "reconciling", "first", RENUMBERED, "first", 5],
  ["whose query has no answer reveals nothing", "reconciling", "first", "reconciling", "first"],
  ["that was polled is not polled again when its send fails", "submitting", "done", "queued", "done"],
  ["that was polled is polled again under a new number", "submitting", "done", RENUMBERED, "first"],
  ["whose claim died before the poll is still to be polled", "submitting", "first", "queued", "first"],
])("after a restore, a document %s", (_what, from, asking, to, next, left) => {
  const before = { phase: from, asking };
  const isNumberGivenUp = to === RENUMBERED;
  const move = { phase: isNumberGivenUp ? "queued" : to, isNumberGivenUp } as const;
  expect(nextPollBeforeSend(before, move)).toBe(next);
  expect(pollsLeftAfter(3, before, move)).toBe(left);
  if (left === 2) expect(pollsLeftAfter(0, before, move)).toBe(0);
});
