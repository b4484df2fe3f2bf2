/** Builds the authority's format (docs/authority.md#payload). */
import { describe, expect, test } from "vitest";
import { VAT_CATEGORIES, type VatCategory } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import type { OutgoingDocument } from "../../src/domain/provider-adapter.ts";
import { buildInvoice, buildInvoicesDoc } from "../../src/providers/registry-direct/payload.ts";
import type { XmlElement } from "../../src/providers/registry-direct/answers.ts";
import { writeXml } from "../../src/providers/registry-direct/xml.ts";
import {
  buildLine,
  buildOutgoing,
  CUSTOMERS,
  isRetail,
  NORTHERN_IRELAND,
  SUPPLIER,
  TODAY,
} from "../helpers/documents.ts";
import { readInvoices } from "../helpers/fake-registry/documents.ts";
import { readXml } from "./registry-direct/bench.ts";

const CATEGORIES = Object.keys(VAT_CATEGORIES) as VatCategory[];
const MARKETS = ["greek", "eu", "abroad"] as const;

interface Case {
  name: string;
  document: OutgoingDocument;
}

/** What the header and the invoice have only on request. */
const DECLARED: Case = {
  name: "1.1, with cash accounting and a transmission failure",
  document: buildOutgoing("1.1", {}, { vatPaymentSuspension: true, metadata: { transmission_failure: "3" } }),
};

/** Every type with each of its markets and every VAT category. */
const CASES: Case[] = DOCUMENT_TYPES.flatMap((type) =>
  (isRetail(type) ? (["greek"] as const) : MARKETS).flatMap((market) =>
    CATEGORIES.map((category) => {
      const customer = isRetail(type) ? {} : { customer: CUSTOMERS[market] };
      const lines = [buildLine({ vat_category: category })];
      const name = isRetail(type) ? `${type}, ${category}` : `${type}, ${market}, ${category}`;
      return { name, document: buildOutgoing(type, { ...customer, lines }) };
    }),
  ),
);

/** The children of elements in the schema's order; `?` is optional, `+` one or more, `*` any number. */
const CHILDREN: Readonly<Record<string, string>> = {
  InvoicesDoc: "invoice+",
  invoice:
    "transmissionFailure? issuer counterpart? invoiceHeader paymentMethods invoiceDetails+ invoiceSummary",
  issuer: "vatNumber country branch",
  counterpart: "vatNumber country branch name? address?",
  address: "street? number? postalCode city",
  invoiceHeader:
    "series aa issueDate invoiceType vatPaymentSuspension? currency correlatedInvoices* specialInvoiceCategory? multipleConnectedMarks*",
  paymentMethods: "paymentMethodDetails+",
  paymentMethodDetails: "type amount",
  invoiceDetails: "lineNumber netValue vatCategory vatAmount vatExemptionCategory? incomeClassification+",
  incomeClassification: "classificationType? classificationCategory amount",
  invoiceSummary:
    "totalNetValue totalVatAmount totalWithheldAmount totalFeesAmount totalStampDutyAmount totalOtherTaxesAmount totalDeductionsAmount totalGrossValue incomeClassification+",
};

/** The elements whose children are not those of the schema, or in another order (docs/authority.md#element-order). */
function misplacedIn({ name, children }: XmlElement): string[] {
  const order = (CHILDREN[name] ?? "").replaceAll(/(\w+)([?*+]?)\s*/g, "(?:$1 )$2");
  const isOrdered = new RegExp(`^${order}$`).test(children.map((child) => `${child.name} `).join(""));
  return [...(isOrdered ? [] : [name]), ...children.flatMap(misplacedIn)];
}

test.each([...CASES, DECLARED])(
  "elements are in the schema's order, and none is one that the authority rejects: $name",
  ({ document }) => {
    const xml = writeXml(buildInvoicesDoc([document]));
    expect(misplacedIn(readXml(xml)!)).toEqual([]);
    const codes = readInvoices(xml, TODAY)!.flatMap(({ errors }) => errors.map(({ code }) => code));
    // VAT abroad is left to the authority (docs/authority.md#line-vat).
    expect(codes.filter((code) => code !== "215")).toEqual([]);
  },
);

