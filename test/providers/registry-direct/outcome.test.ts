/** Derives each document's outcome from the response to a message. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OutgoingDocument } from "../../../src/domain/provider-adapter.ts";
import { readResponses } from "../../../src/providers/registry-direct/answers.ts";
import { meaningOf } from "../../../src/domain/authority-codes.ts";
import {
  isWholeRefusal,
  interpretResponses,
  interpretRefusal,
  UNCLEAR,
} from "../../../src/providers/registry-direct/outcome.ts";
import { buildOutgoing } from "../../helpers/documents.ts";
import { MARK, QR, refusal, responseDoc, success, readXml } from "./bench.ts";

const read = (...responses: string[]) => readResponses(readXml(responseDoc(...responses))!)!;

/** Documents 1 to `count` of one series, with the uids that the authority derives. */
const documents = (count: number): OutgoingDocument[] =>
  Array.from({ length: count }, (_, index) =>
    buildOutgoing("11.1", {}, { number: index + 1, uid: String(index + 1).padStart(40, "A") }),
  );
const markOf = (index: number) => String(400_001_000_000_000 + index);

const [first] = documents(1) as [OutgoingDocument];
const judgeOne = (response: string) => interpretResponses(read(response), [first])[0]!;

describe("success", () => {
  test("has MARK, uid and QR URL", () => {
    expect(judgeOne(success(1, first.uid))).toEqual({
      kind: "issued",
      mark: MARK,
      uid: first.uid,
      qrUrl: QR,
    });
  });

  test("without a uid belongs to the document at its index", () => {
    expect(judgeOne(success(1, null))).toMatchObject({ kind: "issued", uid: first.uid });
  });

  test("with a lower-case uid is ours", () => {
    expect(judgeOne(success(1, first.uid!.toLowerCase()))).toMatchObject({ kind: "issued", uid: first.uid });
  });

  test.each([
    ["with another uid", success(1, "F".repeat(40))],
    ["without a MARK", "<index>1</index><statusCode>Success</statusCode>"],
    ["with something that is no MARK", success(1, first.uid, "abc")],
  ])("%s is unknown, never issued", (_, response) => {
    const error = { code: "provider_unavailable", message: UNCLEAR.en, retryable: true };
    expect(judgeOne(response)).toMatchObject({ kind: "unknown", error });
  });
});

describe("the outcome of each code", () => {
  const KINDS = {
    rejected: "101 102 203 204 205 217 219 220 235 236 242 253 260 306 313",
    credentials_refused: "105 201 245",
    unknown: "206 233 259 275 277 310 335",
  };
  const cases = Object.entries(KINDS).flatMap(([kind, codes]) =>
    codes.split(" ").map((code): [string, string, string] => [code, "a text", kind]),
  );
  cases.push(
    ["999", "a code that is not in our list", "rejected"],
    ["228", "The UID: AB is invalid . It has already been sent for another invoice (MARK:1)", "unknown"],
    ["228", "Invalid invoice type", "rejected"],
  );

  test.each(cases)("%s (%s): %s", (code, message, kind) => {
    const outcome = judgeOne(refusal(1, "ValidationError", [code, message]));
    expect(outcome).toMatchObject({
      kind,
      error: { provider_code: code, provider_message: message, retryable: kind === "unknown" },
    });
  });

  test("a rejection explains the code, and keeps the response", () => {
    const outcome = judgeOne(refusal(1, "ValidationError", ["203", "Το σύνολο"]));
    expect(outcome).toEqual({
      kind: "rejected",
      error: {
        code: "provider_rejected",
        message: `The tax authority refused the document (203): ${meaningOf("203")!.en}; correct it and issue it again`,
        message_el: `Η ΑΑΔΕ απέρριψε το παραστατικό (203): ${meaningOf("203")!.el}· διορθώστε το και εκδώστε το ξανά`,
        provider_code: "203",
        provider_message: "Το σύνολο",
        retryable: false,
        provider_raw: {
          index: "1",
          statusCode: "ValidationError",
          errors: { error: { message: "Το σύνολο", code: "203" } },
        },
      },
    });
  });

  test("several errors: the first code, all messages joined", () => {
    const outcome = judgeOne(refusal(1, "ValidationError", ["207", "α"], ["203", "β"]));
    expect(outcome).toMatchObject({
      kind: "rejected",
      error: { provider_code: "207", provider_message: "α; β" },
    });
  });

  test("missing rights count at any position among the errors", () => {
    const outcome = judgeOne(refusal(1, "ValidationError", ["203", "α"], ["105", "β"]));
    expect(outcome).toMatchObject({
      kind: "credentials_refused",
      error: { code: "provider_credentials_invalid", message: expect.stringContaining(meaningOf("105")!.en) },
    });
  });

  /** docs/authority.md#error-codes */
  test.each([
    ["211", "exchange rate of a currency other than euro"],
    ["236", "sender must be another than the issuer"],
    ["323", "annual income is outside"],
    ["330", "unexpected technical error at the authority, about the classification of a line"],
  ])("code %s means what the authority documents", (code, meaning) => {
    const outcome = judgeOne(refusal(1, "ValidationError", [code, "α"]));
    expect(outcome).toMatchObject({ kind: "rejected", error: { message: expect.stringContaining(meaning) } });
  });

  test("a rejection without a reason is a rejection", () => {
    expect(judgeOne(refusal(1, "ValidationError"))).toMatchObject({
      kind: "rejected",
      error: { code: "provider_rejected", provider_code: null, provider_message: null },
    });
  });
});

