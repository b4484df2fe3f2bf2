/** Renders a paper as PDF, part by part from top to bottom. */
import PdfFile from "pdfkit";
import { type Canvas, createCanvas, PALE } from "./canvas.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import { printedTitle } from "../domain/document-types.ts";
import { loadFonts } from "./fonts.ts";
import { drawHeading, drawLogo, drawPageTop } from "./heading.ts";
import { createWording, type Wording } from "./labels.ts";
import { drawLineTable } from "./line-table.ts";
import type { Paper } from "./paper.ts";
import { drawOriginals } from "./originals.ts";
import { drawReceipt } from "./receipt.ts";
import { layOutRemarks } from "./remarks.ts";
import { drawRegistration, measureRegistration } from "./registration.ts";
import { createSheet, PAGE, type Sheet } from "./sheet.ts";
import { drawSummary } from "./summary.ts";

/** Lines drawn before yielding to other work. */
const LINES_AT_ONCE = 5;

/** Renders the PDF. The same paper yields the same bytes in every process. */
export async function renderPdf(paper: Paper): Promise<Buffer<ArrayBuffer>> {
  const fonts = await loadFonts();
  const wording = createWording(paper.stationery.language);
  const document = new PdfFile({
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: "1.7",
    lang: wording.language ?? "el",
    displayTitle: true,
    // Disables the library's default font, whose files are not shipped.
    font: "",
    info: describeFile(paper),
  });
  const bytes = collect(document);
  const draw = paper.format === "receipt" ? drawReceipt : drawSheets;
  const drawItsLogo = await draw(createCanvas(document, fonts), paper, wording);
  // Last and without a pause after it: the image is unpacked asynchronously, and its place in the file must not vary.
  document.switchToPage(0);
  drawItsLogo();
  document.end();
  return bytes;
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
    Creator: "fiscal",
    Producer: "fiscal",
    CreationDate: issuedAt,
    ModDate: issuedAt,
  };
}

function collect(document: PDFKit.PDFDocument): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on("data", (chunk: Buffer) => void chunks.push(chunk));
    document.on("end", () => resolve(Buffer.concat(chunks)));
    document.on("error", reject);
  });
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
