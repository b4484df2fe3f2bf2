/** Sending one document to provider_a, against a server with scripted responses. */
import { describe, expect, test } from "vitest";
import { CUSTOMERS } from "../../helpers/documents.ts";
import { BOOKS, buildSending, ID, ISSUED, issuedAnswer, openBench, TOKEN, UID } from "./bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openBench);

const POST = "POST /invoices";
const READ = `GET /invoices/${ID}`;
const authority = (code: string, message: string) => ({
  status: "myData Errors",
  errors: [{ code, message }],
});
const refusal = (title: string) => ({ status: "Invoice Errors", errors: [{ title }] });

/** The body of the last POST /invoices. */
function sent(): Record<string, unknown> {
  const { body } = bench.got.findLast(({ what }) => what === POST)!;
  return JSON.parse(body) as Record<string, unknown>;
}

/** How many invoices were sent. */
const sends = () => bench.requests().filter((what) => what === POST).length;

describe("a document", () => {
  test("is sent as previewed, except for the book", async () => {
    bench.next(POST, { body: issuedAnswer() });
    const document = buildSending("1.1");
    expect(await bench.issue(document)).toEqual(ISSUED);
    const billing_book_id = expect.stringMatching(/^book-/);
    expect(sent()).toEqual({ ...bench.adapter.buildPayload(document), billing_book_id });
  });

  test("is sent with the token, with one recorder for each exchange", async () => {
    bench.next(POST, { body: issuedAnswer() });
    await bench.issue(buildSending("1.1"));
    expect(bench.logged).toEqual([
      { name: "issue auth", url: "/api/login", status: 200 },
      { name: "issue operation", url: "/api/billing_books", status: 200 },
      { name: "own", url: "/api/invoices", status: 200 },
    ]);
    expect(bench.got.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      accept: "application/json",
      "content-type": "application/json",
    });
    expect(bench.secrets).toContain(TOKEN);
  });

  test("with an explicit series and number uses the book of that series", async () => {
    bench.always("GET /billing_books", {
      body: [...BOOKS, { id: "book-b", series: "B", name: "B", invoice_type_code: "1.1" }],
    });
    bench.next(POST, { body: issuedAnswer({ series: "B", num: 12 }) });
    const outcome = await bench.issue({ ...buildSending("1.1"), series: "B", number: 12 });
    expect(outcome).toMatchObject({ kind: "issued", series: "B", number: 12 });
    expect(sent()).toMatchObject({ billing_book_id: "book-b", num: 12 });
  });
});

describe("before the send", () => {
  test("an issue date that is not today is rejected without a request", async () => {
    const outcome = await bench.issue(buildSending("11.1", { issue_date: "2026-11-01" }));
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "not_supported" } });
    expect(bench.requests()).toEqual([]);
  });

  test("a document is rejected if the day ends during the lookups", async () => {
    const document = buildSending("1.1");
    const call = bench.call();
    const begin = call.begin;
    call.begin = async (...parts) => {
      bench.setToday("2026-11-03");
      return begin(...parts);
    };
    expect(await bench.issue(document, call)).toMatchObject({ error: { code: "not_supported" } });
    expect(bench.requests()).not.toContain(POST);
  });

  test.each([
    ["cut", "cut" as const],
    ["HTML", { body: "<html>" }],
    ["500", { status: 500 }],
    ["no list", { body: { errors: [{ title: "Try later" }] } }],
    ["429", { status: 429, headers: { "retry-after": "9" } }],
  ])("a document is not sent if listing the books fails: %s", async (_name, answer) => {
    bench.next("GET /billing_books", answer);
    expect((await bench.issue(buildSending("1.1"))).kind).toBe("not_sent");
    expect(bench.requests()).not.toContain(POST);
  });
});