test.each([
  ["a technical error", refusal(1, "TechnicalError", ["203", "α"])],
  ["a technical error without a code", refusal(1, "TechnicalError")],
  ["a technical error with the code of a syntax error", refusal(1, "TechnicalError", ["101", "α"])],
  ["a status that is not known", refusal(1, "Pending")],
  ["no status", "<index>1</index>"],
  [
    "an error together with a MARK",
    `${refusal(1, "ValidationError", ["203", "α"])}<invoiceMark>${MARK}</invoiceMark>`,
  ],
  [
    "a refusal of another uid",
    `${refusal(1, "ValidationError", ["203", "α"])}<invoiceUid>${"F".repeat(40)}</invoiceUid>`,
  ],
])("it stays unknown whether the document is registered: %s", (_, response) => {
  expect(judgeOne(response).kind).toBe("unknown");
});

describe("an XML syntax error from the authority", () => {
  const syntaxError = refusal(1, "XMLSyntaxError", ["101", "α"]);

  test("in response to one document is its rejection", () => {
    expect(judgeOne(syntaxError)).toMatchObject({
      kind: "rejected",
      error: {
        code: "provider_rejected",
        provider_code: "101",
        message: `The tax authority refused the document (101): ${meaningOf("101")!.en}; report this as a defect`,
        retryable: false,
      },
    });
  });

  test("concerns the whole message, of which nothing is registered", () => {
    expect(isWholeRefusal(read(syntaxError))).toBe(true);
  });

  test("does not count if there is also a success", () => {
    const responses = read(success(1, null), refusal(2, "XMLSyntaxError", ["101", "α"]));
    expect(isWholeRefusal(responses)).toBe(false);
    expect(interpretResponses(responses, documents(2)).map(({ kind }) => kind)).toEqual([
      "issued",
      "unknown",
    ]);
  });

  test("without a response, or with a MARK, is not one", () => {
    expect(isWholeRefusal(read())).toBe(false);
    expect(isWholeRefusal(read(`${syntaxError}<invoiceMark>${MARK}</invoiceMark>`))).toBe(false);
  });
});

describe("matching", () => {
  const three = documents(3);
  const ok = (index: number) => success(index, three[index - 1]!.uid, markOf(index));
  const kinds = (...responses: string[]) =>
    interpretResponses(read(...responses), three).map((outcome) =>
      outcome.kind === "issued" ? outcome.mark : outcome.kind,
    );

  test.each([
    ["in order", [ok(1), ok(2), ok(3)], [markOf(1), markOf(2), markOf(3)]],
    ["in another order", [ok(3), ok(1), ok(2)], [markOf(1), markOf(2), markOf(3)]],
    [
      "with a refusal between",
      [ok(1), refusal(2, "ValidationError", ["203", "α"]), ok(3)],
      [markOf(1), "rejected", markOf(3)],
    ],
    ["one missing", [ok(1), ok(3)], [markOf(1), "unknown", markOf(3)]],
    ["none", [], ["unknown", "unknown", "unknown"]],
    ["one twice", [ok(1), ok(2), ok(2), ok(3)], [markOf(1), "unknown", markOf(3)]],
    ["one too many", [ok(1), ok(2), ok(3), success(4, null)], [markOf(1), markOf(2), markOf(3)]],
    ["counted from 0", [success(0, null), ok(1), ok(2)], [markOf(1), markOf(2), "unknown"]],
    [
      "with uids at the wrong index",
      [success(1, three[1]!.uid), success(2, three[0]!.uid), ok(3)],
      ["unknown", "unknown", markOf(3)],
    ],
    [
      "without an index, by uid",
      [ok(2).replace("<index>2</index>", ""), ok(1), ok(3)],
      [markOf(1), markOf(2), markOf(3)],
    ],
    [
      "without index and uid",
      [success(2, null).replace("<index>2</index>", ""), ok(1), ok(3)],
      [markOf(1), "unknown", markOf(3)],
    ],
    [
      "the refusal of a whole account at the first",
      [refusal(1, "ValidationError", ["201", "α"])],
      ["credentials_refused", "unknown", "unknown"],
    ],
  ])("%s", (_, responses, expected) => {
    expect(kinds(...responses)).toEqual(expected);
  });

  test("the only response to a single document needs no index", () => {
    expect(judgeOne(refusal(null, "ValidationError", ["203", "α"])).kind).toBe("rejected");
  });

  test("no document is ever issued under another's MARK", () => {
    const many = documents(8);
    const response = fc.record({
      index: fc.integer({ min: 0, max: 9 }),
      of: fc.integer({ min: 0, max: 7 }),
    });
    fc.assert(
      fc.property(fc.array(response, { maxLength: 12 }), (given) => {
        const texts = given.map(({ index, of }) => success(index, many[of]!.uid, markOf(of)));
        const outcomes = interpretResponses(read(...texts), many);
        for (const [place, outcome] of outcomes.entries()) {
          if (outcome.kind === "issued") {
            expect(outcome).toMatchObject({ mark: markOf(place), uid: many[place]!.uid });
          } else expect(outcome.kind).toBe("unknown");
        }
      }),
    );
  });
});

test.each([
  [
    "cancellation",
    "The tax authority refused the cancellation (255): an active document refers to it; cancel that one first",
  ],
  [
    "listing",
    "The tax authority refused the listing (255): an active document refers to it; cancel that one first",
  ],
] as const)("a rejected %s is described as one", (subject, message) => {
  const [response] = read(refusal(null, "ValidationError", ["255", "α"]));
  expect(interpretRefusal(response!, subject)).toMatchObject({ kind: "rejected", error: { message } });
});
