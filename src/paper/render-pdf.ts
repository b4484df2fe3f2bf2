/** Renders a paper as PDF, part by part from top to bottom. */
import { type Canvas, createSheet, PAGE, PALE, type Sheet } from "./canvas.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import { printedTitle } from "../domain/document-types.ts";
import { startPdf } from "./pdf-file.ts";
import { drawHeading, drawLogo, drawOriginals, drawPageTop } from "./heading.ts";
import { createWording, type Wording } from "./labels.ts";
import { drawLineTable } from "./line-table.ts";
import type { Paper } from "./paper.ts";
import { drawReceipt } from "./receipt.ts";
import { drawRegistration, layOutRemarks, measureRegistration } from "./foot.ts";
import { drawSummary } from "./summary.ts";

/** Lines drawn before yielding to other work. */
const LINES_AT_ONCE = 5;

/** Renders the PDF. The same paper yields the same bytes in every process. */
export async function renderPdf(paper: Paper): Promise<Buffer<ArrayBuffer>> {
  const wording = createWording(paper.stationery.language);
  const { canvas, end } = await startPdf(wording.language ?? "el", describeFile(paper));
  const draw = paper.format === "receipt" ? drawReceipt : drawSheets;
  const drawItsLogo = await draw(canvas, paper, wording);
  // Last and without a pause after it: the image is unpacked asynchronously, and its place in the file must not vary.
  canvas.document.switchToPage(0);
  drawItsLogo();
  return end();
}

/** Draws all pages of A4, and returns how to draw the logo on the first, which must come last. */
async function drawSheets(canvas: Canvas, paper: Paper, wording: Wording): Promise<() => void> {
  const sheet = createSheet(canvas, paper, wording, drawPageTop);
  const { logoTop } = drawHeading(sheet);
  drawOriginals(sheet);
  await drawLineTable(sheet, createPause());
  const registration = await measureRegistration(sheet);
  const remarks = layOutRemarks(sheet);
  drawSummary(sheet, registration.height + remarks.height);
  remarks.draw();
  drawRegistration(sheet, registration);
  drawFooters(sheet);
  return () => drawLogo(sheet, logoTop);
}

/** The metadata of the file, from which pdfkit derives its id. */
function describeFile(paper: Paper): PDFKit.DocumentInfo {
  const { issuedAt, series, number, mark, supplier } = paper;
  const title = printedTitle(paper.sentType).el;
  return {
    Title: `${title} ${series} ${number}`,
    Author: supplier.name,
    Subject: `MARK ${mark}`,
    CreationDate: issuedAt,
    ModDate: issuedAt,
  };
}

function createPause(): () => Promise<void> {
  let drawn = 0;
  return async () => {
    drawn += 1;
    if (drawn % LINES_AT_ONCE === 0) await yieldToOthers();
  };
}

function drawFooters({ canvas, paper, wording }: Sheet): void {
  const { document } = canvas;
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    const y = PAGE.bottom + 20;
    const left = `${paper.series} ${paper.number} · ${wording.label("mark")} ${paper.mark}`;
    canvas.text(left, PAGE.left, y, { size: 7.5, color: PALE });
    const right = `${wording.label("page")} ${page + 1}/${count}`;
    canvas.text(right, PAGE.right, y, { size: 7.5, color: PALE, align: "right" });
  }
}
