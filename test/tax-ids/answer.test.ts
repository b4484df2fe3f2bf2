import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LOOKUP_COUNTRIES } from "../../src/domain/tax-number.ts";
import { answerFromSandbox, readAnswer, type RegistryAnswer } from "../../src/tax-ids/eu-registry.ts";
import type { TaxQuestion } from "../../src/tax-ids/question.ts";

const GREEK: TaxQuestion = { country: "GR", code: "123456783" };

/** A response of the registry, with the fields of `changes`. */
function body(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({
    countryCode: "EL",
    vatNumber: "123456783",
    requestDate: "2026-11-21T09:00:00.000Z",
    valid: true,
    requestIdentifier: "",
    name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ||ΠΑΡΑΔΕΙΓΜΑ",
    address: "ΟΔΟΣ 1   10431 - ΑΘΗΝΑ",
    traderName: "---",
    traderNameMatch: "NOT_PROCESSED",
    ...changes,
  });
}

function errors(...codes: unknown[]): string {
  return JSON.stringify({ actionSucceed: false, errorWrappers: codes.map((error) => ({ error })) });
}

function read(text: string, status = 200): RegistryAnswer {
  return readAnswer(GREEK, status, text);
}

const notValid = { kind: "found", finding: { valid: false, name: null, address: null } };

