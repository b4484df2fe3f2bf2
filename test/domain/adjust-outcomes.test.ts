/** The rules that change a reported outcome before the decision, as tables over every combination of their inputs. */
import { describe, expect, test } from "vitest";
import { decideAfterReconcile, decideAfterSend } from "../../src/domain/decide-after-call.ts";
import {
  adapterFailed,
  contactFrom,
  credentialsMissing,
  isDecidableAlone,
  limitSupplierRefusals,
  reinterpretReconciliation,
} from "../../src/domain/adjust-outcomes.ts";
import type { IssueOutcome, ReconcileOutcome } from "../../src/domain/provider-adapter.ts";
import { buildErrorObject } from "../../src/foundation/errors.ts";
import { sameInBoth } from "../../src/foundation/text.ts";

const NOW = Date.parse("2026-11-21T10:00:00.000Z");
const POLICY = {
  delaysSeconds: [0, 10],
  settle: { askings: 1, seconds: 0 },
  random: () => 0.5,
  nowMs: NOW,
};
const STATE = { attempts: 1, polls: 0, absences: 0, stageSinceMs: NOW };
const ERROR = buildErrorObject("provider_unavailable", sameInBoth("No answer"));
const REFUSED = buildErrorObject("provider_credentials_invalid", sameInBoth("Refused"), {
  provider_code: "105",
  provider_message: "VAT number not allowed",
  provider_raw: { code: 105 },
});
const REGISTRATION = { uid: null, qrUrl: null };

const ISSUED: IssueOutcome = { kind: "issued", mark: "42", ...REGISTRATION };
const ACCEPTED: IssueOutcome = { kind: "accepted", providerRef: "1", ...REGISTRATION };
const REJECTED: IssueOutcome = { kind: "rejected", error: ERROR };
const NO_ACCOUNT: IssueOutcome = { kind: "credentials_refused", error: REFUSED };
const NO_SUPPLIER: IssueOutcome = { ...NO_ACCOUNT, isAboutSupplier: true };
const NOT_SENT: IssueOutcome = { kind: "not_sent", error: ERROR };
const UNKNOWN: IssueOutcome = { kind: "unknown", error: ERROR };
const TAKEN: IssueOutcome = { kind: "number_taken", error: ERROR };
const SENDS = [ISSUED, ACCEPTED, REJECTED, NO_ACCOUNT, NO_SUPPLIER, NOT_SENT, UNKNOWN, TAKEN];

const ABSENT: ReconcileOutcome = { kind: "absent" };
const FOREIGN: ReconcileOutcome = { ...UNKNOWN, numberOfAnother: true, markOfAnother: "7" };
const RECONCILIATIONS: [name: string, outcome: ReconcileOutcome][] = [
  ["issued", ISSUED],
  ["accepted", ACCEPTED],
  ["rejected", REJECTED],
  ["credentials_refused", NO_ACCOUNT],
  ["not_sent", NOT_SENT],
  ["unknown", UNKNOWN],
  ["another document's number", FOREIGN],
  ["number_taken", TAKEN],
  ["absent", ABSENT],
];
const BOTH = [false, true];

describe("the answer to a reconciliation", () => {
  const cases = RECONCILIATIONS.flatMap(([name, outcome]) =>
    (["ours", "provider"] as const).flatMap((numbering) =>
      BOTH.flatMap((isOtherAccount) =>
        BOTH.map((isUnsent) => ({
          name,
          outcome,
          conditions: { numbering, isOtherAccount, isUnsent, hasUnfoundSend: false },
        })),
      ),
    ),
  );

  test.each(cases)("$name with $conditions", ({ outcome, conditions }) => {
    const changed = reinterpretReconciliation(outcome, conditions);
    const isForeign = outcome === FOREIGN && conditions.isUnsent && conditions.numbering === "ours";
    const isUnproven = outcome === ABSENT && conditions.isOtherAccount && conditions.numbering === "provider";
    if (isForeign) expect(changed).toEqual({ kind: "number_taken", error: ERROR, markOfAnother: "7" });
    else if (isUnproven) expect(changed).toMatchObject({ kind: "unknown", error: { retryable: true } });
    else expect(changed).toBe(outcome);
  });

  test("is reinterpreted before the decision", () => {
    const conditions = {
      numbering: "provider" as const,
      isOtherAccount: true,
      isUnsent: false,
      hasUnfoundSend: false,
    };
    expect(decideAfterReconcile(STATE, ABSENT, conditions, POLICY).phase).toBe("reconciling");
    expect(decideAfterReconcile(STATE, ABSENT, { ...conditions, isOtherAccount: false }, POLICY).phase).toBe(
      "queued",
    );
  });
});

