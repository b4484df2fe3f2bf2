import PdfFile from "pdfkit";
import { expect, test } from "vitest";
import { createCanvas } from "../../src/paper/canvas.ts";
import { createSheet, PAGE } from "../../src/paper/sheet.ts";
import { loadFonts } from "../../src/paper/render-pdf.ts";
import { createWording } from "../../src/paper/labels.ts";
import { drawLineTable } from "../../src/paper/line-table.ts";
import { buildLine } from "../helpers/documents.ts";
import { buildTestPaper } from "../helpers/papers.ts";

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