describe("a verdict of the registry", () => {
  test("has the name and address of a valid number, on one line each", () => {
    expect(read(body())).toEqual({
      kind: "found",
      finding: { valid: true, name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ||ΠΑΡΑΔΕΙΓΜΑ", address: "ΟΔΟΣ 1 10431 - ΑΘΗΝΑ" },
    });
  });

  test.each([
    ["VIA ROMA 1 \n00100 ROMA RM\n", "VIA ROMA 1 00100 ROMA RM"],
    ["1 MAIN STREET, DUBLIN 2", "1 MAIN STREET, DUBLIN 2"],
    ["  A\r\n\tB\u00a0\u2028C\u0085D  ", "A B C D"],
    ["---", null],
    ["  ---\n", null],
    ["-----", null],
    ["", null],
    [" \n", null],
    [null, null],
    [undefined, null],
    [17, null],
    ["--- 1", "--- 1"],
    ["-", "-"],
  ])("shows the address %j as %j", (address, line) => {
    expect(read(body({ address, name: address }))).toEqual({
      kind: "found",
      finding: { valid: true, name: line, address: line },
    });
  });

  test("has neither name nor address of a number that is not valid", () => {
    expect(read(body({ valid: false }))).toEqual(notValid);
    expect(read(body({ valid: false, name: "---", address: "---" }))).toEqual(notValid);
  });

  test.each([
    [{ valid: true, userError: "VALID" }, true],
    [{ valid: true, userError: "" }, true],
    [{ valid: true, userError: null }, true],
    [{ valid: false, userError: "INVALID" }, false],
    [{ valid: undefined, userError: "INVALID" }, false],
    [{ valid: true, actionSucceed: true, errorWrappers: [] }, true],
    [{ valid: false, actionSucceed: true, errorWrappers: null }, false],
    [{ countryCode: "GR" }, true],
    [{ vatNumber: "123 456 783" }, true],
  ])("is read from %j: %s", (changes, valid) => {
    expect(read(body(changes))).toMatchObject({ kind: "found", finding: { valid } });
  });

  test("must be about the requested country and number", () => {
    const question: TaxQuestion = { country: "AT", code: "U12345678" };
    const own = body({ countryCode: "AT", vatNumber: "U12345678" });
    expect(readAnswer(question, 200, own)).toMatchObject({ kind: "found", finding: { valid: true } });
    expect(readAnswer(question, 200, body())).toMatchObject({ kind: "no_answer", code: "OTHER_NUMBER" });
  });
});

describe("a response without a verdict, which is never read as not valid", () => {
  const codes = [
    ["SERVICE_UNAVAILABLE", "unavailable"],
    ["MS_UNAVAILABLE", "unavailable"],
    ["TIMEOUT", "unavailable"],
    ["VOW-ERR-1", "unavailable"],
    ["SERVER_BUSY", "overloaded"],
    ["GLOBAL_MAX_CONCURRENT_REQ", "overloaded"],
    ["GLOBAL_MAX_CONCURRENT_REQ_TIME", "overloaded"],
    ["MS_MAX_CONCURRENT_REQ", "overloaded"],
    ["MS_MAX_CONCURRENT_REQ_TIME", "overloaded"],
    ["IP_BLOCKED", "blocked"],
    ["VAT_BLOCKED", "blocked"],
    ["INVALID_REQUESTER_INFO", "unreadable"],
  ] as const;

  test.each(codes)("%s is %s, at any status and in either place", (code, reason) => {
    for (const status of [200, 400, 500])
      expect(read(errors(code), status)).toEqual({ kind: "no_answer", reason, code });
    for (const valid of [false, true, undefined])
      expect(read(body({ valid, userError: code }))).toEqual({ kind: "no_answer", reason, code });
  });

  test.each([
    ["an unknown code", errors("SOMETHING-NEW 123456783"), 200, "UNKNOWN"],
    ["a code that is a property of Object", errors("constructor"), 200, "UNKNOWN"],
    ["errors that are not a list", JSON.stringify({ errorWrappers: "broken" }), 200, "UNKNOWN"],
    ["a failure without errors", JSON.stringify({ actionSucceed: false }), 200, "UNKNOWN"],
    ["a failure together with a verdict", body({ actionSucceed: false }), 200, "UNKNOWN"],
    ["a user error that is not a string", body({ userError: 5 }), 200, "UNKNOWN"],
    ["an error together with a verdict", body({ errorWrappers: [{ error: "TIMEOUT" }] }), 200, "TIMEOUT"],
    [
      "INVALID_INPUT together with another error",
      errors("INVALID_INPUT", "MS_UNAVAILABLE"),
      400,
      "MS_UNAVAILABLE",
    ],
    ["an HTML page", "<html><body>Bad gateway</body></html>", 200, "NOT_JSON"],
    ["an empty body", "", 200, "NOT_JSON"],
    ["a truncated body", body().slice(0, 60), 200, "NOT_JSON"],
    ["a list", "[true]", 200, "NOT_JSON"],
    ["null", "null", 200, "NOT_JSON"],
    ["an empty object", "{}", 200, "OTHER_NUMBER"],
    ["an answer about another number", body({ vatNumber: "094012834" }), 200, "OTHER_NUMBER"],
    ["an answer about another country", body({ countryCode: "CY" }), 200, "OTHER_NUMBER"],
    ["an answer about no number", body({ vatNumber: undefined }), 200, "OTHER_NUMBER"],
    ["no verdict", body({ valid: undefined }), 200, "NO_VERDICT"],
    ["a verdict that is a string", body({ valid: "false" }), 200, "NO_VERDICT"],
    ["a verdict of null", body({ valid: null }), 200, "NO_VERDICT"],
    ["only the verdict of the GET call", body({ valid: undefined, isValid: false }), 200, "NO_VERDICT"],
    ["valid, but userError INVALID", body({ valid: true, userError: "INVALID" }), 200, "NO_VERDICT"],
    ["not valid, but userError VALID", body({ valid: false, userError: "VALID" }), 200, "NO_VERDICT"],
    ["a verdict with status 500", body({ valid: false }), 500, "HTTP_500"],
    ["a redirect", body(), 302, "HTTP_302"],
  ])("%s", (_what, text, status, code) => {
    expect(read(text, status)).toMatchObject({ kind: "no_answer", code });
  });

  test("with HTTP 429 means overload", () => {
    for (const text of ["<html></html>", "{}"])
      expect(read(text, 429)).toEqual({ kind: "no_answer", reason: "overloaded", code: "HTTP_429" });
  });

  test("is found in all responses that are not an unambiguous verdict about the number", () => {
    const pieces = fc.record(
      {
        countryCode: fc.constantFrom<unknown>("EL", "EL", "GR", "DE", null),
        vatNumber: fc.constantFrom<unknown>("123456783", "123456783", "094012834", 123456783),
        valid: fc.constantFrom<unknown>(true, false, false, "false", 0, null),
        isValid: fc.constantFrom<unknown>(true, false),
        userError: fc.constantFrom<unknown>("", "VALID", "INVALID", "TIMEOUT", "INVALID_INPUT", "NEW", null),
        actionSucceed: fc.constantFrom<unknown>(true, false, null),
        errorWrappers: fc.constantFrom<unknown>([], null, [{ error: "MS_UNAVAILABLE" }], [{}], "x"),
      },
      { requiredKeys: [] },
    );
    const status = fc.constantFrom(200, 200, 200, 301, 400, 429, 500);
    fc.assert(
      fc.property(pieces, status, (answer, code) => {
        const result = read(JSON.stringify(answer), code);
        if (result.kind !== "found") return;
        expect(code).toBe(200);
        expect(["EL", "GR"]).toContain(answer.countryCode);
        expect(answer.vatNumber).toBe("123456783");
        expect(answer.actionSucceed ?? true).toBe(true);
        expect(answer.errorWrappers ?? []).toEqual([]);
        expect(["", null, undefined, result.finding.valid ? "VALID" : "INVALID"]).toContain(answer.userError);
        if (answer.userError !== "INVALID") expect(answer.valid).toBe(result.finding.valid);
      }),
      { numRuns: 2000 },
    );
  });
});

test.each([200, 400, 500])("INVALID_INPUT concerns the number, with HTTP %i", (status) => {
  expect(read(errors("INVALID_INPUT"), status)).toEqual({ kind: "invalid_input" });
  expect(read(body({ valid: false, userError: "INVALID_INPUT" }), status)).toEqual({ kind: "invalid_input" });
});

test.each<[TaxQuestion["country"], string, object]>([
  ["GR", "099999999", { kind: "found", finding: { valid: false, name: null, address: null } }],
  ["DE", "200", { kind: "found", finding: { valid: false, name: null, address: null } }],
  ["GR", "123456789", { kind: "found", finding: { valid: false } }],
  ["GR", "12", { kind: "found", finding: { valid: false } }],
  ["GR", "300", { kind: "no_answer", reason: "unavailable" }],
  ["GR", "876543210", { kind: "no_answer", reason: "unavailable" }],
  ["DE", "300", { kind: "no_answer", reason: "unavailable" }],
  ["FR", "301", { kind: "no_answer", reason: "unavailable" }],
  ["GR", "123456783", { kind: "found", finding: { valid: true } }],
  ["DE", "099999999", { kind: "found", finding: { valid: true } }],
])("the sandbox answers %s %s with its scene", (country, code, answer) => {
  expect(answerFromSandbox({ country, code })).toMatchObject(answer);
});

test("the sandbox answers all other numbers outside Greece as valid, with an invented name and address on one line each", () => {
  const code = fc.stringMatching(/^[0-9A-Z+*]{2,12}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...LOOKUP_COUNTRIES.filter((country) => country !== "GR")),
      code,
      (country, number) => {
        fc.pre(!["200", "300", "301"].includes(number));
        const answer = answerFromSandbox({ country, code: number });
        expect(answer).toEqual({
          kind: "found",
          finding: {
            valid: true,
            name: expect.stringMatching(/^\S.*\S$/),
            address: expect.stringMatching(/^\S.*\S$/),
          },
        });
      },
    ),
  );
});
