/**
 * Renders a paper as PDF, part by part from top to bottom. Every PDF has the two faces of Noto Sans (Greek, Latin, Cyrillic), each of which
 * is parsed once.
 *
 * Each character is set as its own glyph, without ligatures or kerning: a long document then takes a quarter of the time, and
 * its bytes do not depend on documents set before it.
 */
import Document from "pdfkit";
import { type Canvas, createCanvas, type Face, PALE } from "./canvas.ts";
import { createSheet, heightOf, PAGE } from "./sheet.ts";
import { AppError } from "../foundation/errors.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import { printedTitle } from "../domain/document-types.ts";
import { drawHeading, drawLogo, drawOriginals, drawPageTop } from "./heading.ts";
import { createWording, type Wording } from "./labels.ts";
import { drawLineTable } from "./line-table.ts";
import type { Paper } from "./paper.ts";
import { drawReceipt } from "./receipt.ts";
import { registrationOf, remarkBlocks } from "./foot.ts";
import { drawSummary } from "./summary.ts";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { create, type Font } from "fontkit";

/** Lines drawn before yielding to other work. */
const LINES_AT_ONCE = 5;

/** Renders the PDF. The same paper yields the same bytes in every process. */
export async function renderPdf(paper: Paper): Promise<Buffer<ArrayBuffer>> {
  const { issuedAt, series, number, mark, supplier } = paper;
  const wording = createWording(paper.stationery.language);
  // pdfkit derives the id of the file from these.
  const { canvas, end } = await startPdf(wording.language ?? "el", {
    Title: `${printedTitle(paper.sentType).el} ${series} ${number}`,
    Author: supplier.name,
    Subject: `MARK ${mark}`,
    CreationDate: issuedAt,
    ModDate: issuedAt,
  });
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
  let drawn = 0;
  await drawLineTable(sheet, async () => {
    drawn += 1;
    if (drawn % LINES_AT_ONCE === 0) await yieldToOthers();
  });
  const registration = await registrationOf(sheet);
  const remarks = remarkBlocks(sheet);
  drawSummary(sheet, heightOf([...remarks, registration]));
  sheet.add(remarks);
  if (!sheet.ensure(registration.height)) sheet.y = PAGE.bottom - registration.height;
  sheet.add([registration]);
  const name = `${paper.series} ${paper.number} · ${wording.label("mark")} ${paper.mark}`;
  drawFooters(canvas, name, wording.label("page"));
  return () => drawLogo(sheet, logoTop);
}

/** Draws `left` and the number of the page, after `page`, on every page. */
export function drawFooters(canvas: Canvas, left: string, page: string): void {
  const { document } = canvas;
  const { count } = document.bufferedPageRange();
  const style = { size: 7.5, color: PALE };
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(index);
    canvas.text(left, PAGE.left, PAGE.bottom + 20, style);
    canvas.text(`${page} ${index + 1}/${count}`, PAGE.right, PAGE.bottom + 20, { ...style, align: "right" });
  }
}

/** Starts a file without pages, all of which remain open until its end. `end` ends it and returns its bytes. */
export async function startPdf(lang: string, info: PDFKit.DocumentInfo) {
  const document = new Document({
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: "1.7",
    lang,
    displayTitle: true,
    // Disables the library's default font, whose files are not shipped.
    font: "",
    info: { Creator: "fiscal", Producer: "fiscal", ...info },
  });
  return {
    canvas: createCanvas(document, await loadFonts()),
    async end(): Promise<Buffer<ArrayBuffer>> {
      document.end();
      return buffer(document);
    },
  };
}

let loaded: ReturnType<typeof readFonts> | undefined;

export function loadFonts(): ReturnType<typeof readFonts> {
  loaded ??= readFonts().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readFonts() {
  return { regular: await readFace("400Regular"), bold: await readFace("700Bold") };
}

/** In dist/fonts for the built program; in the font package when running from source. */
async function readFace(weight: string): Promise<Face> {
  const here = import.meta.dirname;
  const file = `NotoSans_${weight}.ttf`;
  const built = join(here, "..", "fonts", file);
  const inPackage = join(here, "../../node_modules/@expo-google-fonts/noto-sans", weight, file);
  const found = [built, inPackage].find((path) => existsSync(path));
  if (found !== undefined) return openFace(await readFile(found));
  throw new AppError("internal_error", {
    en: `No PDF can be made, because the font ${file} is missing: the installation is incomplete; install fiscal again`,
    el: `Δεν μπορεί να γίνει PDF, γιατί λείπει η γραμματοσειρά ${file}: η εγκατάσταση δεν είναι πλήρης· εγκαταστήστε ξανά το fiscal`,
  });
}

/** pdfkit 0.20 accepts a font that fontkit has parsed, which saves parsing it for every document. */
function openFace(bytes: Buffer): Face {
  const font = create(bytes) as Font;
  return Object.assign(font, { layout: (text: string) => setText(font, text) });
}

/** A glyph run as pdfkit expects it: pdfkit scales the positions and then reads the total width. */
function setText(face: Face, text: string): unknown {
  const glyphs = Array.from(text, (character) => {
    const codePoint = character.codePointAt(0)!;
    const { id, advanceWidth } = face.glyphForCodePoint(codePoint);
    // Glyphs are shared by all documents, and one used as part of an accented letter loses its own code point.
    return { id, advanceWidth, codePoints: [codePoint] };
  });
  const positions = glyphs.map(({ advanceWidth }) => ({
    xAdvance: advanceWidth,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
  }));
  return {
    glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
}
