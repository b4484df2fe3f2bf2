import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  GROSS_MAX,
  PAYMENT_METHODS,
  VAT_CATEGORIES,
  type VatCategory,
} from "../../../src/domain/canonical-document.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import { buildPayload, checkForProviderA, euro } from "../../../src/providers/provider-a/payload.ts";
import { buildLine, buildParsed, CUSTOMERS, NORTHERN_IRELAND } from "../../helpers/documents.ts";
import { buildSending, ID, WHOLE_CUSTOMER } from "./bench.ts";
import { completeWith, missingPaths, readFound } from "../../../src/providers/provider-a/customer.ts";

describe("amounts", () => {
  test("are written as exact decimals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: GROSS_MAX }), (cents) => {
        expect(JSON.stringify(euro(cents))).toBe(formatEuro(cents).replace(/\.?0+$/, ""));
      }),
      { numRuns: 2000, examples: [[GROSS_MAX], [GROSS_MAX - 1], [1], [29], [1001], [100_000_000_000_099]] },
    );
  });

  test("of zero are written as 0", () => {
    expect(JSON.stringify(euro(0))).toBe("0");
  });

  test("of a quantity are written as given", () => {
    const quantity = fc
      .tuple(fc.integer({ min: 1, max: 999_999_999 }), fc.integer({ min: 0, max: 999 }))
      .map(([whole, thousandths]) => `${whole}.${String(thousandths).padStart(3, "0")}`);
    fc.assert(
      fc.property(quantity, (text) => {
        const line = lineOf("11.1", { lines: [buildLine({ quantity: text, unit_price: 1 })] });
        expect(JSON.stringify(line["quantity"])).toBe(text.replace(/\.?0+$/, ""));
      }),
      { numRuns: 200 },
    );
  });
});

describe("the whole payload", () => {
  test("of a previewed sales invoice has no book yet", () => {
    expect(buildPayload(buildSending("1.1"))).toEqual({
      external_id: ID,
      invoice_type_code: "1.1",
      billing_book_id: null,
      payment_method_type: 1,
      net_total_amount: 8.33,
      vat_total_amount: 2,
      total_amount: 10.33,
      payable_total_amount: 10.33,
      counterpart: {
        name: "Παράδειγμα ΑΕ",
        country_code: "GR",
        vat: "094012834",
        city: "Αθήνα",
        street: "Ερμού",
        number: "1",
        postal_code: "10563",
      },
      invoice_lines: [
        {
          line_number: 1,
          name: "Καφές",
          quantity: 2.5,
          quantity_type: 1,
          unit_price: 3.33,
          net_total_price: 8.33,
          vat_rate: 24,
          vat_total: 2,
          subtotal: 10.33,
          classification_category: "category1_1",
          classification_type: "E3_561_001",
        },
      ],
    });
  });

  test("that is sent differs from the preview only in what was looked up", () => {
    const document = buildSending("2.1", {
      supplier: { tax_id: { country: "GR", code: "123456783" }, branch: 2 },
    });
    const preview = buildPayload(document);
    const counterpart = { name: "Άλλη" };
    const sent = buildPayload(document, { bookId: "book", branchId: "branch", counterpart });
    expect(preview).toMatchObject({ billing_book_id: null, branch: null });
    expect(sent).toEqual({ ...preview, billing_book_id: "book", branch: "branch", counterpart });
  });

  test("of a receipt has a generic counterpart", () => {
    expect(buildPayload(buildSending("11.2"))["counterpart"]).toEqual({ name: "Πελάτης λιανικής" });
  });

  test("has only the tax number of a Greek customer without name and address", () => {
    const payload = buildPayload(buildSending("1.1", { customer: CUSTOMERS.greek }));
    expect(payload["counterpart"]).toEqual({ country_code: "GR", vat: "094012834" });
  });

  test("has the credited MARKs only for a credit note of type 5.1", () => {
    const marks = ["400001234567890", "400001234567891"];
    expect(buildPayload(buildSending("5.1", { original_marks: marks }))["correlated_invoices"]).toEqual(
      marks,
    );
    expect(buildPayload(buildSending("5.2"))).not.toHaveProperty("correlated_invoices");
  });

  test.each([
    ["1.1", CUSTOMERS.eu, "1.2", "DE"],
    ["1.1", CUSTOMERS.abroad, "1.3", "CH"],
    ["2.1", CUSTOMERS.eu, "2.2", "DE"],
    ["1.1", NORTHERN_IRELAND, "1.2", "GB"],
  ] as const)(
    "of %s to a customer abroad has the type sent to the authority",
    (type, customer, sentType, country) => {
      expect(buildPayload(buildSending(type, { customer }))).toMatchObject({
        invoice_type_code: sentType,
        counterpart: { country_code: country },
      });
    },
  );

  test("has a number only if the document has an explicit one", () => {
    const document = buildSending("1.1");
    expect(buildPayload(document)).not.toHaveProperty("num");
    expect(buildPayload({ ...document, series: "A", number: 12 })).toMatchObject({ num: 12 });
  });

  test("leaves out the branch of the head office", () => {
    expect(buildPayload(buildSending("1.1"))).not.toHaveProperty("branch");
  });
});

