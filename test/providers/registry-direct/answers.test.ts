/** Parses the authority's responses, invented and recorded. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { centsOf, readResponses, readTransmitted } from "../../../src/providers/registry-direct/answers.ts";
import { readRoot } from "../../../src/providers/registry-direct/client.ts";
import { authorityFile } from "../../helpers/authority-files.ts";
import { buildOutgoing } from "../../helpers/documents.ts";
import {
  cancellation,
  continuation,
  listed,
  MARK,
  QR,
  refusal,
  requestedDoc,
  responseDoc,
  success,
  readXml,
} from "./bench.ts";

const UID = "93AFC870579B7E2E608F93AEAF6970C6389F5E55";
const ANSWER = responseDoc(success(1, UID));

function wrap(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return `<string xmlns="http://schemas.microsoft.com/2003/10/Serialization/">${escaped}</string>`;
}

describe("the root of a response", () => {
  test.each([
    ["as it is", ANSWER],
    ["in a text element", wrap(ANSWER)],
    ["in two", wrap(wrap(ANSWER))],
    ["behind a byte order mark", `\uFEFF${ANSWER}`],
    ["with byte order marks inside and out", `\uFEFF\r\n${wrap(`\uFEFF${ANSWER}`)}`],
    ["with space around it", `\r\n ${ANSWER}\r\n`],
  ])("%s", async (_, body) => {
    expect(readResponses((await readRoot(body))!)).toMatchObject([{ mark: MARK, uid: UID }]);
  });

  test.each([
    ["in three text elements", wrap(wrap(wrap(ANSWER)))],
    ["a text element with nothing in it", wrap("")],
    ["a text element with half an answer", wrap(ANSWER.slice(0, -20))],
    ["nothing", ""],
  ])("is missing: %s", async (_, body) => {
    expect(await readRoot(body)).toBeUndefined();
  });
});

function read(response: string) {
  return readResponses(readXml(responseDoc(response))!)![0]!;
}

describe("a response", () => {
  test("is read in any order of its elements", () => {
    const shuffled = `<statusCode>Success</statusCode><qrUrl>${QR}</qrUrl><new>x</new><invoiceMark>${MARK}</invoiceMark><index>2</index><invoiceUid>${UID.toLowerCase()}</invoiceUid>`;
    expect(read(shuffled)).toEqual({
      index: 2,
      uid: UID,
      mark: MARK,
      cancellationMark: null,
      qrUrl: QR,
      statusCode: "Success",
      errors: [],
      raw: {
        statusCode: "Success",
        qrUrl: QR,
        new: "x",
        invoiceMark: MARK,
        index: "2",
        invoiceUid: UID.toLowerCase(),
      },
    });
  });

  test("is read with every error, in order", () => {
    const response = read(refusal(1, "ValidationError", ["203", "α &amp; β"], ["207", "γ"]));
    expect(response.errors).toEqual([
      { code: "203", message: "α & β" },
      { code: "207", message: "γ" },
    ]);
    expect(response.raw).toEqual({
      index: "1",
      statusCode: "ValidationError",
      errors: {
        error: [
          { message: "α & β", code: "203" },
          { message: "γ", code: "207" },
        ],
      },
    });
  });

  test.each([
    ["<invoiceMark>0</invoiceMark>", "mark", null],
    ["<invoiceMark>4e14</invoiceMark>", "mark", null],
    ["<invoiceMark>12345678901234567890</invoiceMark>", "mark", null],
    ["<invoiceMark>9223372036854775807</invoiceMark>", "mark", "9223372036854775807"],
    ["<index>-1</index>", "index", null],
    ["<index>one</index>", "index", null],
    ["<qrUrl>javascript:alert(1)</qrUrl>", "qrUrl", null],
    ["<qrUrl>//example.org</qrUrl>", "qrUrl", null],
    ["<qrUrl>https://</qrUrl>", "qrUrl", null],
    ["<qrUrl>http://example.org/?a=1&amp;b=2</qrUrl>", "qrUrl", "http://example.org/?a=1&b=2"],
    ["<index>1</index>", "statusCode", ""],
  ] as const)("%s: %s is %s", (inner, name, value) => {
    expect(read(inner)[name]).toBe(value);
  });

  test("is missing in a message of another kind", () => {
    expect(readResponses(readXml(requestedDoc([]))!)).toBeUndefined();
  });
});

describe("a listing", () => {
  const document = buildOutgoing("1.1");
  const page = (body: string) => readTransmitted(readXml(body)!);

  test("shows a document's identity and state", async () => {
    const body = requestedDoc([listed({ document, cancelledByMark: "400009999999902" })]);
    expect((await page(body))?.invoices).toEqual([
      {
        uid: document.uid,
        mark: MARK,
        cancelledByMark: "400009999999902",
        qrUrl: QR,
        supplier: "123456783",
        branch: "0",
        series: "TIM",
        number: "57",
        issueDate: "2026-11-02",
        type: "1.1",
        totals: { net: 833n, vat: 200n, gross: 1033n },
      },
    ]);
  });

  test("may be empty", async () => {
    expect(await page(requestedDoc([]))).toEqual({ invoices: [], cancellations: new Map(), next: null });
  });

  test("lists cancellations separately", async () => {
    const body = requestedDoc([], cancellation(MARK, "400009999999902"));
    expect((await page(body))?.cancellations).toEqual(new Map([[MARK, "400009999999902"]]));
  });

  test("continues after a token", async () => {
    expect((await page(requestedDoc([], continuation("p", "r"))))?.next).toEqual({
      partitionKey: "p",
      rowKey: "r",
    });
    expect((await page(requestedDoc([], continuation("", ""))))?.next).toBeNull();
  });

  test.each([continuation("p", ""), continuation("", "r")])(
    "is rejected with half a token: %s",
    async (token) => {
      expect(await page(requestedDoc([], token))).toBeUndefined();
    },
  );

  test("is missing in a message of another kind", async () => {
    expect(await page(ANSWER)).toBeUndefined();
  });
});

test.each([
  ["100", 10_000n],
  ["124.0", 12_400n],
  ["12.40", 1240n],
  ["12.4", 1240n],
  ["0.01", 1n],
  ["0", 0n],
  ["+1.5", 150n],
  ["10000000000000.10", 1_000_000_000_000_010n],
  ["1.500", 150n],
  ["1.", 100n],
  ["1.005", null],
  ["-1", null],
  ["1,5", null],
  ["1e2", null],
  [".5", null],
  ["", null],
  [null, null],
])("%s euro are %s cents", (text, cents) => {
  expect(centsOf(text)).toBe(cents);
});

const { path: SAMPLES, missing } = authorityFile("mydata/samples");

describe("recorded responses", () => {
  const recorded = (name: string) => readRoot(readFileSync(resolve(SAMPLES, name), "utf8"));

  test("to sends, with and without a QR URL", async ({ skip }) => {
    skip(missing !== false, String(missing));
    const uid = "4626E9F44FAC8F6BB3B8BBF36EF21377E8202407";
    const known = { index: 1, uid, mark: "400001832005979", statusCode: "Success", errors: [] };
    expect(readResponses((await recorded("cassette-2021-send-response-wrapped.xml"))!)).toMatchObject([
      { ...known, qrUrl: null },
    ]);
    expect(readResponses((await recorded("cassette-2023-send-response-wrapped-qrurl.xml"))!)).toMatchObject([
      { ...known, qrUrl: expect.stringContaining("/TimologioQR/QRInfo?q=") },
    ]);
  });

  test("with rejections", async ({ skip }) => {
    skip(missing !== false, String(missing));
    expect(
      readResponses((await recorded("cassette-2021-send-empty-body-response-wrapped-101.xml"))!),
    ).toMatchObject([
      { statusCode: "XMLSyntaxError", errors: [{ code: "101", message: "Root element is missing." }] },
    ]);
    expect(readResponses((await recorded("onesys-duplicate-uid-228.xml"))!)).toMatchObject([
      { statusCode: "ValidationError", errors: [{ code: "228" }] },
    ]);
    expect(await recorded("cassette-2021-wrong-key-401.json")).toBeUndefined();
  });

  test("to a cancellation and a listing query", async ({ skip }) => {
    skip(missing !== false, String(missing));
    expect(readResponses((await recorded("cassette-2021-cancel-response-wrapped.xml"))!)).toMatchObject([
      { index: null, statusCode: "Success", cancellationMark: "400001832031421" },
    ]);
    const page = (await readTransmitted((await recorded("cassette-2021-transmitted-docs-wrapped.xml"))!))!;
    expect(page.invoices).toHaveLength(19);
    expect(page.invoices.filter(({ cancelledByMark }) => cancelledByMark !== null)).toHaveLength(2);
    expect(page.invoices[0]).toMatchObject({
      mark: "400001831896759",
      cancelledByMark: "400001831984679",
      totals: { net: 10_000n, vat: 2400n, gross: 12_400n },
    });
  });
});
