/** Tests the fake tax authority itself against docs/authority.md, before it judges the product. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLParser } from "fast-xml-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { authorityFile, authoritySchema } from "../helpers/authority-files.ts";
import { findFormError } from "../helpers/fake-registry/form.ts";
import { type FakeRegistry, startFakeRegistry } from "../helpers/fake-registry/server.ts";

const ACCOUNT = { userId: "user", key: "key", vat: "123456783" };
const NOW_MS = Date.parse("2026-11-21T09:00:00.000Z");
const SCHEMA = authoritySchema("InvoicesDoc");
const EXAMPLES = authorityFile("mydata/examples");

let registry: FakeRegistry;
beforeEach(async () => {
  registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], pageSize: 2, nowMs: () => NOW_MS });
});
afterEach(() => registry.close());

async function ask(verb: string, path: string, body?: string, key = ACCOUNT.key) {
  const response = await fetch(`${registry.url}/${path}`, {
    method: verb,
    headers: { "AADE-User-Id": ACCOUNT.userId, "Ocp-Apim-Subscription-Key": key },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => ["response", "error", "invoice"].includes(name),
});

/** The responses to a send or a cancellation. */
async function responsesTo(path: string, body?: string) {
  const { text } = await ask("POST", path, body);
  return parser.parse(text).ResponseDoc.response;
}

/** The MARKs of every page, and the number of pages. */
async function list(query: string): Promise<{ marks: string[]; pages: number }> {
  const marks: string[] = [];
  let token = "";
  for (let pages = 1; ; pages += 1) {
    const { text } = await ask("GET", `RequestTransmittedDocs?${query}${token}`);
    const { invoicesDoc, continuationToken: next } = parser.parse(text).RequestedDoc || {};
    for (const { mark } of invoicesDoc?.invoice ?? []) marks.push(mark);
    if (next === undefined) return { marks, pages };
    token = `&nextPartitionKey=${next.nextPartitionKey}&nextRowKey=${next.nextRowKey}`;
  }
}

interface Parts {
  series?: string;
  aa?: string;
  date?: string;
  type?: string;
  vat?: string;
  branch?: string;
}

const COUNTERPART =
  "<counterpart><vatNumber>094012834</vatNumber><country>GR</country><branch>0</branch></counterpart>";
const LINE =
  "<invoiceDetails><lineNumber>1</lineNumber><netValue>10</netValue><vatCategory>1</vatCategory><vatAmount>2.4</vatAmount>" +
  "<incomeClassification><icls:classificationType>E3_561_001</icls:classificationType><icls:classificationCategory>category1_1</icls:classificationCategory><icls:amount>10</icls:amount></incomeClassification></invoiceDetails>";
const SUMMARY =
  "<invoiceSummary><totalNetValue>10</totalNetValue><totalVatAmount>2.4</totalVatAmount><totalWithheldAmount>0</totalWithheldAmount><totalFeesAmount>0</totalFeesAmount><totalStampDutyAmount>0</totalStampDutyAmount><totalOtherTaxesAmount>0</totalOtherTaxesAmount><totalDeductionsAmount>0</totalDeductionsAmount><totalGrossValue>12.4</totalGrossValue>" +
  "<incomeClassification><icls:classificationType>E3_561_001</icls:classificationType><icls:classificationCategory>category1_1</icls:classificationCategory><icls:amount>10</icls:amount></incomeClassification></invoiceSummary>";

function invoice(parts: Parts = {}): string {
  const {
    series = "A",
    aa = "1",
    date = "2026-11-02",
    type = "1.1",
    vat = ACCOUNT.vat,
    branch = "0",
  } = parts;
  const isRetail = type.startsWith("11.");
  return [
    `<invoice><issuer><vatNumber>${vat}</vatNumber><country>GR</country><branch>${branch}</branch></issuer>`,
    isRetail ? "" : COUNTERPART,
    `<invoiceHeader><series>${series}</series><aa>${aa}</aa><issueDate>${date}</issueDate><invoiceType>${type}</invoiceType><currency>EUR</currency>`,
    type === "5.1" ? "<correlatedInvoices>400001234567890</correlatedInvoices>" : "",
    "</invoiceHeader><paymentMethods><paymentMethodDetails><type>5</type><amount>12.4</amount></paymentMethodDetails></paymentMethods>",
    `${LINE}${SUMMARY}</invoice>`,
  ].join("");
}

