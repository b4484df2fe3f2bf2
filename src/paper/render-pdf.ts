/** Renders a paper as PDF, part by part from top to bottom. */
import PdfFile from "pdfkit";
import { createCanvas, PALE } from "./canvas.ts";
import { yieldToOthers } from "../foundation/yield-to-others.ts";
import { printedTitle } from "../domain/document-types.ts";
import { loadFonts } from "./fonts.ts";
import { drawHeading, drawLogo, drawPageTop } from "./heading.ts";
import { createWording, formatGreekDay } from "./labels.ts";
import { drawLineTable } from "./line-table.ts";
import type { Paper, PaperOriginal } from "./paper.ts";
import { drawRegistration, measureRegistration } from "./registration.ts";
import { CONTENT_WIDTH, createSheet, PAGE, type Sheet } from "./sheet.ts";
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
  const sheet = createSheet(createCanvas(document, fonts), paper, wording, drawPageTop);
  const { logoTop } = drawHeading(sheet);
  drawOriginals(sheet);
  await drawLineTable(sheet, createPause());
  const registration = await measureRegistration(sheet);
  drawSummary(sheet, registration.height);
  drawRegistration(sheet, registration);
  drawFooters(sheet);
  // Last and without a pause after it: the image is unpacked asynchronously, and its place in the file must not vary.
  document.switchToPage(0);
  drawLogo(sheet, logoTop);
  document.end();
  return bytes;
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

/** Draws the list of documents that a credit note corrects, up to a thousand. */
const SIZE = 8.5;
const LINE_HEIGHT = 12;

function describeOriginal({ mark, seriesAndNumber, issueDate }: PaperOriginal, sheet: Sheet): string {
  const named = `${sheet.wording.label("mark")} ${mark}`;
  if (seriesAndNumber === null || issueDate === null) return named;
  return `${seriesAndNumber}, ${formatGreekDay(issueDate)}, ${named}`;
}

/** Up to this many get a line each; more are printed as one paragraph. */
const OWN_LINE_MAX = 6;

function drawOriginals(sheet: Sheet): void {
  const { canvas, paper, wording } = sheet;
  if (paper.originals.length === 0) return;
  sheet.ensure(14 + 2 * LINE_HEIGHT);
  canvas.text(wording.label("corrects"), PAGE.left, sheet.y + 8, { size: 8, color: PALE });
  sheet.y += 12;
  const texts = paper.originals.map((original) => describeOriginal(original, sheet));
  const paragraphs = texts.length <= OWN_LINE_MAX ? texts : [texts.join(" · ")];
  for (const line of paragraphs.flatMap((text) => canvas.wrap(text, CONTENT_WIDTH, { size: SIZE }))) {
    sheet.ensure(LINE_HEIGHT);
    canvas.text(line, PAGE.left, sheet.y + 9, { size: SIZE });
    sheet.y += LINE_HEIGHT;
  }
  sheet.y += 8;
}