describe("a customer without name and address", () => {
  const LOOKUP = "GET /vat_search?vat=094012834&country_code=EL";
  const found = {
    vat_no: "094012834",
    name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ",
    city: "ΑΘΗΝΑ",
    address: "ΕΡΜΟΥ",
    street_number: "1",
    postal_code: "10563",
  };
  const document = buildSending("1.1", { customer: CUSTOMERS.greek });

  test("is completed by the provider's lookup, which is repeated for each document", async () => {
    bench.always(LOOKUP, { body: found });
    bench.always(POST, { body: issuedAnswer() });
    await bench.issue(document);
    await bench.issue(document);
    expect(sent()["counterpart"]).toEqual({
      name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ",
      country_code: "GR",
      vat: "094012834",
      street: "ΕΡΜΟΥ",
      number: "1",
      postal_code: "10563",
      city: "ΑΘΗΝΑ",
    });
    expect(bench.requests().filter((what) => what === LOOKUP)).toHaveLength(2);
    expect(bench.logged[1]).toMatchObject({ name: "lookup operation" });
  });

  test.each([
    ["HTTP 200", { body: { errors: [{ title: "Vat not found" }] } }],
    ["HTTP 404", { status: 404, body: { errors: [{ title: "Vat not found" }] } }],
  ])("unknown to the lookup (%s) is rejected with the missing fields", async (_name, answer) => {
    bench.next(LOOKUP, answer);
    const outcome = await bench.issue(document);
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "validation_failed" } });
    for (const path of ["name", "address.street", "address.number", "address.postal_code", "address.city"]) {
      expect(outcome).toHaveProperty("error.message", expect.stringContaining(`customer.${path}`));
    }
    expect(bench.requests()).not.toContain(POST);
  });

  test("completed only partly is rejected with the missing field", async () => {
    bench.next(LOOKUP, { body: { ...found, street_number: "" } });
    const outcome = await bench.issue(document);
    expect(outcome).toHaveProperty("error.message", expect.stringMatching(/^customer\.address\.number: /));
  });

  test.each([
    ["a failed lookup", { body: { errors: [{ title: "Service unavailable" }] } }],
    ["a response about another number", { body: { ...found, vat_no: "999999999" } }],
    ["no response", "cut" as const],
  ])("is not sent after %s", async (_name, answer) => {
    bench.next(LOOKUP, answer);
    expect((await bench.issue(document)).kind).toBe("not_sent");
  });

  test("abroad is rejected without a lookup", async () => {
    const outcome = await bench.issue(buildSending("1.1", { customer: CUSTOMERS.abroad }));
    expect(outcome).toHaveProperty(
      "error.message",
      expect.stringMatching(/^customer\.address\.street, customer\.address\.number: /),
    );
    expect(bench.requests()).toEqual([]);
  });
});

describe("a branch", () => {
  const supplier = { tax_id: { country: "GR", code: "123456783" }, branch: 2 };

  test("is sent as the provider's id, which is cached", async () => {
    const branches = [[0, "b0"] as const, ["002", "b2"] as const].map(([code, id]) => ({ id, code }));
    bench.next("GET /branches", { body: branches });
    bench.always(POST, { body: issuedAnswer() });
    await bench.issue(buildSending("1.1", { supplier }));
    expect(sent()["branch"]).toBe("b2");
    await bench.issue(buildSending("1.1", { supplier }));
    expect(bench.requests().filter((what) => what === "GET /branches")).toHaveLength(1);
  });

  test("unknown to the provider is rejected, and nothing is created", async () => {
    bench.next("GET /branches", { body: [{ id: "b0", code: 0 }] });
    const outcome = await bench.issue(buildSending("1.1", { supplier }));
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "validation_failed" } });
    expect(outcome).toHaveProperty("error.message", expect.stringContaining("supplier.branch"));
    expect(bench.requests()).toEqual(["POST /login", "GET /branches"]);
  });
});