function message(...invoices: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?><InvoicesDoc xmlns="http://www.aade.gr/myDATA/invoice/v1.0" xmlns:icls="https://www.aade.gr/myDATA/incomeClassificaton/v1.0">${invoices.join("")}</InvoicesDoc>`;
}

describe("filing", () => {
  test("rejects a wrong key as recorded, and a tax number other than the account's with 105", async () => {
    const refused = await ask("POST", "SendInvoices", message(invoice()), "other");
    expect(refused.status).toBe(401);
    expect(JSON.parse(refused.text)).toMatchObject({
      statusCode: 401,
      message: expect.stringMatching(/^Access denied due to invalid subscription key\./),
    });
    expect(await responsesTo("SendInvoices", message(invoice({ vat: "094012834" })))).toMatchObject([
      { errors: { error: [{ code: "105" }, { code: "235" }] } },
    ]);
    expect(registry.ledger).toEqual([]);
  });

  test.each<[string, string, (valid: string) => string]>([
    ["207", "a net total that differs", (xml) => xml.replace(/<totalNetValue>10</, "<totalNetValue>10.01<")],
    [
      "209",
      "a VAT total that differs",
      (xml) => xml.replace("<totalVatAmount>2.4<", "<totalVatAmount>2.41<"),
    ],
    ["202", "a wrong check digit", (xml) => xml.replace("094012834", "094012835")],
    ["204", "no counterpart", (xml) => xml.replace(COUNTERPART, "")],
    ["212", "a number that is none", (xml) => xml.replace("<aa>1<", "<aa>A1<")],
    ["217", "no cause of an exemption", (xml) => xml.replace("<vatCategory>1<", "<vatCategory>7<")],
    ["218", "VAT where there is none", (xml) => xml.replace("<vatCategory>1<", "<vatCategory>7<")],
    [
      "219",
      "a Greek issuer's name",
      (xml) => xml.replace("<branch>0</branch></issuer>", "<branch>0</branch><name>Α</name></issuer>"),
    ],
    [
      "220",
      "a Greek counterpart's name",
      (xml) =>
        xml.replace("<branch>0</branch></counterpart>", "<branch>0</branch><name>Α</name></counterpart>"),
    ],
    [
      "242",
      "a foreign counterpart",
      (xml) =>
        xml.replace(
          "<vatNumber>094012834</vatNumber><country>GR",
          "<vatNumber>123456789</vatNumber><country>DE",
        ),
    ],
    ["260", "a day to come", (xml) => xml.replace("2026-11-02", "2026-11-22")],
    ["261", "a line number twice", (xml) => xml.replace(LINE, LINE + LINE)],
    [
      "271",
      "a cause without an exemption",
      (xml) =>
        xml.replace("2.4</vatAmount>", "2.4</vatAmount><vatExemptionCategory>8</vatExemptionCategory>"),
    ],
    ["306", "a line that is classified in part", (xml) => xml.replace("<icls:amount>10<", "<icls:amount>9<")],
    [
      "312",
      "a summary that differs from the lines",
      (xml) => xml.replace("<icls:amount>10<", "<icls:amount>9<"),
    ],
    ["407", "payments above the total", (xml) => xml.replace("<amount>12.4<", "<amount>12.41<")],
    [
      "205",
      "a line's text",
      (xml) => xml.replace("</lineNumber>", "</lineNumber><itemDescr>Καφές</itemDescr>"),
    ],
  ])("rejects with %s: %s", async (code, _what, change) => {
    const changed = change(invoice());
    expect(changed).not.toBe(invoice());
    const [response] = await responsesTo("SendInvoices", message(changed));
    expect(response.statusCode).toBe("ValidationError");
    expect(response.errors.error.map((error: { code: string }) => error.code)).toContain(code);
    expect(registry.ledger).toEqual([]);
  });

  test("rejects the second of two invoices with the same uid in a message", async () => {
    expect(await responsesTo("SendInvoices", message(invoice(), invoice()))).toMatchObject([
      { statusCode: "Success" },
      { errors: { error: [{ code: "275" }] } },
    ]);
  });

  test("rejects a message of another form as a whole, whatever else it contains", async () => {
    const other = invoice({ aa: "2" }).replace("<series>", "<colour>red</colour><series>");
    expect(await responsesTo("SendInvoices", message(invoice(), other))).toMatchObject([
      { index: "1", statusCode: "XMLSyntaxError", errors: { error: [{ code: "101" }] } },
    ]);
    expect(registry.ledger).toEqual([]);
  });
});

describe("the listing", () => {
  beforeEach(async () => {
    const all = [
      invoice({ aa: "1" }),
      invoice({ aa: "2", date: "2026-11-03" }),
      invoice({ aa: "3" }),
      invoice({ aa: "4", type: "2.1" }),
      invoice({ aa: "5" }),
    ];
    await responsesTo("SendInvoices", message(...all));
  });
  const markOf = (aa: string) => registry.ledger.find((filed) => filed.aa === aa)!.mark;

  test.each([
    ["a day and a type", "mark=0&dateFrom=02/11/2026&dateTo=02/11/2026&invType=1.1", ["1", "3", "5"]],
    ["one date alone: that day", "mark=0&dateFrom=03/11/2026", ["2"]],
    ["a date of another form: nothing, and no error", "mark=0&dateFrom=2026-11-02&dateTo=2026-11-02", []],
  ])("is bounded by %s", async (_what, query, numbers) => {
    expect((await list(query)).marks).toEqual(numbers.map(markOf));
  });
});

describe("the form of a message", () => {
  const examples = existsSync(EXAMPLES.path)
    ? ["1.1", "1.2", "2.1", "2.2", "5.1", "5.2", "11.1", "11.2"].map((type): [string, string] => [
        type,
        readFileSync(join(EXAMPLES.path, `${type}.xml`), "utf8"),
      ])
    : [];

  test("accepts every minimal document of docs/authority.md, and these tests' messages", () => {
    for (const [type, xml] of examples) expect([type, findFormError(xml)]).toEqual([type, undefined]);
    expect(findFormError(message(invoice(), invoice({ type: "5.1" })))).toBeUndefined();
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
