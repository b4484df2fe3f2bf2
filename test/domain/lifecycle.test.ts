import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  decideRescue,
} from "../../src/domain/decide-after-call.ts";
import {
  type Decision,
  type DeliveryPolicy,
  type DeliveryState,
  pollDelayMs,
  retryDelayMs,
} from "../../src/domain/decision.ts";
import { canMove, DOCUMENT_MOVES } from "../../src/domain/lifecycle.ts";
import type { QueryConditions } from "../../src/domain/adjust-outcomes.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { IssueOutcome, ReconcileOutcome, StatusOutcome } from "../../src/domain/provider-adapter.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const PHASES = Object.keys(DOCUMENT_MOVES) as DocumentPhase[];

/** Without jitter. Three queries over two minutes confirm an absence. */
const POLICY: DeliveryPolicy = {
  delaysSeconds: [0, 10, 60, 300],
  settle: { askings: 3, seconds: 120 },
  random: () => 0.5,
  nowMs: NOW,
};
/** The usual case: the account that sent the document queries it. */
const OWN_SEND: QueryConditions = {
  isOtherAccount: false,
  isUnsent: false,
  hasUnfoundSend: false,
  numbering: "ours",
};
const FIRST: DeliveryState = { attempts: 1, polls: 0, absences: 0, stageSinceMs: null };

const REFUSED = buildErrorObject("provider_rejected", sameInBoth("Refused"), {
  provider_code: "203",
  provider_message: "Sums",
});
const TROUBLE = buildErrorObject("provider_unavailable", sameInBoth("No answer"), {
  provider_code: "E1",
  provider_message: "Busy",
});
const UID = "93AFC870579B7E2E608F93AEAF6970C6389F5E55";
const MARK = "400001234567890";
const ISSUED = { kind: "issued", mark: MARK, uid: UID, qrUrl: "https://example.com/q" } as const;
const ACCEPTED = { kind: "accepted", providerRef: "ref-1", uid: UID, qrUrl: null } as const;
const REJECTED = { kind: "rejected", error: REFUSED } as const;
const NO_ACCOUNT = { kind: "credentials_refused", error: TROUBLE } as const;
const NOT_SENT = { kind: "not_sent", error: TROUBLE } as const;
const UNKNOWN = { kind: "unknown", error: TROUBLE } as const;
const TAKEN = { kind: "number_taken", error: REFUSED } as const;
const ABSENT = { kind: "absent" } as const;

function inMs(seconds: number): number {
  return NOW + seconds * 1000;
}

/** docs/contract.md#stages */

test("only the moves of the contract are allowed", () => {
  const allowed = [
    ...["submitting"].map((to) => `queued → ${to}`),
    ...["issued", "awaiting_mark", "rejected", "queued", "reconciling", "failed"].map(
      (to) => `submitting → ${to}`,
    ),
    ...["issued", "rejected", "reconciling"].map((to) => `awaiting_mark → ${to}`),
    ...["issued", "awaiting_mark", "rejected", "queued", "failed"].map((to) => `reconciling → ${to}`),
    "failed → queued",
  ];
  const found = PHASES.flatMap((from) =>
    PHASES.filter((to) => canMove(from, to)).map((to) => `${from} → ${to}`),
  );
  expect(found.toSorted()).toEqual(allowed.toSorted());
});

