/** Properties of every decision, for any delivery state, outcome and policy (docs/contract.md#stages). */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  decideRescue,
} from "../../src/domain/decide-after-call.ts";
import type { Decision, DeliveryPolicy, DeliveryState } from "../../src/domain/decision.ts";
import { canMove, isFinal } from "../../src/domain/lifecycle.ts";
import { type QueryConditions, reinterpretReconciliation } from "../../src/domain/adjust-outcomes.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { IssueOutcome, ReconcileOutcome, StatusOutcome } from "../../src/domain/provider-adapter.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const HOUR_MS = 3_600_000;
const error = fc.constant(buildErrorObject("provider_unavailable", sameInBoth("Trouble")));
const registration = {
  uid: fc.constantFrom(null, "A".repeat(40)),
  qrUrl: fc.constantFrom(null, "https://example.com"),
};
const pause = fc.record({ retryAfterMs: fc.nat(10 * HOUR_MS) });
const surplus = fc.record({ surplusMarks: fc.array(fc.constant("43"), { maxLength: 2 }) });

const kind = <K extends string>(name: K) => fc.constant(name);
const withError = <K extends string>(name: K) => fc.record({ kind: kind(name), error });

const issued = fc.record({ kind: kind("issued"), mark: fc.constant("42"), ...registration });
const accepted = fc.record({ kind: kind("accepted"), providerRef: fc.string(), ...registration });
const rejected = withError("rejected");
const refused = withError("credentials_refused");
const taken = withError("number_taken");
const absent = fc.record({ kind: kind("absent") });
const notSent = withError("not_sent");
const unknown = withError("unknown");
const foreignNumber = unknown.map((outcome) => ({ ...outcome, numberOfAnother: true }));
const delayed = fc
  .tuple(fc.oneof(notSent, unknown), pause)
  .map(([outcome, asked]) => ({ ...outcome, ...asked }));
const found = fc.tuple(issued, surplus).map(([outcome, more]) => ({ ...outcome, ...more }));

const anytime = [issued, accepted, rejected, refused, notSent, unknown, delayed] as const;
const afterSend: fc.Arbitrary<IssueOutcome> = fc.oneof(...anytime, taken);
const afterStatus: fc.Arbitrary<StatusOutcome> = fc.oneof(...anytime);
const afterReconcile: fc.Arbitrary<ReconcileOutcome> = fc.oneof(
  ...anytime,
  found,
  taken,
  absent,
  foreignNumber,
);