describe("the refusal of one document's supplier", () => {
  const OWN = "123456783";
  const OTHER = "094012834";
  const THIRD = "090000045";

  /** Every combination of the document's supplier, and the suppliers that the account issues for, now or before. */
  const cases = [OWN, OTHER].flatMap((supplier) =>
    [[], [OWN], [OTHER], [THIRD], [OWN, OTHER]].flatMap((before) =>
      [undefined, OWN, OTHER, THIRD].flatMap((now) =>
        SENDS.map((outcome) => {
          const known = now === undefined ? before : [...before, now];
          const ofSupplier = outcome === NO_SUPPLIER;
          const isLimited = ofSupplier && supplier !== OWN && known.some((other) => other !== supplier);
          return { supplier, before, now, outcome, isLimited };
        }),
      ),
    ),
  );

  test("rejects the document alone only if it is not the merchant's own and the account issues for another", () => {
    for (const { supplier, before, now, outcome, isLimited } of cases) {
      const beside = now === undefined ? [] : [{ supplier: now, outcome: ISSUED }];
      const account = { merchantTaxId: OWN, issuedSuppliers: before };
      const [first, ...rest] = limitSupplierRefusals([{ supplier, outcome }, ...beside], account);
      if (isLimited) {
        expect(first).toMatchObject({
          kind: "rejected",
          error: { code: "provider_rejected", provider_code: "105", provider_raw: { code: 105 } },
        });
        expect(decideAfterSend(STATE, first!, POLICY).invalidatesConnection).toBe(false);
      } else expect(first).toBe(outcome);
      expect(rest).toEqual(beside.map((other) => other.outcome));
    }
  });

  test.each([null, undefined])(
    "treats every supplier as another one if the merchant's number is %s",
    (merchantTaxId) => {
      const sent = [{ supplier: OWN, outcome: NO_SUPPLIER }];
      const [refused] = limitSupplierRefusals(sent, { merchantTaxId, issuedSuppliers: [OTHER] });
      expect(refused!.kind).toBe("rejected");
    },
  );

  test("is the only refusal that waits for the rest of its batch", () => {
    expect(SENDS.filter((outcome) => !isDecidableAlone(outcome))).toEqual([NO_ACCOUNT, NO_SUPPLIER]);
  });
});

test("an adapter that fails leaves the document to be reconciled", () => {
  expect(decideAfterSend(STATE, adapterFailed(), POLICY).phase).toBe("reconciling");
});

test("missing credentials invalidate the connection without losing an attempt", () => {
  expect(decideAfterSend(STATE, credentialsMissing(), POLICY)).toMatchObject({
    phase: "queued",
    invalidatesConnection: true,
    refundsAttempt: true,
  });
});

describe("contact with the provider", () => {
  const SILENT = new Set(["not_sent", "unknown"]);
  test.each(SENDS.flatMap((outcome) => BOTH.map((hadResponse) => ({ outcome, hadResponse }))))(
    "$outcome.kind, response received: $hadResponse",
    ({ outcome, hadResponse }) => {
      expect(contactFrom([outcome], hadResponse)).toEqual({
        isAnswered: hadResponse || !SILENT.has(outcome.kind),
        retryAfterMs: undefined,
      });
    },
  );

  test("was made if any document of the batch has an answer; the longest requested pause counts", () => {
    const paused = [
      { ...NOT_SENT, retryAfterMs: 1000 },
      { ...UNKNOWN, retryAfterMs: 3000 },
      { ...NOT_SENT, retryAfterMs: 2000 },
    ];
    expect(contactFrom(paused, false)).toEqual({ isAnswered: false, retryAfterMs: 3000 });
    expect(contactFrom([...paused, ISSUED], false)).toEqual({ isAnswered: true, retryAfterMs: 3000 });
  });
});
