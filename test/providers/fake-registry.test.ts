/** The fakes notice what the providers would reject: the authority by its schema, the licensed provider by its requests. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { authorityFile, authoritySchema } from "../helpers/authority-files.ts";
import { findFormError } from "../helpers/fake-registry/form.ts";
import { startFakeProviderA } from "../helpers/fake-provider-a.ts";

const SCHEMA = authoritySchema("InvoicesDoc");
const EXAMPLES = authorityFile("mydata/examples");

const COUNTERPART =
  "<counterpart><vatNumber>094012834</vatNumber><country>GR</country><branch>0</branch></counterpart>";
const LINE =
  "<invoiceDetails><lineNumber>1</lineNumber><netValue>10</netValue><vatCategory>1</vatCategory><vatAmount>2.4</vatAmount>" +
  "<incomeClassification><icls:classificationType>E3_561_001</icls:classificationType><icls:classificationCategory>category1_1</icls:classificationCategory><icls:amount>10</icls:amount></incomeClassification></invoiceDetails>";
const SUMMARY =
  "<invoiceSummary><totalNetValue>10</totalNetValue><totalVatAmount>2.4</totalVatAmount><totalWithheldAmount>0</totalWithheldAmount><totalFeesAmount>0</totalFeesAmount><totalStampDutyAmount>0</totalStampDutyAmount><totalOtherTaxesAmount>0</totalOtherTaxesAmount><totalDeductionsAmount>0</totalDeductionsAmount><totalGrossValue>12.4</totalGrossValue>" +
  "<incomeClassification><icls:classificationType>E3_561_001</icls:classificationType><icls:classificationCategory>category1_1</icls:classificationCategory><icls:amount>10</icls:amount></incomeClassification></invoiceSummary>";

function invoice(type = "1.1"): string {
  return [
    "<invoice><issuer><vatNumber>123456783</vatNumber><country>GR</country><branch>0</branch></issuer>",
    COUNTERPART,
    `<invoiceHeader><series>A</series><aa>1</aa><issueDate>2026-11-02</issueDate><invoiceType>${type}</invoiceType><currency>EUR</currency>`,
    type === "5.1" ? "<correlatedInvoices>400001234567890</correlatedInvoices>" : "",
    "</invoiceHeader><paymentMethods><paymentMethodDetails><type>5</type><amount>12.4</amount></paymentMethodDetails></paymentMethods>",
    `${LINE}${SUMMARY}</invoice>`,
  ].join("");
}

function message(...invoices: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><InvoicesDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0" xmlns:icls="https://www.aade.gr/myDATA/incomeClassificaton/v1.0">${invoices.join("")}</InvoicesDoc>`;
}

describe("the form of a message", () => {
  const examples = existsSync(EXAMPLES.path)
    ? ["1.1", "1.2", "2.1", "2.2", "5.1", "5.2", "11.1", "11.2"].map((type): [string, string] => [
        type,
        readFileSync(join(EXAMPLES.path, `${type}.xml`), "utf8"),
      ])
    : [];

  test("accepts every minimal document of docs/authority.md, and these tests' messages", () => {
    for (const [type, xml] of examples) expect([type, findFormError(xml)]).toEqual([type, undefined]);
    expect(findFormError(message(invoice(), invoice("5.1")))).toBeUndefined();
  });

  /** Ways to change a message; some leave it valid. */
  const CHANGES: [string, (xml: string) => string][] = [
    ["nothing", (xml) => xml],
    ["two elements swapped", (xml) => xml.replace(/(<series>.*?<\/series>)(<aa>.*?<\/aa>)/, "$2$1")],
    ["an element missing", (xml) => xml.replace(/<vatCategory>.*?<\/vatCategory>/, "")],
    ["an element twice", (xml) => xml.replace(/(<aa>.*?<\/aa>)/, "$1$1")],
    ["an unknown element", (xml) => xml.replace("<invoiceHeader>", "<invoiceHeader><colour>red</colour>")],
    [
      "an optional element",
      (xml) => xml.replace("</currency>", "</currency><exchangeRate>1.2</exchangeRate>"),
    ],
    ["no payments", (xml) => xml.replace(/<paymentMethods>.*?<\/paymentMethods>/s, "")],
    ["no lines", (xml) => xml.replaceAll(/<invoiceDetails>.*?<\/invoiceDetails>/gs, "")],
    ["children of a classification in another namespace", (xml) => xml.replaceAll("icls:amount", "amount")],
    [
      "a namespace of another spelling",
      (xml) => xml.replace("incomeClassificaton/v1.0", "incomeClassification/v1.0"),
    ],
    [
      "a prefix for all",
      (xml) => xml.replace('xmlns="', 'xmlns:inv="').replaceAll(/<(\/?)(?=[a-zA-Z])(?!icls:)/g, "<$1inv:"),
    ],
    ["an amount of three decimals", (xml) => xml.replace(/<netValue>.*?</, "<netValue>1.234<")],
    ["an amount below 0", (xml) => xml.replace(/<netValue>.*?</, "<netValue>-1.00<")],
    ["an empty series", (xml) => xml.replace(/<series>.*?</, "<series><")],
    ["a day of another form", (xml) => xml.replace("2026-11-02", "02/11/2026")],
    ["a type that there is not", (xml) => xml.replace(/<invoiceType>.*?</, "<invoiceType>1.9<")],
    ["a country that there is not", (xml) => xml.replace("<country>GR<", "<country>EL<")],
    ["a VAT category that there is not", (xml) => xml.replace(/<vatCategory>.*?</, "<vatCategory>11<")],
    ["text between elements", (xml) => xml.replace("<invoiceHeader>", "<invoiceHeader>text")],
    ["another root", (xml) => xml.replaceAll("InvoicesDoc", "InvoiceDoc")],
    ["half of it", (xml) => xml.slice(0, xml.length / 2)],
  ];

  test.for(CHANGES)("gets the same verdict as from the authority's schema: %s", ([, change], { skip }) => {
    const missing = SCHEMA.missing || EXAMPLES.missing;
    skip(missing !== false, String(missing));
    for (const [type, xml] of examples) {
      const input = change(xml.replaceAll(/>\s+</g, "><"));
      const { status } = spawnSync("xmllint", ["--noout", "--schema", SCHEMA.path, "-"], { input });
      expect([type, findFormError(input) === undefined]).toEqual([type, status === 0]);
    }
  });
});

test("reports invalid requests and unused faults when it is closed", async () => {
  const fake = await startFakeProviderA({ tenants: [] });
  await fetch(`${fake.url}/invoice`);
  fake.next({ kind: "empty", done: false });
  await expect(fake.close()).rejects.toThrow(/no such address here\nnothing met the fault/);
});