describe("the billing book", () => {
  const made = (series: string, type: string) => ({
    body: { id: `made-${series}`, name: series, series, invoice_type_code: type },
  });

  test("is listed and created once for concurrent documents", async () => {
    bench.next("GET /billing_books", { body: [] });
    bench.next("POST /billing_books", made("TIM", "1.1"));
    bench.always(POST, { body: issuedAnswer() });
    await Promise.all([1, 2, 3].map(() => bench.issue(buildSending("1.1"))));
    await bench.issue(buildSending("1.1"));
    expect(bench.requests().filter((what) => what !== POST)).toEqual([
      "POST /login",
      "GET /billing_books",
      "POST /billing_books",
    ]);
  });

  test("created by someone else meanwhile is used", async () => {
    bench.next("GET /billing_books", { body: [] });
    bench.next("POST /billing_books", { status: 422, body: { errors: { series: ["taken"] } } });
    bench.next(POST, { body: issuedAnswer() });
    expect(await bench.issue(buildSending("1.1"))).toEqual(ISSUED);
    expect(sent()["billing_book_id"]).toBe("book-tim");
  });

  test("that cannot be created rejects the document with the provider's message", async () => {
    bench.always("GET /billing_books", { body: [] });
    bench.next("POST /billing_books", { status: 422, body: { errors: { name: ["is reserved"] } } });
    expect(await bench.issue(buildSending("1.1"))).toMatchObject({
      kind: "rejected",
      error: { code: "provider_rejected", provider_message: "name: is reserved" },
    });
  });

  test("whose creation gets no response leaves the document not sent", async () => {
    bench.always("GET /billing_books", { body: [] });
    bench.next("POST /billing_books", "cut");
    expect((await bench.issue(buildSending("1.1"))).kind).toBe("not_sent");
  });

  test("is not created in a series of another type", async () => {
    const outcome = await bench.issue({ ...buildSending("1.1"), series: "ALP" });
    expect(outcome).toMatchObject({ kind: "rejected", error: { code: "validation_failed" } });
  });

  test("of a covering type is replaced with one of the exact type if refused, also for later documents", async () => {
    const mismatch = "Invoice Type does not match selected Billing Book Invoice Type";
    bench.next(POST, { body: refusal(mismatch) });
    bench.next("POST /billing_books", made("PIS", "5.1"));
    bench.always(POST, { body: issuedAnswer({ series: "PIS" }) });
    expect(await bench.issue(buildSending("5.1"))).toMatchObject({ kind: "issued", series: "PIS" });
    expect(sent()).toMatchObject({ billing_book_id: "made-PIS", external_id: ID });
    expect(bench.logged.at(-1)).toMatchObject({ name: "issue operation", url: "/api/invoices" });
    await bench.issue(buildSending("5.1"));
    expect(sends()).toBe(3);
  });

  test("that no longer exists is looked up again", async () => {
    bench.always(POST, { body: issuedAnswer() });
    await bench.issue(buildSending("1.1"));
    bench.next(POST, { status: 404, body: { errors: [{ title: "Billing book not found" }] } });
    bench.always("GET /billing_books", { body: [{ ...BOOKS[0], id: "book-new" }] });
    expect(await bench.issue(buildSending("1.1"))).toEqual(ISSUED);
    expect(sent()["billing_book_id"]).toBe("book-new");
  });

  test("that is refused without an alternative rejects the document", async () => {
    bench.next(POST, { body: refusal("Billing book is closed") });
    expect(await bench.issue(buildSending("1.1"))).toMatchObject({
      kind: "rejected",
      error: { code: "provider_rejected", provider_message: "Billing book is closed" },
    });
    expect(sends()).toBe(1);
  });
});

