/** The smallest text of a paper, from the font sizes in the content of the PDF (docs/paper.md#contents). */
import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import type { DocumentType } from "../../src/domain/document-types.ts";
import type { VatCategory } from "../../src/domain/document-codes.ts";
import { renderPdf } from "../../src/paper/render-pdf.ts";
import { buildStationery } from "../../src/paper/paper.ts";
import { buildLine, CUSTOMERS } from "../helpers/documents.ts";
import { buildTestPaper, type PaperChanges } from "../helpers/papers.ts";

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
      reference: "x".repeat(200),
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
      isTest: true,
      cancellation: { mark: "400009999999999", day: "2026-11-05" },
    },
  },
];

test.each(CASES)("$name: no text is smaller than 7 points", async ({ type, changes }) => {
  const sizes = fontSizesOf(await renderPdf(buildTestPaper(type, changes)));
  expect(sizes.length).toBeGreaterThan(20);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(7);
});
