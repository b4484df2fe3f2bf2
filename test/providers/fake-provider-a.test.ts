/** The fake of the licensed provider notices what the provider would reject: docs/provider-a.md. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeProviderA, startFakeProviderA } from "../helpers/fake-provider-a.ts";

const TENANT = { apiKey: "key-1", email: "shop@example.gr", userId: "user-1", vat: "123456783" };
const REFERENCE = "doc_0000000000000000000001";

let fake: FakeProviderA;
let token: string;

beforeEach(async () => {
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
  });
  const { body } = await ask("POST", "/login", { api_key: TENANT.apiKey, email: TENANT.email });
  token = body.data.attributes.jwt;
});
afterEach(() => fake.close());

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
  const answered: ReturnType<typeof JSON.parse> = await response.json();
  return { status: response.status, body: answered };
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