const states: fc.Arbitrary<DeliveryState> = fc.record({
  attempts: fc.integer({ min: 1, max: 8 }),
  polls: fc.nat(200),
  absences: fc.nat(20),
  stageSinceMs: fc.option(fc.integer({ min: NOW - 48 * HOUR_MS, max: NOW })),
});
const queryConditions: fc.Arbitrary<QueryConditions> = fc.record({
  isOtherAccount: fc.boolean(),
  isUnsent: fc.boolean(),
  hasUnfoundSend: fc.boolean(),
  numbering: fc.constantFrom("ours", "provider"),
});
const policies: fc.Arbitrary<DeliveryPolicy> = fc.record({
  delaysSeconds: fc.array(fc.nat(600), { minLength: 1, maxLength: 6 }),
  settle: fc.record({ askings: fc.integer({ min: 1, max: 5 }), seconds: fc.nat(600) }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((drawn) => () => drawn),
  nowMs: fc.constant(NOW),
});

interface Decided {
  from: DocumentPhase;
  outcome: { kind: string; numberOfAnother?: boolean };
  state: DeliveryState;
  policy: DeliveryPolicy;
  decision: Decision;
}

const afterSends = fc.tuple(states, policies, afterSend).map(([state, policy, outcome]): Decided => {
  const decision = decideAfterSend(state, outcome, policy);
  return { from: "submitting", outcome, state, policy, decision };
});
const afterStatuses = fc.tuple(states, policies, afterStatus).map(([state, policy, outcome]): Decided => {
  const decision = decideAfterStatus(state, outcome, policy);
  return { from: "awaiting_mark", outcome, state, policy, decision };
});
/** `outcome` is the reinterpreted one, from which the decision is made. */
const afterReconciliations = fc
  .tuple(states, policies, afterReconcile, queryConditions)
  .map(([state, policy, reported, conditions]): Decided => {
    const decision = decideAfterReconcile(state, reported, conditions, policy);
    const outcome = reinterpretReconciliation(reported, conditions);
    return { from: "reconciling", outcome, state, policy, decision };
  });
const decided = fc.oneof(afterSends, afterStatuses, afterReconciliations);

/** Whether the document had been absent often and long enough. */
function isAbsenceCertain({ state, policy: { settle } }: Decided): boolean {
  const reconcilingMs = NOW - (state.stageSinceMs ?? NOW);
  return state.absences + 1 >= settle.askings && reconcilingMs >= settle.seconds * 1000;
}

function always(check: (decided: Decided) => void): void {
  fc.assert(fc.property(decided, check), { numRuns: 2000 });
}

describe("every decision", () => {
  test("stays in its phase or makes an allowed move, and never stays in submitting", () => {
    always(({ from, decision }) => {
      expect(decision.phase === from || canMove(from, decision.phase)).toBe(true);
      // Only a MARK of another document moves it there, which is decided separately.
      expect(from === "awaiting_mark" && decision.phase === "reconciling").toBe(false);
      expect(decision.phase).not.toBe("submitting");
    });
  });

  test("has an event exactly if the document becomes final, and it names the final phase", () => {
    always(({ decision }) => {
      expect(decision.event).toBe(isFinal(decision.phase) ? `document.${decision.phase}` : null);
    });
  });

  test("has a MARK exactly if the document is issued, and an error if it is rejected or failed", () => {
    always(({ decision }) => {
      expect(decision.mark !== null).toBe(decision.phase === "issued");
      if (decision.phase === "rejected" || decision.phase === "failed") expect(decision.error).not.toBeNull();
      if (decision.phase === "issued") expect(decision.error).toBeNull();
    });
  });

  test("schedules every document that is not final within an hour, unless it waits for its connection", () => {
    always(({ decision, outcome }) => {
      const waitsForConnection = outcome.kind === "credentials_refused" && decision.phase === "queued";
      if (isFinal(decision.phase) || waitsForConnection) expect(decision.nextAtMs).toBeNull();
      else expect(decision.nextAtMs).toBeGreaterThanOrEqual(NOW);
      expect((decision.nextAtMs ?? NOW) - NOW).toBeLessThanOrEqual(HOUR_MS);
    });
  });

  test("releases the number of a rejected document, and skips a number only if another document has it", () => {
    always((made) => {
      const { decision, outcome } = made;
      const isTaken =
        outcome.kind === "number_taken" || (outcome.numberOfAnother === true && isAbsenceCertain(made));
      expect(decision.number).toBe(decision.phase === "rejected" ? "release" : isTaken ? "pass" : "keep");
    });
  });

  test("fails a document only after the last attempt, and only if it is certainly not registered", () => {
    always((made) => {
      const { decision, outcome, state, policy } = made;
      if (decision.phase !== "failed") return;
      expect(["not_sent", "absent"]).toContain(outcome.kind);
      expect(state.attempts).toBeGreaterThanOrEqual(policy.delaysSeconds.length);
      if (outcome.kind === "absent") expect(isAbsenceCertain(made)).toBe(true);
    });
  });

  test("never repeats a send that may have arrived until the document is confirmed absent", () => {
    always((made) => {
      const { from, decision, outcome } = made;
      if (decision.phase !== "queued") return;
      if (from !== "reconciling") expect(outcome.kind).not.toBe("unknown");
      else if (outcome.kind !== "number_taken") {
        expect(outcome.kind === "absent" || outcome.numberOfAnother === true).toBe(true);
        expect(isAbsenceCertain(made)).toBe(true);
      }
    });
  });

  test("invalidates the connection exactly if the account was refused", () => {
    always(({ decision, outcome }) => {
      expect(decision.invalidatesConnection).toBe(outcome.kind === "credentials_refused");
    });
  });
});

test("a rescue never finalises a document, and never repeats a send", () => {
  const stages = fc.constantFrom<DocumentPhase>("submitting", "awaiting_mark", "reconciling");
  fc.assert(
    fc.property(stages, policies, (from, { random }) => {
      const decision = decideRescue(from, NOW, random);
      expect(decision.phase === from || canMove(from, decision.phase)).toBe(true);
      // Only a MARK of another document moves it there, which is decided separately.
      expect(from === "awaiting_mark" && decision.phase === "reconciling").toBe(false);
      expect(isFinal(decision.phase)).toBe(false);
      expect(decision.phase).not.toBe("queued");
      expect(decision.nextAtMs).toBeGreaterThanOrEqual(NOW);
    }),
  );
});
