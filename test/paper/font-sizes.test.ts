/** The layout of a paper: its smallest text (docs/paper.md#contents), and the line table across pages. */
import PdfFile from "pdfkit";
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { DocumentType } from "../../src/domain/document-types.ts";
import type { VatCategory } from "../../src/domain/document-codes.ts";
import { renderPdf } from "../../src/paper/render-pdf.ts";
import { buildStationery } from "../../src/paper/paper.ts";
import { buildLine, CUSTOMERS } from "../helpers/documents.ts";
import { buildTestPaper, type PaperChanges } from "../helpers/papers.ts";
import { createCanvas } from "../../src/paper/canvas.ts";
import { loadFonts } from "../../src/paper/fonts.ts";
import { createWording } from "../../src/paper/labels.ts";
import { drawLineTable } from "../../src/paper/line-table.ts";
import { createSheet, PAGE } from "../../src/paper/sheet.ts";

/** The operands of every `Tf` operator (ISO 32000-1, 9.3.1). */
function fontSizesOf(bytes: Buffer): number[] {
  const sizes: number[] = [];
  let at = 0;
  for (;;) {
    const start = bytes.indexOf("stream\n", at);
    if (start === -1) return sizes;
    const end = bytes.indexOf("endstream", start);
    const content = bytes.subarray(start + "stream\n".length, end);
    // Contents of pages are compressed; other streams have no such operator.
    if (content[0] === 0x78) {
      const text = inflateSync(content).toString("latin1");
      for (const [, size] of text.matchAll(/\/F\d+ ([\d.]+) Tf/g)) sizes.push(Number(size));
    }
    at = end + "endstream".length;
  }
}

const RATES: VatCategory[] = ["super_reduced", "standard_island", "reduced_island", "super_reduced_island"];
const LONG = "Πολύ μεγάλη περιγραφή ".repeat(13);
const PAYMENTS = ["foreign_account", "domestic_account"] as const;

const CASES: { name: string; type: DocumentType; changes: PaperChanges }[] = [
  {
    name: "the rates of islands, in both languages",
    type: "1.1",
    changes: { document: { lines: RATES.map((vat_category) => buildLine({ vat_category })) } },
  },
  {
    name: "the largest amounts, a long description and payments with long names",
    type: "1.1",
    changes: {
      document: {
        lines: Array.from({ length: 100 }, () =>
          buildLine({ description: LONG, quantity: "100", unit_price: 100_000_000_000 }),
        ),
        payments: PAYMENTS.map((method) => ({ method, amount: 620_000_000_000_000 })),
      },
      row: { external_reference: "x".repeat(200) },
    },
  },
  {
    name: "every field of the stationery at its longest, cancelled, in test mode",
    type: "5.1",
    changes: {
      document: { customer: { ...CUSTOMERS.greek, name: "Ω".repeat(200) } },
      stationery: buildStationery(
        {
          address: "Ω".repeat(300),
          activity: "Ω".repeat(200),
          tax_office: "Ω".repeat(100),
          website: "w".repeat(200),
        },
        0,
      ),
      row: { mode: "test", cancellation_mark: "400009999999999" },
      cancelledOn: "2026-11-05",
    },
  },
];

test.each(CASES)("$name: no text is smaller than 7 points", async ({ type, changes }) => {
  const sizes = fontSizesOf(await renderPdf(buildTestPaper(type, changes)));
  expect(sizes.length).toBeGreaterThan(20);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(7);
});

/** The pages that have a head of the table, for one that begins at `top` and whose first line is tall. */
async function headsFrom(top: number): Promise<{ heads: number[]; pages: number }> {
  const document = new PdfFile({ autoFirstPage: false, bufferPages: true, font: "" });
  const canvas = createCanvas(document, await loadFonts());
  const pages = () => document.bufferedPageRange().count;
  const heads: number[] = [];
  const noted: typeof canvas = {
    ...canvas,
    fill(...box) {
      heads.push(pages());
      canvas.fill(...box);
    },
  };
  const lines = [buildLine({ description: "Ω".repeat(300) }), buildLine()];
  const paper = buildTestPaper("1.1", { document: { lines } });
  const sheet = createSheet(noted, paper, createWording(undefined), () => undefined);
  sheet.y = top;
  await drawLineTable(sheet, async () => undefined);
  return { heads, pages: pages() };
}

test("keeps the table head on the page of the first line, however tall that line is", async () => {
  expect(await headsFrom(PAGE.top)).toEqual({ heads: [1], pages: 1 });
  for (let top = 500; top < PAGE.bottom; top += 10) {
    const { heads, pages } = await headsFrom(top);
    const whereItFits = [
      { heads: [1], pages: 1 },
      { heads: [1, 2], pages: 2 },
      { heads: [2], pages: 2 },
    ];
    expect(whereItFits, `from ${top}`).toContainEqual({ heads, pages });
    if (top > 640) expect(heads, `from ${top}`).toEqual([2]);
  }
});
