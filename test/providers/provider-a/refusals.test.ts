import { describe, expect, test } from "vitest";
import { readRefusal, rejectionOf, topicOf } from "../../../src/providers/provider-a/refusals.ts";

const own = (...titles: string[]) => ({
  status: "Invoice Errors",
  errors: titles.map((title) => ({ title })),
});
const authority = (code: string | number, message: string, status = "myData Errors") => ({
  status,
  errors: [{ code, message }],
});

describe("a refusal is read from", () => {
  /** `issues` are joined, each text after its code if it has one. */
  test.each([
    ["the provider's envelope", own("Name is missing"), "provider", "Name is missing"],
    ["the authority's envelope", authority("313", "Wrong pair"), "authority", "313 Wrong pair"],
    ["its documented spelling", authority(104, "Refused", "myDATA Errors"), "authority", "104 Refused"],
    [
      "errors keyed by fields",
      { errors: { series: ["έχει χρησιμοποιηθεί", "too long"], name: "missing" } },
      "unnamed",
      "series: έχει χρησιμοποιηθεί; series: too long; name: missing",
    ],
    ["a bare list", { errors: [{ title: "Vat not found" }] }, "unnamed", "Vat not found"],
    ["a list of texts", { errors: ["no"] }, "unnamed", "no"],
    ["a single error", { error: "Invoice not found" }, "unnamed", "Invoice not found"],
    ["an envelope without a reason", { status: "invoice errors", errors: [] }, "provider", "invoice errors"],
  ])("%s", (_name, body, by, joined) => {
    const issues = joined.split("; ").map((issue) => {
      const [, code = null, text] = /^(?:(\d+) )?(.+)$/.exec(issue)!;
      return { code, text };
    });
    expect(readRefusal(body)).toEqual({ by, issues, raw: body });
  });

  test.each([
    ["an invoice", { id: "inv", my_data_mark: "4" }],
    ["an empty list of errors", { errors: [] }],
    ["no errors", { errors: null, error: "" }],
    ["a pending answer", { status: "pending", invoice_id: "inv" }],
    ["a list", [{ title: "no" }]],
    ["nothing", null],
  ])("not from %s", (_name, body) => {
    expect(readRefusal(body)).toBeUndefined();
  });
});

describe("the topic of a refusal depends on its text", () => {
  test.each([
    ["external_id is already used by another invoice", "reference_taken"],
    ["External ID has already been taken", "reference_taken"],
    ["external_id is too long", "other"],
    ["external_id does not exist", "other"],
    ["Invoice Type does not match selected Billing Book Invoice Type", "billing_book"],
    ["billing_book_id: can't be blank", "billing_book"],
    ["Invoice quota exceeded", "quota"],
    ["You have reached your plan's yearly limit", "quota"],
    ["No active subscription", "quota"],
    ["Το υπόλοιπο παραστατικών εξαντλήθηκε", "quota"],
    ["Invoice plan code is missing", "other"],
    ["The description exceeds 150 characters", "other"],
    ["Invoice not found", "not_found"],
    ["Classification not found in invoice summary", "other"],
    ["Net total does not match", "other"],
  ])("%s: %s", (title, topic) => {
    expect(topicOf(readRefusal(own(title))!)).toBe(topic);
  });

  test.each([
    ["Vat not found", "not_found"],
    ["Δεν βρέθηκε", "not_found"],
    ["Something else", "other"],
  ])("without a name, %s: %s", (title, topic) => {
    expect(topicOf(readRefusal({ errors: [{ title }] })!)).toBe(topic);
  });

  test("the authority's messages are not searched, since they are never about the account", () => {
    const message = "Billing book quota exceeded, external_id already used, invoice not found";
    expect(topicOf(readRefusal(authority("1", message))!)).toBe("other");
  });
});

describe("a rejection", () => {
  test("has the first code and all messages", () => {
    const body = {
      status: "myData Errors",
      errors: [
        { code: "203", message: "first" },
        { code: "204", message: "second" },
      ],
    };
    expect(rejectionOf(readRefusal(body)!)).toEqual({
      kind: "rejected",
      error: {
        code: "provider_rejected",
        message: "The tax authority refused the document; correct it and issue it again",
        message_el: "Η ΑΑΔΕ απέρριψε το παραστατικό· διορθώστε το και εκδώστε το ξανά",
        provider_code: "203",
        provider_message: "first; second",
        retryable: false,
        provider_raw: body,
      },
    });
  });

  test("is balance_exceeded if the plan is used up", () => {
    const { error } = rejectionOf(readRefusal(own("Plan limit reached"))!);
    expect(error).toMatchObject({ code: "balance_exceeded", provider_code: null, retryable: false });
  });

  test("does not repeat the provider's message in ours", () => {
    const { error } = rejectionOf(readRefusal(own("Refused for somebody@example.com"))!);
    expect(error.message).not.toContain("somebody");
  });
});

describe("very long messages", () => {
  test("are searched only at the beginning", () => {
    // Searching all of it would take longer than a test may.
    expect(topicOf(readRefusal(own("συνδρομ".repeat(200_000)))!)).toBe("other");
  });

  test("are stored only in part", () => {
    const outcome = rejectionOf(readRefusal(own("x".repeat(1_000_000)))!);
    const { provider_message: message } = outcome.error;
    expect(message).toHaveLength(16_385);
    expect(message?.endsWith("x…")).toBe(true);
  });
});