describe("a response to the send", () => {
  test.each([
    ["Invoice Errors in HTTP 200", { body: refusal("Wrong total") }, "rejected", "provider_rejected"],
    ["myData Errors in HTTP 200", { body: authority("203", "no") }, "rejected", "provider_rejected"],
    ["errors by field", { status: 422, body: { errors: { vat: ["no"] } } }, "rejected", "provider_rejected"],
    ["a full plan", { body: refusal("Plan limit exceeded") }, "rejected", "balance_exceeded"],
    ["402", { status: 402, body: { error: "Payment required" } }, "rejected", "balance_exceeded"],
    ["403", { status: 403, body: { error: "no" } }, "credentials_refused", "provider_credentials_invalid"],
    ["429", { status: 429 }, "not_sent", "provider_unavailable"],
    ["a wrong address", { status: 404, body: { error: "Not Found" } }, "not_sent", "provider_unavailable"],
    ["500", { status: 500, body: refusal("no") }, "unknown", "provider_unavailable"],
    ["an unreadable 502", { status: 502, body: "<html>" }, "unknown", "provider_unavailable"],
    ["a redirect", { status: 302, body: issuedAnswer() }, "unknown", "provider_unavailable"],
    ["a gateway's timeout", { status: 408, body: { error: "slow" } }, "unknown", "provider_unavailable"],
    ["a page with 403", { status: 403, body: "<html>" }, "unknown", "provider_unavailable"],
    ["a bare text", { body: '"fine"' }, "unknown", "provider_unavailable"],
    ["HTML", { body: "<html>" }, "unknown", "provider_unavailable"],
    ["an empty body", {}, "unknown", "provider_unavailable"],
    ["truncated JSON", { body: '{"id":"inv' }, "unknown", "provider_unavailable"],
    ["no response", "cut" as const, "unknown", "provider_unavailable"],
    ["another document", { body: issuedAnswer({ external_id: "doc_other" }) }, "unknown", "internal_error"],
  ])("is classified: %s", async (_name, answer, kind, code) => {
    bench.next(POST, answer);
    expect(await bench.issue(buildSending("1.1"))).toMatchObject({ kind, error: { code } });
    expect(sends()).toBe(1);
  });

  test.each([
    ["233", "uid sent before", "unknown"],
    ["335", "technical error", "unknown"],
    ["245", "provider not authorised", "credentials_refused"],
  ])("with the authority's code %s does not reject the document", async (code, message, kind) => {
    bench.next(POST, { body: authority(code, message) });
    expect(await bench.issue(buildSending("1.1"))).toMatchObject({ kind, error: { provider_code: code } });
  });

  test.each([429, 503])("has the provider's retry pause (HTTP %d)", async (status) => {
    bench.next(POST, { status, headers: { "retry-after": "30" } });
    expect(await bench.issue(buildSending("1.1"))).toMatchObject({ retryAfterMs: 30_000 });
  });
});

describe("an external id that is already used", () => {
  const taken = { status: 422, body: refusal("external_id is already used by another invoice") };
  const document = buildSending("1.1");

  test("is looked up at once, and the document is found", async () => {
    bench.next(POST, taken);
    bench.next(READ, { body: issuedAnswer() });
    expect(await bench.issue(document)).toEqual(ISSUED);
    expect(bench.logged.at(-1)).toEqual({ name: "issue operation", url: `/api/invoices/${ID}`, status: 200 });
  });

  test.each([
    ["it is pending", { body: { status: "pending", invoice_id: "inv-1" } }, "accepted"],
    ["it was refused", { body: authority("1", "no") }, "rejected"],
    ["it is not listed", { status: 404, body: { error: "Invoice not found" } }, "unknown"],
    ["there is no response", "cut" as const, "unknown"],
    ["the rate is limited", { status: 429 }, "unknown"],
    ["the credentials are refused", { status: 403, body: {} }, "unknown"],
    ["it is another document", { body: issuedAnswer({ total_amount: 1, my_data_uid: UID }) }, "unknown"],
  ])("is never sent again if %s", async (_name, answer, kind) => {
    bench.next(POST, taken);
    bench.next(READ, answer);
    expect((await bench.issue(document)).kind).toBe(kind);
    expect(sends()).toBe(1);
  });
});