test("a whole message, as in a preview", () => {
  const document = buildOutgoing("1.1", { customer: { ...CUSTOMERS.eu, branch: 2 } });
  const classification = {
    "icls:classificationType": "E3_561_005",
    "icls:classificationCategory": "category1_1",
    "icls:amount": "8.33",
  };
  expect(buildInvoicesDoc([document])).toEqual({
    InvoicesDoc: {
      "@_xmlns": "http://www.aade.gr/myDATA/invoice/v1.0",
      "@_xmlns:icls": "https://www.aade.gr/myDATA/incomeClassificaton/v1.0",
      invoice: [
        {
          issuer: { vatNumber: SUPPLIER, country: "GR", branch: "0" },
          counterpart: {
            vatNumber: "123456789",
            country: "DE",
            branch: "2",
            name: "Muster GmbH",
            address: { street: "Hauptstraße", number: "1", postalCode: "10115", city: "Berlin" },
          },
          invoiceHeader: {
            series: "TIM",
            aa: "57",
            issueDate: "2026-11-02",
            invoiceType: "1.2",
            currency: "EUR",
          },
          paymentMethods: { paymentMethodDetails: [{ type: "5", amount: "10.33" }] },
          invoiceDetails: [
            {
              lineNumber: "1",
              netValue: "8.33",
              vatCategory: "1",
              vatAmount: "2.00",
              incomeClassification: [classification],
            },
          ],
          invoiceSummary: {
            totalNetValue: "8.33",
            totalVatAmount: "2.00",
            totalWithheldAmount: "0.00",
            totalFeesAmount: "0.00",
            totalStampDutyAmount: "0.00",
            totalOtherTaxesAmount: "0.00",
            totalDeductionsAmount: "0.00",
            totalGrossValue: "10.33",
            incomeClassification: [classification],
          },
        },
      ],
    },
  });
});

describe("values", () => {
  test.each([[false], [true]])(
    "cash accounting (%s) is declared only if it applies",
    (vatPaymentSuspension) => {
      const { invoiceHeader } = buildInvoice(buildOutgoing("1.1", {}, { vatPaymentSuspension }));
      expect(
        Object.entries(invoiceHeader as object).filter(([name]) => name === "vatPaymentSuspension"),
      ).toEqual(vatPaymentSuspension ? [["vatPaymentSuspension", "true"]] : []);
    },
  );

  test("Northern Ireland is sent as GB", () => {
    expect(buildInvoice(buildOutgoing("1.1", { customer: NORTHERN_IRELAND }))).toMatchObject({
      counterpart: { country: "GB" },
    });
  });

  test("a credit note has the MARK of every credited document", () => {
    const marks = ["400001234567890", "400001234567891"];
    expect(buildInvoice(buildOutgoing("5.1", { original_marks: marks }))).toMatchObject({
      invoiceHeader: { correlatedInvoices: marks },
    });
    const retail = buildInvoice(buildOutgoing("11.4", { original_marks: marks }))["invoiceHeader"];
    expect(retail).toMatchObject({ multipleConnectedMarks: marks });
    expect(retail).not.toHaveProperty("correlatedInvoices");
    expect(retail).not.toHaveProperty("specialInvoiceCategory");
  });

  test("a retail credit note that names no MARK says that it cannot", () => {
    expect(buildInvoice(buildOutgoing("11.4"))["invoiceHeader"]).toMatchObject({
      specialInvoiceCategory: "13",
    });
    expect(buildInvoice(buildOutgoing("11.1"))["invoiceHeader"]).not.toHaveProperty("specialInvoiceCategory");
  });

  test("the summary has one entry for each pair, with the sum of its lines", () => {
    const pairs = [
      { category: "category1_1", type: "E3_561_001" },
      { category: "category1_95", type: null },
      { category: "category1_1", type: "E3_561_001" },
    ];
    const lines = [buildLine(), buildLine({ unit_price: 100 }), buildLine({ unit_price: 200 })];
    const invoice = buildInvoice(buildOutgoing("1.1", { lines }, { classifications: pairs }));
    expect(invoice["invoiceSummary"]).toMatchObject({
      totalNetValue: "15.83",
      incomeClassification: [
        {
          "icls:classificationType": "E3_561_001",
          "icls:classificationCategory": "category1_1",
          "icls:amount": "13.33",
        },
        { "icls:classificationCategory": "category1_95", "icls:amount": "2.50" },
      ],
    });
  });

  test.each(["series", "number"] as const)("nothing is built without a %s", (name) => {
    expect(() => buildInvoice(buildOutgoing("1.1", {}, { [name]: null }))).toThrow(
      `has no ${name} to be sent with`,
    );
  });
});
