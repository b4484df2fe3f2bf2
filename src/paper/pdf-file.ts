/**
 * Starts a PDF file with the two faces of Noto Sans (Greek, Latin, Cyrillic) that every PDF uses, each of which is parsed once.
 *
 * Each character is set as its own glyph, without ligatures or kerning: a long document then takes a quarter of the time, and
 * its bytes do not depend on documents set before it.
 */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { create, type Font } from "fontkit";
import Document from "pdfkit";
import { type Canvas, createCanvas, type Face, type Fonts } from "./canvas.ts";

export interface PdfFile {
  canvas: Canvas;
  /** Ends the file and returns its bytes. */
  end(): Promise<Buffer<ArrayBuffer>>;
}

/** Starts a file without pages, all of which remain open until its end. */
export async function startPdf(lang: string, info: PDFKit.DocumentInfo): Promise<PdfFile> {
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
    async end() {
      document.end();
      return buffer(document);
    },
  };
}

const FACES = {
  regular: "NotoSans_400Regular.ttf",
  bold: "NotoSans_700Bold.ttf",
} as const;

/** In dist/fonts for the built program; in the font package when running from source. */
const FOLDERS: Readonly<Record<keyof typeof FACES, readonly string[]>> = {
  regular: foldersOf("400Regular"),
  bold: foldersOf("700Bold"),
};

function foldersOf(weight: string): string[] {
  const here = import.meta.dirname;
  return [
    join(here, "..", "fonts"),
    join(here, "..", "..", "node_modules", "@expo-google-fonts", "noto-sans", weight),
  ];
}

let loaded: Promise<Fonts> | undefined;

/** Throws where the font files are missing, which means an incomplete installation. */
export function loadFonts(): Promise<Fonts> {
  loaded ??= readFonts().catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return loaded;
}

async function readFonts(): Promise<Fonts> {
  return { regular: await readFace("regular"), bold: await readFace("bold") };
}

async function readFace(weight: keyof typeof FACES): Promise<Face> {
  for (const folder of FOLDERS[weight]) {
    const path = join(folder, FACES[weight]);
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return openFace(await readFile(path));
  }
  throw new Error(`The font ${FACES[weight]} is missing; reinstall fiscal`);
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
