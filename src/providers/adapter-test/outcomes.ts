/** Checks the form of outcomes. */
import assert from "node:assert/strict";
import { ERROR_CODES, type ErrorObject } from "../../foundation/errors.ts";

/** 1 to 19 digits, not starting with 0. */
const MARK_FORM = /^[1-9][0-9]{0,18}$/;
const UID_FORM = /^[0-9A-F]{40}$/;

type Outcome = { kind: string } & Readonly<Record<string, unknown>>;

/** Fails unless `outcome` is one of `kinds` and has the members of its kind. */
export function assertOutcome<Kind extends string>(
  outcome: { kind: string },
  kinds: readonly Kind[],
  about: { what: string; numbering: "ours" | "provider" },
): asserts outcome is { kind: Kind } {
  const { what, numbering } = about;
  const { kind } = outcome;
  assert.ok((kinds as readonly string[]).includes(kind), `${what} is ${kind}, not ${kinds.join(" or ")}`);
  const members = outcome as Outcome;
  if (kind === "issued" || kind === "accepted") assertRegistration(members, what);
  if (kind === "issued" && numbering === "provider") assertNumbered(members, what);
  if (kind === "cancelled") assertMark(members["cancellationMark"], `${what}.cancellationMark`);
  if ("error" in members) assertError(members["error"], `${what}.error`);
  const { retryAfterMs = 0 } = members;
  assert.ok(typeof retryAfterMs === "number" && retryAfterMs >= 0, `${what}.retryAfterMs is not a duration`);
}

function assertRegistration(members: Outcome, what: string): void {
  if (members.kind === "issued") assertMark(members["mark"], `${what}.mark`);
  else assertText(members["providerRef"], `${what}.providerRef`);
  const { uid, qrUrl, authenticationCode: code } = members;
  assert.ok(uid === null || (typeof uid === "string" && UID_FORM.test(uid)), `${what}.uid is not a uid`);
  const isLink = typeof qrUrl === "string" && /^https?:/.test(qrUrl) && URL.canParse(qrUrl);
  assert.ok(qrUrl === null || isLink, `${what}.qrUrl is neither null nor an address`);
  if (code !== undefined) assertText(code, `${what}.authenticationCode`);
}

/** The provider's series and number become the document's (docs/contract.md#numbers). */
function assertNumbered({ series, number }: Outcome, what: string): void {
  assertText(series, `${what}.series`);
  assert.ok(Number.isSafeInteger(number) && Number(number) > 0, `${what}.number is not a positive integer`);
}

function assertMark(mark: unknown, what: string): void {
  assert.ok(typeof mark === "string" && MARK_FORM.test(mark), `${what} is not a string of 1 to 19 digits`);
}

function assertText(text: unknown, what: string): void {
  assert.ok(typeof text === "string" && text !== "", `${what} is not a text`);
}

/** The error object of the API (docs/contract.md#error-object). */
export function assertError(error: unknown, what: string): asserts error is ErrorObject {
  assert.ok(typeof error === "object" && error !== null, `${what} is not an error object`);
  const members = error as Readonly<Record<string, unknown>>;
  const { code, retryable } = members;
  const codes: readonly unknown[] = ERROR_CODES;
  assert.ok(codes.includes(code), `${what}.code is not one of the contract's codes`);
  assertText(members["message"], `${what}.message`);
  assert.equal(typeof retryable, "boolean", `${what}.retryable is neither true nor false`);
  for (const name of ["provider_code", "provider_message"]) {
    const words = members[name];
    assert.ok(words === null || typeof words === "string", `${what}.${name} is neither null nor a text`);
  }
}
