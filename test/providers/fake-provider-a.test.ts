/** Tests the fake of the licensed provider itself against docs/provider-a.md, before it judges the product. */
import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeProviderA, type Fault, startFakeProviderA } from "../helpers/fake-provider-a.ts";

const TENANT = { apiKey: "key-1", email: "shop@example.gr", userId: "user-1", vat: "123456783" };
const REFERENCE = "doc_0000000000000000000001";
const NOW_MS = Date.parse("2026-11-21T23:30:00.000Z");

let nowMs: number;
let fake: FakeProviderA;
let token: string;

beforeEach(async () => {
  nowMs = NOW_MS;
  fake = await startFakeProviderA({
    tenants: [
      {
        ...TENANT,
        books: [
          { id: "book-tim", name: "TIM", series: "TIM", invoice_type_code: "1.1", number: 7 },
          { id: "book-pim", name: "PIM", series: "PIM", invoice_type_code: "5.2", number: 1 },
          { id: "book-alp", name: "ALP", series: "ALP", invoice_type_code: "11.1", number: 1 },
        ],
        branches: [{ id: "branch-2", name: "Πειραιάς", code: "2" }],
      },
    ],
    nowMs: () => nowMs,
  });
  token = await logIn();
});
afterEach(() => fake.close());

interface Reply {
  status: number;
  headers: Headers;
  body: ReturnType<typeof JSON.parse>;
}

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${fake.url}${path}`, {
    method,
    headers: {
      accept: "application/json",
      ...(path === "/login" ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const reply: Reply = { status: response.status, headers: response.headers, body: await response.json() };
  return reply;
}

async function logIn(): Promise<string> {
  const { body } = await ask("POST", "/login", { api_key: TENANT.apiKey, email: TENANT.email });
  return body.data.attributes.jwt;
}

function line(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    line_number: 1,
    name: "Καφές",
    quantity: 2.5,
    quantity_type: 2,
    unit_price: 3.33,
    net_total_price: 8.33,
    vat_rate: 24,
    vat_total: 2,
    subtotal: 10.33,
    classification_category: "category1_1",
    classification_type: "E3_561_001",
    ...overrides,
  };
}

const COUNTERPART = {
  name: "Παράδειγμα ΑΕ",
  country_code: "GR",
  vat: "094012834",
  city: "Αθήνα",
  street: "Ερμού",
  number: "1",
  postal_code: "10563",
};

function invoice(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    external_id: REFERENCE,
    invoice_type_code: "1.1",
    billing_book_id: "book-tim",
    payment_method_type: 1,
    net_total_amount: 8.33,
    vat_total_amount: 2,
    total_amount: 10.33,
    payable_total_amount: 10.33,
    counterpart: COUNTERPART,
    invoice_lines: [line()],
    ...overrides,
  };
}

describe("the login", () => {
  test("accepts the key with the email or the user id, and returns a new token each time", async () => {
    const byId = await ask("POST", "/login", { api_key: "key-1", wrapp_user_id: "user-1" });
    expect(byId).toMatchObject({ status: 200, body: { data: { type: "jwt" } } });
    expect(fake.tokens()).toHaveLength(2);
    expect(fake.tokens()).toContain(byId.body.data.attributes.jwt);
  });

  test.each([
    ["key", { api_key: "key-2", email: TENANT.email }],
    ["email", { api_key: "key-1", email: "other@example.gr" }],
    ["user id", { api_key: "key-1", wrapp_user_id: "user-2" }],
  ])("rejects another %s", async (_name, body) => {
    expect(await ask("POST", "/login", body)).toMatchObject({
      status: 401,
      body: { errors: [{ title: "Not valid user" }] },
    });
  });

  test("issues tokens that last a day and can be expired at once", async () => {
    nowMs += 24 * 3_600_000 - 1;
    expect((await ask("GET", "/tenant_details")).status).toBe(200);
    nowMs += 1;
    expect(await ask("GET", "/tenant_details")).toMatchObject({
      status: 401,
      body: { errors: [{ status: "401", title: "Unauthorized" }] },
    });
    token = await logIn();
    fake.expireTokens();
    expect((await ask("GET", "/tenant_details")).status).toBe(401);
  });
});

describe("an invalid request", () => {
  test.each<[string, RegExp, () => Promise<unknown>]>([
    ["an unknown path", /GET \/api\/v1\/invoice: there is no such address/, () => ask("GET", "/invoice")],
    ["another method", /PATCH .*no such address/, () => ask("PATCH", "/invoices", {})],
    [
      "no Accept",
      /Accept: application\/json is missing/,
      () => ask("GET", "/branches", undefined, { accept: "*/*" }),
    ],
    ["no token", /Bearer is missing/, () => ask("GET", "/branches", undefined, { authorization: "Basic a" })],
    [
      "a foreign token",
      /never given here/,
      () => ask("GET", "/branches", undefined, { authorization: "Bearer a" }),
    ],
    ["an unknown parameter", /parameters are not/, () => ask("GET", "/branches?page=1")],
    [
      "an unknown field",
      /body.issue_date is not known/,
      () => ask("POST", "/invoices", invoice({ issue_date: "2026-11-21" })),
    ],
    [
      "an unknown field of a line",
      /invoice_lines\[0\].vat is not known/,
      () => ask("POST", "/invoices", invoice({ invoice_lines: [line({ vat: 1 })] })),
    ],
    [
      "a reference that is no document's",
      /not the id of a document/,
      () => ask("POST", "/invoices", invoice({ external_id: "1" })),
    ],
    ["null", /body.branch is null/, () => ask("POST", "/invoices", invoice({ branch: null }))],
  ])("%s is a problem", async (_name, problem, act) => {
    await act();
    expect(fake.ledger).toEqual([]);
    fake.forgive(problem);
  });

  test("is reported when the fake is closed", async () => {
    await ask("GET", "/invoice");
    fake.next({ kind: "empty", done: false });
    await expect(fake.close()).rejects.toThrow(/no such address here\nnothing met the fault/);
    fake = await startFakeProviderA({ tenants: [TENANT] });
  });
});

describe("an invoice", () => {
  test("has the number of its book, the date in Athens, a MARK and the authority's uid", async () => {
    const { status, body } = await ask("POST", "/invoices", invoice({ branch: "branch-2" }));
    expect(status).toBe(200);
    expect(body).toMatchObject({ external_id: REFERENCE, series: "TIM", num: 7, issued_at: "22-11-2026" });
    expect(body.my_data_mark).toMatch(/^4[0-9]{14}$/);
    const identity = "123456783-2026-11-22-2-1.1-TIM-7";
    expect(body.my_data_uid).toBe(createHash("sha1").update(identity).digest("hex").toUpperCase());
    const next = await ask("POST", "/invoices", invoice({ external_id: REFERENCE.replace("1", "2") }));
    expect(next.body).toMatchObject({ num: 8 });
    expect(next.body.my_data_mark).not.toBe(body.my_data_mark);
  });

  test("is read back by either id, ignoring case", async () => {
    const { body } = await ask("POST", "/invoices", invoice({ external_id: "doc_aaaaaaaaaaaaaaaaaaaaaa" }));
    for (const reference of [body.id, "doc_aaaaaaaaaaaaaaaaaaaaaa", "DOC_AAAAAAAAAAAAAAAAAAAAAA"]) {
      expect((await ask("GET", `/invoices/${reference}`)).body).toEqual(body);
    }
    expect(await ask("GET", "/invoices/unknown")).toMatchObject({
      status: 404,
      body: { errors: [{ title: "Invoice not found" }] },
    });
  });

  test("that is sent again after it was filed is rejected, and recorded as a problem", async () => {
    await ask("POST", "/invoices", invoice());
    expect(await ask("POST", "/invoices", invoice())).toMatchObject({
      status: 422,
      body: { errors: [{ title: "external_id is already used by another invoice" }] },
    });
    expect(fake.ledger).toHaveLength(1);
    fake.forgive(/was sent again after it had been filed/);
  });

  test.each<[string, Record<string, unknown>, RegExp]>([
    ["no type", { invoice_type_code: undefined }, /missing/],
    ["an unknown book", { billing_book_id: "book" }, /Billing Book not found/],
    ["a book of another type", { billing_book_id: "book-alp" }, /does not match selected Billing Book/],
    ["half a customer", { counterpart: { ...COUNTERPART, city: "" } }, /Counterpart city can't be blank/],
    ["no customer", { counterpart: undefined }, /Counterpart vat can't be blank/],
    ["a VAT prefix for a country", { counterpart: { ...COUNTERPART, country_code: "EL" } }, /country_code/],
    [
      "a receipt without a name",
      { invoice_type_code: "11.1", billing_book_id: "book-alp", counterpart: {} },
      /Counterpart name/,
    ],
    ["totals that are not those of the lines", { net_total_amount: 8.34 }, /net_total_amount does not match/],
    ["a gross that is not the sum", { total_amount: 10.34 }, /net plus vat/],
    ["a fraction of a cent", { net_total_amount: 8.3301 }, /two decimals/],
    ["several methods in one", { payment_method_type: 9 }, /payment_method_type/],
    [
      "a credit note of nothing",
      { invoice_type_code: "5.1", billing_book_id: "book-pim" },
      /correlated_invoices/,
    ],
    ["an unknown branch", { branch: "branch-9" }, /Branch not found/],
    [
      "no VAT without a cause",
      { invoice_lines: [line({ vat_rate: 0, vat_total: 0, subtotal: 8.33 })] },
      /vat_exemption_code/,
    ],
    ["a net that is not the product", { invoice_lines: [line({ quantity: 2 })] }, /quantity by unit_price/],
    ["VAT of another rate", { invoice_lines: [line({ vat_rate: 13 })] }, /not of its rate/],
    ["a category without a type", { invoice_lines: [line({ classification_type: "_" })] }, /classification/],
  ])("with %s is rejected with HTTP 200, or for its form", async (name, change, title) => {
    const { status, body } = await ask("POST", "/invoices", invoice(change));
    const isOfForm = name === "no type";
    expect(status).toBe(isOfForm ? 422 : 200);
    if (isOfForm) fake.forgive(/body.invoice_type_code is missing/);
    else expect(body.status).toBe("Invoice Errors");
    expect(body.errors.map((error: { title: string }) => error.title).join("; ")).toMatch(title);
    expect(fake.ledger).toEqual([]);
  });

  test("can use a book of a covering type, unless books are exact", async () => {
    expect((await ask("POST", "/invoices", invoice({ invoice_type_code: "1.3" }))).body).toMatchObject({
      num: 7,
    });
    fake.habits.exactBooks = true;
    const other = invoice({ external_id: REFERENCE.replace("1", "2"), invoice_type_code: "1.3" });
    expect((await ask("POST", "/invoices", other)).body.status).toBe("Invoice Errors");
  });

  test("with an unlisted rate is filed without VAT, which is recorded as a problem", async () => {
    await ask("POST", "/invoices", invoice({ invoice_lines: [line({ vat_rate: 25 })] }));
    expect(fake.ledger).toHaveLength(1);
    fake.forgive(/the rate 25 is not listed/);
  });

  test("beyond the plan is rejected with the plan's message", async () => {
    fake.tenant().quota = 0;
    expect((await ask("POST", "/invoices", invoice())).body).toMatchObject({
      errors: [{ title: fake.habits.quotaTitle }],
    });
  });

  test("that the authority rejects is reported with HTTP 200, and can be corrected", async () => {
    fake.next({ kind: "authority_refuses", errors: [{ code: "204", message: "…" }] });
    const refused = await ask("POST", "/invoices", invoice());
    expect(refused).toMatchObject({
      status: 200,
      body: { status: "myData Errors", errors: [{ code: "204" }] },
    });
    expect((await ask("POST", "/invoices", invoice())).body).toMatchObject({ num: 7 });
  });

  test.each(["short", "full"] as const)(
    "that is pending (%s) has its MARK after some queries",
    async (shape) => {
      fake.next({ kind: "pending", shape, askings: 1 });
      const { body } = await ask("POST", "/invoices", invoice());
      if (shape === "short") expect(body).toEqual({ status: "pending", invoice_id: fake.ledger[0]!.id });
      else expect(body).toMatchObject({ status: "pending", my_data_mark: null, transmission_failure: 2 });
      expect((await ask("GET", `/invoices/${REFERENCE}`)).body).toEqual(body);
      const { body: issued } = await ask("GET", `/invoices/${REFERENCE}`);
      expect(issued.my_data_mark).toBe(fake.ledger[0]!.mark);
      expect(issued).not.toHaveProperty("status");
    },
  );

  test("cannot be cancelled", async () => {
    const { body } = await ask("POST", "/invoices", invoice());
    expect((await ask("DELETE", `/invoices/${body.id}/cancel`)).status).toBe(422);
    expect(fake.ledger[0]!.state).toBe("issued");
  });

  test("has a PDF at the second query, at a URL that needs no token", async () => {
    const { body } = await ask("POST", "/invoices", invoice());
    const path = `/invoices/${body.id}/generate_pdf?locale=el`;
    expect((await ask("GET", path)).body).toMatchObject({ status: expect.stringContaining("started") });
    const { download_url: url } = (await ask("GET", path)).body;
    const file = await fetch(url, { headers: { accept: "application/pdf" } });
    expect(await file.text()).toMatch(/^%PDF-/);
    const spoilt = await fetch(`${url}0`, { headers: { accept: "application/pdf" } });
    expect(spoilt.status).toBe(403);
    await fetch(url, { headers: { accept: "application/pdf", authorization: `Bearer ${token}` } });
    fake.forgive(/a token was sent where none belongs/);
  });
});

describe("apart from invoices", () => {
  test("a book is created once: a taken name or series is rejected by field", async () => {
    const book = { name: "APY", series: "APY", number: 1, invoice_type_code: "11.2" };
    expect(await ask("POST", "/billing_books", book)).toMatchObject({ status: 201, body: book });
    expect(await ask("POST", "/billing_books", { ...book, name: "apy" })).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.any(String)], series: [expect.any(String)] } },
    });
    const { body: books } = await ask("GET", "/billing_books");
    expect(books).toHaveLength(4);
    expect((await ask("PUT", `/billing_books/${books[3].id}`, { number: 40 })).body).toMatchObject({
      number: 40,
    });
  });

  test("a book created as 1.2 becomes 1.1, unless books are exact", async () => {
    const make = (name: string) =>
      ask("POST", "/billing_books", { name, series: name, number: 1, invoice_type_code: "1.2" });
    expect((await make("A")).body.invoice_type_code).toBe("1.1");
    fake.habits.exactBooks = true;
    expect((await make("B")).body.invoice_type_code).toBe("1.2");
  });

  test("the lookup uses the country EL for Greece", async () => {
    const refusal = { status: 404, body: { errors: [{ title: "Vat not found" }] } };
    expect(await ask("GET", "/vat_search?vat=094012834&country_code=EL")).toMatchObject(refusal);
  });

  test("branches are listed and created", async () => {
    await ask("POST", "/branches", { name: "Βόλος", code: 3 });
    expect((await ask("GET", "/branches")).body).toMatchObject([{ code: "2" }, { code: 3 }]);
  });
});

describe("faults", () => {
  const send = () => ask("POST", "/invoices", invoice());

  test.each<[string, Fault, number]>([
    ["a cut before reading", { kind: "cut", done: false }, 0],
    ["a cut after filing", { kind: "cut", done: true }, 1],
    ["half an answer", { kind: "garbled", done: true }, 1],
    ["an empty answer", { kind: "empty", done: false }, 0],
    ["a page", { kind: "html", done: true, status: 200 }, 1],
  ])("%s gives no readable response", async (_name, fault, filed) => {
    fake.next(fault);
    await expect(send()).rejects.toThrow();
    expect(fake.ledger).toHaveLength(filed);
  });

  test.each<[string, Fault, number, number]>([
    ["an error before the work", { kind: "error", done: false }, 500, 0],
    ["an error after the work", { kind: "error", done: true, status: 503 }, 503, 1],
    ["a limit", { kind: "limited", retryAfterSeconds: 7 }, 429, 0],
    ["a token that ends on the way", { kind: "unauthorised" }, 401, 0],
    ["a reference that seems taken", { kind: "duplicate", done: false }, 422, 0],
    ["a reference that is taken by this very send", { kind: "duplicate", done: true }, 422, 1],
  ])("%s has its status", async (_name, fault, status, filed) => {
    fake.next(fault);
    const reply = await send();
    expect(reply.status).toBe(status);
    expect(reply.headers.get("retry-after")).toBe(fault.kind === "limited" ? "7" : null);
    expect(fake.ledger).toHaveLength(filed);
  });

  test("apply to the next request to their route only", async () => {
    fake.next({ kind: "error", done: false, on: "GET /branches" });
    expect((await ask("GET", "/billing_books")).status).toBe(200);
    expect((await ask("GET", "/branches")).status).toBe(500);
    expect((await ask("GET", "/branches")).status).toBe(200);
  });

  test("are the same for the same seed", async () => {
    const statuses = async () => {
      const again = await startFakeProviderA({ tenants: [TENANT], seed: 42 });
      again.random(0.5, [{ kind: "error", done: false, on: "*" }]);
      const seen: number[] = [];
      for (let index = 0; index < 20; index += 1) {
        const response = await fetch(`${again.url}/login`, {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ api_key: "key-1", email: TENANT.email }),
        });
        seen.push(response.status);
      }
      await again.close();
      return seen;
    };
    const first = await statuses();
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await statuses()).toEqual(first);
  });

  test("while it is down, connections are refused", async () => {
    await fake.goDown();
    await expect(send()).rejects.toThrow();
    await fake.comeBack();
    expect((await send()).status).toBe(200);
    expect(fake.count("POST /invoices")).toBe(1);
  });
});