/** What holds for every decision (its event, its number, whether it has a MARK) is tested in `lifecycle-space.test.ts`. */
describe("a document after a send", () => {
  test.each<[name: string, outcome: IssueOutcome, decision: Partial<Decision>]>([
    [
      "issued",
      ISSUED,
      { phase: "issued", call: "ok", mark: MARK, registration: { uid: UID, qrUrl: "https://example.com/q" } },
    ],
    ["accepted", ACCEPTED, { phase: "awaiting_mark", call: "ok", nextAtMs: NOW, providerRef: "ref-1" }],
    ["rejected", REJECTED, { phase: "rejected", call: "rejected", error: REFUSED }],
    ["account refused", NO_ACCOUNT, { phase: "queued", call: "rejected", nextAtMs: null }],
    ["not sent", NOT_SENT, { phase: "queued", call: "transient", error: TROUBLE, nextAtMs: inMs(10) }],
    ["unknown", UNKNOWN, { phase: "reconciling", call: "unknown", error: TROUBLE, nextAtMs: inMs(2) }],
    ["number taken", TAKEN, { phase: "queued", call: "rejected", nextAtMs: NOW }],
  ])("%s", (_name, outcome, decision) => {
    expect(decideAfterSend(FIRST, outcome, POLICY)).toMatchObject(decision);
  });

  test.each([
    [1, 10],
    [2, 60],
    [3, 300],
  ])("is sent again after attempt %d was not sent, in %d s", (attempts, seconds) => {
    const decision = decideAfterSend({ ...FIRST, attempts }, NOT_SENT, POLICY);
    expect(decision).toMatchObject({ phase: "queued", nextAtMs: inMs(seconds) });
  });

  test("fails after the last attempt, with the provider's own message, and keeps its number", () => {
    const decision = decideAfterSend({ ...FIRST, attempts: 4 }, NOT_SENT, POLICY);
    expect(decision).toMatchObject({ phase: "failed", call: "transient", number: "keep" });
    expect(decision.error).toEqual({
      code: "provider_unavailable",
      message:
        "The provider could not be reached (tried 4 times); retry the document when it is available again",
      message_el: expect.stringContaining("4 προσπάθειες"),
      provider_code: "E1",
      provider_message: "Busy",
      retryable: true,
    });
  });

  test.each([1, 4])("is due again at once, and keeps attempt %d, if it was not even tried", (attempts) => {
    const untried = { ...NOT_SENT, isUntried: true };
    expect(decideAfterSend({ ...FIRST, attempts }, untried, POLICY)).toMatchObject({
      phase: "queued",
      nextAtMs: NOW,
      refundsAttempt: true,
    });
  });

  test.each([
    [5, 10],
    [30, 30],
    [86_400, 3600],
  ])(
    "waits as long as the provider requests, up to an hour: %d s requested, %d s waited",
    (requested, waited) => {
      const outcome = { ...NOT_SENT, retryAfterMs: requested * 1000 };
      expect(decideAfterSend(FIRST, outcome, POLICY).nextAtMs).toBe(inMs(waited));
    },
  );
});

describe("a document in awaiting_mark", () => {
  const state: DeliveryState = { attempts: 1, polls: 3, absences: 0, stageSinceMs: NOW - 14_000 };
  test.each<[name: string, outcome: StatusOutcome, decision: Partial<Decision>]>([
    ["issued", ISSUED, { phase: "issued", mark: MARK }],
    ["rejected", REJECTED, { phase: "rejected", error: REFUSED }],
    ["not ready", ACCEPTED, { phase: "awaiting_mark", call: "ok", polls: 4, nextAtMs: inMs(16) }],
    ["query not sent", NOT_SENT, { phase: "awaiting_mark", call: "transient", polls: 4, nextAtMs: inMs(16) }],
    ["no answer", UNKNOWN, { phase: "awaiting_mark", call: "unknown", polls: 4, nextAtMs: inMs(16) }],
    ["account refused", NO_ACCOUNT, { phase: "awaiting_mark", polls: 4, nextAtMs: inMs(16) }],
  ])("%s", (_name, outcome, decision) => {
    expect(decideAfterStatus(state, outcome, POLICY)).toMatchObject(decision);
  });

  test("is polled after 2 s, doubling to 60 s, indefinitely", () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 100, 5000].map((polls) => {
      const decision = decideAfterStatus({ ...state, polls }, ACCEPTED, POLICY);
      return ((decision.nextAtMs ?? 0) - NOW) / 1000;
    });
    expect(pauses).toEqual([2, 4, 8, 16, 32, 60, 60, 60, 60]);
  });
});

// docs/contract.md#highest-mark-wins
describe("a document that was sent again and whose listed MARKs are all cancelled", () => {
  const cancelled = { ...ISSUED, cancellationMark: "77" };
  const conditions = { ...OWN_SEND, hasUnfoundSend: true };

  test("is looked up again, because another MARK may have replaced them", () => {
    const state = { attempts: 2, polls: 1, absences: 0, stageSinceMs: NOW - 6000 };
    expect(decideAfterReconcile(state, cancelled, conditions, POLICY)).toMatchObject({
      phase: "reconciling",
      absences: 1,
      nextAtMs: inMs(4),
    });
  });

  test("is issued and cancelled once no other MARK has been listed for long enough", () => {
    const state = { attempts: 2, polls: 5, absences: 2, stageSinceMs: NOW - 120_000 };
    expect(decideAfterReconcile(state, cancelled, conditions, POLICY)).toMatchObject({
      phase: "issued",
      cancellationMark: "77",
    });
  });
});

