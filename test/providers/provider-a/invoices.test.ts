import { describe, expect, test } from "vitest";
import { readInvoice, readState } from "../../../src/providers/provider-a/invoices.ts";
import { buildSending, ID, ISSUED, issuedAnswer, UID } from "./bench.ts";

const SUBJECT = { document: buildSending("1.1"), providerRef: null };
const read = (body: unknown, status = 200) => ({ kind: "read", status, body }) as const;

describe("an invoice response is read as", () => {
  test("an issued document by id and MARK", () => {
    expect(readInvoice(read(issuedAnswer()), SUBJECT)).toEqual(ISSUED);
    expect(readInvoice(read(issuedAnswer(), 201), SUBJECT)).toEqual(ISSUED);
  });

  test("an issued document with numbers given as text, without malformed values", () => {
    const body = issuedAnswer({
      num: "8",
      my_data_uid: "short",
      my_data_qr_url: "javascript:alert(1)",
      series: "",
    });
    const { series: _series, ...rest } = ISSUED;
    expect(readInvoice(read(body), SUBJECT)).toEqual({ ...rest, uid: null, qrUrl: null });
  });

  test.each([
    ["a SHA-1", UID, { authenticationCode: UID }],
    ["a text of another form", "prv:0001/x", { authenticationCode: "prv:0001/x" }],
    ["nothing", null, {}],
    ["a text with a line break", "a\nb", {}],
    ["a long text", "A".repeat(101), {}],
  ])("an issued document whose authentication code is %s", (_name, code, registered) => {
    const body = issuedAnswer({ authentication_code: code });
    expect(readInvoice(read(body), SUBJECT)).toEqual({ ...ISSUED, ...registered });
  });

  const numbered = { uid: UID, qrUrl: ISSUED.qrUrl, series: "TIM", number: 8 };
  const noMark = { my_data_mark: null };
  const pending = { status: "pending", invoice_id: "inv-1" };
  test.each([
    ["the short form", pending, { uid: null, qrUrl: null }],
    ["the long form, with uid, QR and number", issuedAnswer({ ...noMark, ...pending }), numbered],
    ["a MARK that the provider still calls pending", issuedAnswer({ status: "pending" }), numbered],
    ["an issued form without a MARK", issuedAnswer(noMark), numbered],
  ])("a pending document: %s", (_name, body, registration) => {
    const accepted = { kind: "accepted", providerRef: "inv-1", ...registration };
    expect(readInvoice(read(body), SUBJECT)).toEqual(accepted);
  });

  test("a rejection, with HTTP 200 or 422", () => {
    const body = { status: "Invoice Errors", errors: [{ title: "no" }] };
    for (const status of [200, 422]) expect(readInvoice(read(body, status), SUBJECT).kind).toBe("refusal");
  });

  test.each([
    ["an invoice and errors at once", issuedAnswer({ errors: [{ title: "no" }] }), 200],
    ["an invoice with an error status", issuedAnswer(), 422],
    ["a MARK without an id", issuedAnswer({ id: null }), 200],
    ["nothing", {}, 200],
    ["a list", [], 200],
    ["a malformed MARK", issuedAnswer({ my_data_mark: "MARK" }), 200],
    ["a MARK of twenty digits", issuedAnswer({ my_data_mark: "40000123456789012345" }), 200],
    ["a draft", issuedAnswer({ my_data_mark: null, status: "draft" }), 200],
  ])("unknown: %s", (_name, body, status) => {
    expect(readInvoice(read(body, status), SUBJECT)).toMatchObject({
      kind: "unknown",
      error: { retryable: true },
    });
  });
});

describe("the invoice in a response", () => {
  test.each([
    ["another reference", { external_id: "doc_0000000000000000000002" }],
    ["our reference in another case", { external_id: ID.toUpperCase() }],
    ["another type", { invoice_type_code: "2.1" }],
    ["another total", { total_amount: "10.34" }],
    ["another customer", { counterpart: { vat: "999999999" } }],
  ])("with %s is not ours", (_name, other) => {
    expect(readInvoice(read(issuedAnswer(other)), SUBJECT)).toMatchObject({
      kind: "unknown",
      error: { code: "internal_error", retryable: true },
    });
  });

  test.each([
    ["no reference", { external_id: null }],
    ["references that the provider folds to lower case", { external_id: ID.toLowerCase() }],
    ["the same type and total", { invoice_type_code: "1.1", total_amount: 10.33 }],
    ["the same customer", { counterpart: { vat: "EL094012834" } }],
    ["a total as text", { total_amount: "10.330" }],
    ["a customer without a number", { counterpart: { vat: "" } }],
  ])("with %s is ours", (_name, shown) => {
    expect(readInvoice(read(issuedAnswer(shown)), SUBJECT).kind).toBe("issued");
  });

  test("with the covering type of our book is ours", () => {
    const document = { ...SUBJECT.document, sentType: "1.2" };
    const body = issuedAnswer({ invoice_type_code: "1.1" });
    expect(readInvoice(read(body), { document, providerRef: null }).kind).toBe("issued");
  });

  test("with another id than requested is not ours", () => {
    expect(readInvoice(read(issuedAnswer()), { ...SUBJECT, providerRef: "inv-2" }).kind).toBe("unknown");
    expect(readInvoice(read(issuedAnswer()), { ...SUBJECT, providerRef: "inv-1" }).kind).toBe("issued");
  });
});

const notFound = { errors: [{ title: "Invoice not found" }] };
test.each([
  ["issued", issuedAnswer(), 200, "issued"],
  ["pending", { status: "pending", invoice_id: "inv-1" }, 200, "accepted"],
  ["refused by the authority", { status: "myData Errors", errors: [{ code: "1" }] }, 200, "rejected"],
  ["refused by the provider", { status: "Invoice Errors", errors: [{ title: "no" }] }, 422, "rejected"],
  ["not found, in a list", notFound, 200, "absent"],
  ["not found, in a text", { error: "Invoice not found" }, 404, "absent"],
  ["not found, in an envelope", { status: "Invoice Errors", ...notFound }, 200, "absent"],
  ["not found, without a message", {}, 404, "absent"],
  ["not found, as a refusal", notFound, 422, "absent"],
  ["another error", { errors: [{ title: "Try later" }] }, 200, "unknown"],
  ["an empty object", {}, 200, "unknown"],
])("the response to a lookup: %s", (_name, body, status, kind) => {
  expect(readState(read(body, status), SUBJECT).kind).toBe(kind);
});
