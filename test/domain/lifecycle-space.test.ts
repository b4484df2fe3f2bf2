/** What holds of every decision, whatever the standing of the document and the outcome: decisions 6 and 7. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  canMove,
  type Decision,
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  decideRescue,
  isFinal,
  type Policy,
  type Standing,
} from "../../src/domain/lifecycle.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import type { IssueOutcome, ReconcileOutcome, StatusOutcome } from "../../src/domain/provider-adapter.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const HOUR_MS = 3_600_000;
const error = fc.constant(buildErrorObject("provider_unavailable", "Trouble"));
const registration = {
  uid: fc.constantFrom(null, "A".repeat(40)),
  qrUrl: fc.constantFrom(null, "https://example.com"),
};
const pause = fc.record({ retryAfterMs: fc.nat(10 * HOUR_MS) });
const surplus = fc.record({ surplusMarks: fc.array(fc.constant("43"), { maxLength: 2 }) });

const issued = fc.record({ kind: fc.constant("issued" as const), mark: fc.constant("42"), ...registration });
const accepted = fc.record({
  kind: fc.constant("accepted" as const),
  providerRef: fc.string(),
  ...registration,
});
const rejected = fc.record({ kind: fc.constant("rejected" as const), error });
const refused = fc.record({ kind: fc.constant("credentials_refused" as const), error });
const taken = fc.record({ kind: fc.constant("number_taken" as const), error });
const absent = fc.record({ kind: fc.constant("absent" as const) });
const notSent = fc.record({ kind: fc.constant("not_sent" as const), error });
const unknown = fc.record({ kind: fc.constant("unknown" as const), error });
const delayed = fc
  .tuple(fc.oneof(notSent, unknown), pause)
  .map(([outcome, asked]) => ({ ...outcome, ...asked }));
const found = fc.tuple(issued, surplus).map(([outcome, more]) => ({ ...outcome, ...more }));

const afterSend: fc.Arbitrary<IssueOutcome> = fc.oneof(
  issued,
  accepted,
  rejected,
  refused,
  taken,
  notSent,
  unknown,
  delayed,
);
const afterStatus: fc.Arbitrary<StatusOutcome> = fc.oneof(
  issued,
  accepted,
  rejected,
  refused,
  notSent,
  unknown,
  delayed,
);
const afterReconcile: fc.Arbitrary<ReconcileOutcome> = fc.oneof(
  issued,
  found,
  accepted,
  rejected,
  refused,
  taken,
  absent,
  notSent,
  unknown,
  delayed,
);

const standings: fc.Arbitrary<Standing> = fc.record({
  attempts: fc.integer({ min: 1, max: 8 }),
  polls: fc.nat(200),
  absences: fc.nat(20),
  stageSinceMs: fc.option(fc.integer({ min: NOW - 48 * HOUR_MS, max: NOW })),
});
const policies: fc.Arbitrary<Policy> = fc.record({
  delaysSeconds: fc.array(fc.nat(600), { minLength: 1, maxLength: 6 }),
  settle: fc.record({ askings: fc.integer({ min: 1, max: 5 }), seconds: fc.nat(600) }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map((drawn) => () => drawn),
});

interface Decided {
  from: DocumentPhase;
  outcome: { kind: string };
  standing: Standing;
  policy: Policy;
  decision: Decision;
}

/** The ways to a decision about documents in `from`. */
function ways<Outcome extends { kind: string }>(
  from: DocumentPhase,
  outcomes: fc.Arbitrary<Outcome>,
  decide: (standing: Standing, outcome: Outcome, policy: Policy, nowMs: number) => Decision,
): fc.Arbitrary<Decided> {
  return fc.tuple(standings, policies, outcomes).map(([standing, policy, outcome]) => {
    return { from, outcome, standing, policy, decision: decide(standing, outcome, policy, NOW) };
  });
}

const decided: fc.Arbitrary<Decided> = fc.oneof(
  ways("submitting", afterSend, decideAfterSend),
  ways("awaiting_mark", afterStatus, decideAfterStatus),
  ways("reconciling", afterReconcile, decideAfterReconcile),
);