describe("a document in reconciling", () => {
  const state: DeliveryState = { attempts: 1, polls: 1, absences: 0, stageSinceMs: NOW - 6000 };
  test.each<[name: string, outcome: ReconcileOutcome, decision: Partial<Decision>]>([
    ["issued", { ...ISSUED, surplusMarks: ["42"] }, { phase: "issued", mark: MARK, surplusMarks: ["42"] }],
    ["accepted", ACCEPTED, { phase: "awaiting_mark", nextAtMs: NOW, polls: 0, providerRef: "ref-1" }],
    ["rejected", REJECTED, { phase: "rejected", error: REFUSED }],
    ["number taken", TAKEN, { phase: "queued", number: "pass", nextAtMs: NOW }],
    ["query not sent", NOT_SENT, { phase: "reconciling", call: "transient", polls: 2, nextAtMs: inMs(4) }],
    ["no answer", UNKNOWN, { phase: "reconciling", call: "unknown", polls: 2, nextAtMs: inMs(4) }],
    ["account refused", NO_ACCOUNT, { phase: "reconciling", polls: 2, nextAtMs: inMs(4) }],
    ["absent", ABSENT, { phase: "reconciling", call: "ok", polls: 2, absences: 1, nextAtMs: inMs(4) }],
  ])("%s", (_name, outcome, decision) => {
    expect(decideAfterReconcile(state, outcome, OWN_SEND, POLICY)).toMatchObject(decision);
  });

  test.each<[name: string, absences: number, seconds: number, attempts: number, phase: DocumentPhase]>([
    ["queried often enough, but for too short a time", 2, 119, 1, "reconciling"],
    ["queried for long enough, but too rarely", 1, 600, 1, "reconciling"],
    ["queried often and long enough", 2, 120, 1, "queued"],
    ["with one attempt left", 5, 3600, 3, "queued"],
    ["with no attempt left", 2, 120, 4, "failed"],
    ["with no attempt left, too early", 2, 119, 4, "reconciling"],
  ])("%s: %d absences before, %d s, %d attempts", (_name, absences, seconds, attempts, phase) => {
    const queried = { attempts, polls: absences, absences, stageSinceMs: NOW - seconds * 1000 };
    const decision = decideAfterReconcile(queried, ABSENT, OWN_SEND, POLICY);
    expect(decision).toMatchObject({ phase, call: "ok", number: "keep" });
    expect(decision.error?.code).toBe(phase === "failed" ? "provider_unavailable" : undefined);
  });

  test("keeps the count of absences when a query fails", () => {
    const queried = { attempts: 1, polls: 5, absences: 2, stageSinceMs: NOW - 600_000 };
    for (const outcome of [UNKNOWN, NOT_SENT, NO_ACCOUNT]) {
      expect(decideAfterReconcile(queried, outcome, OWN_SEND, POLICY)).toMatchObject({
        phase: "reconciling",
        absences: 2,
      });
    }
  });
});

test.each<[DocumentPhase, phase: DocumentPhase, seconds: number]>([
  ["submitting", "reconciling", 2],
  ["awaiting_mark", "awaiting_mark", 0],
  ["reconciling", "reconciling", 2],
])("a rescued claim in %s moves to %s", (from, phase, seconds) => {
  const decided = { phase, event: null, number: "keep", nextAtMs: inMs(seconds), mark: null };
  expect(decideRescue(from, NOW, () => 0.5)).toMatchObject(decided);
});

test("delays vary by a tenth, to spread the documents of one outage", () => {
  fc.assert(
    fc.property(
      fc.nat(50),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (polls, random) => {
        const middle = Math.min(60_000, 2000 * 2 ** polls);
        const pause = pollDelayMs(polls, () => random);
        expect(Math.abs(pause - middle)).toBeLessThanOrEqual(middle / 10 + 1);
      },
    ),
  );
  expect(retryDelayMs(1, { ...POLICY, random: () => 0 })).toBe(9000);
  expect(retryDelayMs(4, POLICY)).toBeUndefined();
});