describe("codes", () => {
  const CODES = {
    cash: 0,
    on_credit: 1,
    domestic_account: 2,
    pos: 3,
    cheque: 4,
    foreign_account: 5,
    web_banking: 6,
    iris: 7,
  } as const;

  test("exist for every payment method", () => {
    expect(Object.keys(CODES).sort()).toEqual(Object.keys(PAYMENT_METHODS).sort());
  });

  test.each(Object.entries(CODES))("%s is %d", (method, code) => {
    const payments = [
      { method: method as keyof typeof CODES, amount: 33 },
      { method: method as keyof typeof CODES, amount: 1000 },
    ];
    expect(buildPayload(buildSending("11.1", { payments }))["payment_method_type"]).toBe(code);
  });

  test.each(Object.entries(VAT_CATEGORIES))(
    "VAT %s is sent as its percentage",
    (category, { ratePercent }) => {
      const line = lineOf("11.1", { lines: [buildLine({ vat_category: category as VatCategory })] });
      expect(line["vat_rate"]).toBe(ratePercent);
      expect([0, 3, 4, 6, 9, 13, 17, 24]).toContain(line["vat_rate"]);
      expect(line["vat_exemption_code"]).toBe(ratePercent === 0 ? 27 : undefined);
    },
  );

  test("a category without a type is sent with an underscore", () => {
    const lines = [buildLine({ income_classification: { category: "category1_95" } })];
    expect(lineOf("1.1", { lines })).toMatchObject({
      classification_category: "category1_95",
      classification_type: "_",
    });
  });

  test("units have the authority's codes", () => {
    expect(lineOf("1.1", { lines: [buildLine({ unit: "square_metre" })] })["quantity_type"]).toBe(5);
  });
});

/** The first line as sent. */
function lineOf(...document: Parameters<typeof buildSending>): Record<string, unknown> {
  const [line] = buildPayload(buildSending(...document))["invoice_lines"] as Record<string, unknown>[];
  return line!;
}

test("a payload contains nothing about the supplier, whom the account identifies", () => {
  const name = "Πωλητής ΑΕ";
  const supplier = { tax_id: { country: "GR", code: "123456783" }, name };
  const text = JSON.stringify(buildPayload(buildSending("1.1", { supplier, customer: WHOLE_CUSTOMER })));
  expect(text).not.toContain("123456783");
  expect(text).not.toContain(name);
});

const pay = (...methods: ("cash" | "pos")[]) => methods.map((method) => ({ method, amount: 1 }));

test.each([
  ["today with one payment", "2026-11-02", pay("cash"), []],
  ["today without payments", "2026-11-02", undefined, []],
  ["several payments of one method", "2026-11-02", pay("pos", "pos"), []],
  ["another day", "2026-11-01", undefined, ["issue_date"]],
  ["several methods", "2026-11-02", pay("cash", "pos"), ["payments"]],
  ["both", "2026-11-03", pay("cash", "pos"), ["issue_date", "payments"]],
])("the check finds what the provider cannot issue: %s", (_name, issue_date, payments, paths) => {
  const problems = checkForProviderA({ ...buildParsed("1.1"), issue_date, payments }, "2026-11-02");
  expect(problems.map(({ path }) => path)).toEqual(paths);
});

const FOUND = { name: "ΠΑΡΑΔΕΙΓΜΑ ΑΕ", street: "ΕΡΜΟΥ", number: "1", postal_code: "10563", city: "ΑΘΗΝΑ" };
const GREEK = { country_code: "GR", vat: "094012834" };

test("the missing fields of a business are listed by their paths, and a retail customer lacks none", () => {
  const missing = ["street", "number", "postal_code", "city"].map((field) => `customer.address.${field}`);
  expect(missingPaths({ ...GREEK, name: "N", city: " " })).toEqual(missing);
  expect(missingPaths({ ...GREEK, ...FOUND })).toEqual([]);
  expect(missingPaths({ name: "Πελάτης λιανικής" })).toEqual([]);
});

describe("a customer is completed", () => {
  const { name, ...address } = FOUND;
  const athens = { postal_code: "10563", city: "Αθήνα" };
  const elsewhere = { postal_code: "54624", city: "Θεσσαλονίκη" };
  test.each([
    ["fully", {}, FOUND],
    ["with an address, but not with another name", { name: "Δικό του" }, { ...address, name: "Δικό του" }],
    [
      "with the street of its postal code",
      { ...athens, postal_code: "105 63" },
      { street: "ΕΡΜΟΥ", number: "1" },
    ],
    ["with the number of its street", { ...athens, street: "Ερμού" }, { number: "1" }],
    ["without the number of another street", { ...athens, street: "Σταδίου" }, {}],
    ["without the street of another place", elsewhere, {}],
    ["without the street if a number was given", { ...athens, number: "9" }, {}],
    ["with a name alone if nothing else was found", {}, { name: "N" }, { name: "N" }],
  ])("%s", (_case, known, added, found = FOUND) => {
    expect(completeWith({ ...GREEK, ...known }, found)).toEqual({ ...GREEK, name, ...known, ...added });
  });
});

describe("the lookup's response", () => {
  const BODY = {
    vat_no: "094012834",
    name: " ΠΑΡΑΔΕΙΓΜΑ ΑΕ  ",
    city: "ΑΘΗΝΑ",
    address: "ΕΡΜΟΥ",
    postal_code: "10563",
    street_number: 1,
  };

  test("is read and trimmed", () => {
    expect(readFound(BODY, "094012834")).toEqual(FOUND);
    expect(readFound({ ...BODY, vat_no: "EL094012834", address: "  " }, "094012834")).not.toHaveProperty(
      "street",
    );
  });

  test.each([
    ["about another number", { ...BODY, vat_no: "999999999" }],
    ["without a number", { name: "N" }],
    ["that is not an object", []],
  ])("%s is not used", (_name, body) => {
    expect(readFound(body, "094012834")).toBe("unreadable");
  });
});