function always(check: (decided: Decided) => void): void {
  fc.assert(fc.property(decided, check), { numRuns: 2000 });
}

describe("every decision", () => {
  test("stays, or goes along a move", () => {
    always(({ from, decision }) => {
      expect(decision.phase === from || canMove(from, decision.phase)).toBe(true);
      // A worker holds what is being sent: nothing stays there.
      expect(decision.phase).not.toBe("submitting");
    });
  });

  test("tells an event exactly where it ends the document, and it is that of the end", () => {
    always(({ decision }) => {
      expect(decision.event).toBe(isFinal(decision.phase) ? `document.${decision.phase}` : null);
    });
  });

  test("gives a MARK exactly to what is issued, and an error to what was refused or failed", () => {
    always(({ decision }) => {
      expect(decision.mark !== null).toBe(decision.phase === "issued");
      if (decision.phase === "rejected" || decision.phase === "failed") expect(decision.error).not.toBeNull();
      if (decision.phase === "issued") expect(decision.error).toBeNull();
    });
  });

  test("never looks again at what has ended, and always at what has not, unless its connection must come first", () => {
    always(({ decision, outcome }) => {
      const waitsForConnection = outcome.kind === "credentials_refused" && decision.phase === "queued";
      if (isFinal(decision.phase) || waitsForConnection) expect(decision.nextAtMs).toBeNull();
      else expect(decision.nextAtMs).toBeGreaterThanOrEqual(NOW);
      expect((decision.nextAtMs ?? NOW) - NOW).toBeLessThanOrEqual(HOUR_MS);
    });
  });

  test("releases a number only of what was refused, and passes over it only where another has it", () => {
    always(({ decision, outcome }) => {
      const fate =
        decision.phase === "rejected" ? "release" : outcome.kind === "number_taken" ? "pass" : "keep";
      expect(decision.number).toBe(fate);
    });
  });

  test("fails only what was certainly not sent, or certainly is not there, and only after the last attempt", () => {
    always(({ decision, outcome, standing: stood, policy: { delaysSeconds, settle } }) => {
      if (decision.phase !== "failed") return;
      expect(["not_sent", "absent"]).toContain(outcome.kind);
      expect(stood.attempts).toBeGreaterThanOrEqual(delaysSeconds.length);
      if (outcome.kind !== "absent") return;
      expect(stood.absences + 1).toBeGreaterThanOrEqual(settle.askings);
      expect(NOW - (stood.stageSinceMs ?? NOW)).toBeGreaterThanOrEqual(settle.seconds * 1000);
    });
  });

  test("sends nothing again that may have arrived, until it is certain that it has not", () => {
    always(({ from, decision, outcome, standing: stood, policy: { settle } }) => {
      if (decision.phase !== "queued") return;
      expect(outcome.kind).not.toBe("unknown");
      if (from !== "reconciling" || outcome.kind === "number_taken") return;
      expect(outcome.kind).toBe("absent");
      expect(stood.absences + 1).toBeGreaterThanOrEqual(settle.askings);
      expect(NOW - (stood.stageSinceMs ?? NOW)).toBeGreaterThanOrEqual(settle.seconds * 1000);
    });
  });

  test("blames the connection exactly where the account was refused", () => {
    always(({ decision, outcome }) => {
      expect(decision.invalidatesConnection).toBe(outcome.kind === "credentials_refused");
    });
  });
});

test("a rescue ends nothing, and never sends again what had begun", () => {
  const stages = fc.constantFrom<DocumentPhase>("submitting", "awaiting_mark", "reconciling");
  fc.assert(
    fc.property(stages, fc.boolean(), policies, (from, callBegun, rules) => {
      const decision = decideRescue(from, callBegun, rules, NOW);
      expect(decision.phase === from || canMove(from, decision.phase)).toBe(true);
      expect(isFinal(decision.phase)).toBe(false);
      if (callBegun) expect(decision.phase).not.toBe("queued");
      expect(decision.nextAtMs).toBeGreaterThanOrEqual(NOW);
    }),
  );
});
