/** Validates sent messages against the authority's own schema, and the totals that it checks. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  DOCUMENT_TYPES,
  INCOME_CATEGORIES,
  INCOME_TYPES,
  PAYMENT_METHODS,
  VAT_CATEGORIES,
  type VatCategory,
} from "../../../src/domain/canonical-document.ts";
import type { OutgoingDocument } from "../../../src/domain/provider-adapter.ts";
import { centsOf } from "../../../src/providers/registry-direct/answers.ts";
import { buildInvoicesDoc } from "../../../src/providers/registry-direct/payload.ts";
import { checkForRegistry } from "../../../src/providers/registry-direct/precheck.ts";
import { TAX_KINDS } from "../../../src/domain/taxes.ts";
import { allAt, find, textAt, type XmlElement } from "../../../src/providers/registry-direct/answers.ts";
import { writeXml } from "../../../src/providers/registry-direct/xml.ts";
import {
  buildLine,
  buildOutgoing,
  CUSTOMERS,
  type DocumentInput,
  isRetail,
} from "../../helpers/documents.ts";
import { authoritySchema } from "../../helpers/authority-files.ts";
import { readXml } from "./bench.ts";

const { path: SCHEMA, missing } = authoritySchema("InvoicesDoc");

/** xmllint's messages, one for each invalid value; empty if all are valid. */
function validate(documents: readonly OutgoingDocument[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "fiscal-xsd-"));
  try {
    const file = join(folder, "message.xml");
    writeFileSync(file, writeXml(buildInvoicesDoc(documents)));
    execFileSync("xmllint", ["--noout", "--schema", SCHEMA, file], { stdio: "pipe" });
    return [];
  } catch (error) {
    const { stderr } = error as { stderr?: Buffer };
    if (stderr === undefined) throw error;
    return stderr
      .toString()
      .split("\n")
      .filter((line) => line.includes("validity error"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Every type with every kind of customer that it has and every VAT category, with and without a declared transmission failure. */
const EVERY_KIND = DOCUMENT_TYPES.flatMap((type) =>
  (isRetail(type) ? (["greek"] as const) : (["greek", "eu", "abroad"] as const)).flatMap((market) =>
    (Object.keys(VAT_CATEGORIES) as VatCategory[]).flatMap((category) =>
      [undefined, "3"].map((failure) => {
        const customer = isRetail(type) ? {} : { customer: { ...CUSTOMERS[market], branch: 3 } };
        const lines = [buildLine({ vat_category: category }), buildLine({ unit_price: 0 })];
        return buildOutgoing(
          type,
          { ...customer, lines },
          failure === undefined ? {} : { metadata: { transmission_failure: failure } },
        );
      }),
    ),
  ),
);

const LAST_CATEGORIES = { withheld: 18, fees: 22, other: 30, stamp: 4 } as const;

/** Every type with every kind of tax besides VAT, with and without category and base. */
const TAXED = DOCUMENT_TYPES.map((type) =>
  buildOutgoing(type, {
    taxes: TAX_KINDS.flatMap((kind) => [
      { kind, amount: 1 },
      {
        kind,
        amount: 1,
        base: 833,
        ...(kind === "deductions" ? {} : { category: LAST_CATEGORIES[kind] }),
      },
    ]),
  }),
);

/** An amount at the schema's limit, which no line reaches. */
function withPayment(amount: number): OutgoingDocument {
  return { ...buildOutgoing("11.1"), payments: [{ method: "cash", amount }] };
}

const country = (code: string) => ({ ...CUSTOMERS.abroad, tax_id: { country: code, code: "123456789" } });
const classified = (pairs: OutgoingDocument["classifications"]) =>
  buildOutgoing("1.1", { lines: pairs.map(() => buildLine()) }, { classifications: pairs });

/** At the limits of what is accepted. */
const AT_THE_LIMITS: OutgoingDocument[] = [
  buildOutgoing("1.1", { lines: Array.from({ length: 1000 }, () => buildLine()) }),
  buildOutgoing("5.1", {
    original_marks: ["9223372036854775807", ...Array.from({ length: 999 }, (_, index) => String(index + 1))],
  }),
  withPayment(999_999_999_999_999),
  withPayment(1_000_000_000_000_000),
  withPayment(1_249_999_999_999_990),
  withPayment(0),
  buildOutgoing("11.4", { original_marks: ["400000000000001", "400000000000002"] }),
  buildOutgoing("5.2", { customer: country("XI") }),
  buildOutgoing("1.1", {}, { vatPaymentSuspension: true }),
  buildOutgoing("5.2", {
    customer: {
      tax_id: { country: "US", code: "9".repeat(30) },
      name: "<&>\"'".repeat(40),
      address: {
        street: "Ω".repeat(150),
        number: "9".repeat(20),
        postal_code: "1".repeat(20),
        city: "ß".repeat(150),
      },
      branch: 9999,
    },
  }),
  buildOutgoing("1.1", {}, { series: "Ώ".repeat(20), number: 999_999_999_999 }),
  classified(INCOME_CATEGORIES.map((category) => ({ category, type: "E3_561_001" }))),
  classified(INCOME_TYPES.map((type) => ({ category: "category1_1", type }))),
  classified([{ category: "category1_95", type: null }]),
  buildOutgoing("11.1", {
    lines: Array.from({ length: 31 }, (_, index) =>
      buildLine({ vat_category: "exempt", vat_exemption: index + 1 }),
    ),
    payments: (Object.keys(PAYMENT_METHODS) as (keyof typeof PAYMENT_METHODS)[]).map((method, index) => ({
      method,
      amount: index === 0 ? 31 * 833 : 0,
    })),
  }),
];

describe("against the schema", () => {
  test("every type, kind of customer and VAT category is valid", ({ skip }) => {
    skip(missing !== false, String(missing));
    expect(EVERY_KIND).toHaveLength((4 * 3 + 3) * 7 * 2);
    expect(validate([...EVERY_KIND, ...TAXED])).toEqual([]);
  });

  test("so is everything at the limits of what is accepted", ({ skip }) => {
    skip(missing !== false, String(missing));
    for (const { input } of AT_THE_LIMITS) expect(checkForRegistry(input).problems).toEqual([]);
    expect(validate(AT_THE_LIMITS)).toEqual([]);
  });

  test.for([
    ["a country without a code", buildOutgoing("5.2", { customer: country("CW") }), "country"],
    [
      "a MARK beyond its type",
      buildOutgoing("5.1", { original_marks: ["9223372036854775808"] }),
      "correlatedInvoices",
    ],
    ["an amount of 16 digits", withPayment(1_000_000_000_000_001), "amount"],
  ] as const)("and %s, which is rejected earlier, is not", ([, document, element], { skip }) => {
    skip(missing !== false, String(missing));
    const errors = validate([document]);
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) expect(error).toContain(`}${element}'`);
  });
});

const amountAt = (element: XmlElement, ...path: string[]) => centsOf(textAt(element, ...path))!;
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

/** The classifications of `elements`, summed for each pair. */
function pairsOf(elements: readonly XmlElement[]): Map<string, bigint> {
  const pairs = new Map<string, bigint>();
  for (const classification of elements.flatMap((element) => allAt(element, "incomeClassification"))) {
    const name = `${textAt(classification, "classificationType")} ${textAt(classification, "classificationCategory")}`;
    pairs.set(name, (pairs.get(name) ?? 0n) + amountAt(classification, "amount"));
  }
  return pairs;
}

test("the sent amounts add up to the cent for any lines", () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 999_999_999 }).map((thousandths) => (thousandths / 1000).toFixed(3)),
    unit_price: fc.integer({ min: 0, max: 1_000_000 }),
    vat_category: fc.constantFrom(...(Object.keys(VAT_CATEGORIES) as VatCategory[])),
    income_classification: fc.constantFrom(
      { category: "category1_1" as const, type: "E3_561_003" as const },
      { category: "category1_2" as const, type: "E3_561_003" as const },
      { category: "category1_95" as const },
    ),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 30 }), (lines) => {
      const overrides: Partial<DocumentInput> = { lines: lines.map((given) => buildLine(given)) };
      const document = buildOutgoing("11.1", overrides);
      const [invoice] = readXml(writeXml(buildInvoicesDoc([document])))!.children;
      const details = allAt(invoice!, "invoiceDetails");
      const summary = find(invoice!, "invoiceSummary")!;
      const net = sum(details.map((detail) => amountAt(detail, "netValue")));
      const vat = sum(details.map((detail) => amountAt(detail, "vatAmount")));
      expect(details).toHaveLength(lines.length);
      expect(amountAt(summary, "totalNetValue")).toBe(net);
      expect(amountAt(summary, "totalVatAmount")).toBe(vat);
      expect(amountAt(summary, "totalGrossValue")).toBe(net + vat);
      expect(amountAt(find(invoice!, "paymentMethods")!, "paymentMethodDetails", "amount")).toBe(net + vat);
      expect(pairsOf([summary])).toEqual(pairsOf(details));
      expect(allAt(summary, "incomeClassification")).toHaveLength(pairsOf(details).size);
      for (const detail of details) {
        expect(sum([...pairsOf([detail]).values()])).toBe(amountAt(detail, "netValue"));
      }
    }),
  );
});
