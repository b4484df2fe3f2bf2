/**
 * Noto Sans, which has Greek, Latin and Cyrillic: the two faces that every paper is set in, read and parsed once.
 *
 * A character becomes its glyph, and nothing else happens to it: no ligatures, no kerning. Setting a long document that way
 * takes a quarter of the time, and its bytes do not depend on what was set before it.
 */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import PdfFile from "pdfkit";

interface Glyph {
  readonly id: number;
  /** In units of the face. */
  readonly advanceWidth: number;
}

/** What is used of a font of fontkit, which pdfkit reads fonts with. */
interface Face {
  glyphForCodePoint(codePoint: number): Glyph;
  hasGlyphForCodePoint(codePoint: number): boolean;
  layout(text: string): unknown;
}

export interface Fonts {
  regular: Face;
  bold: Face;
}

const FACES = {
  regular: "NotoSans_400Regular.ttf",
  bold: "NotoSans_700Bold.ttf",
} as const;

/** Beside the program's parts in dist/fonts; with the sources in the package that they come from. */
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

/** Throws where the files are missing: the installation is not whole. */
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
  throw new Error(`The font ${FACES[weight]} is missing; install the program again`);
}

/**
 * pdfkit 0.20 takes a font of fontkit as well as a file, so that one need not be parsed for every document, but it does not
 * hand out what it parsed. Before removing this, see whether it exports fontkit's `create`.
 */
function openFace(bytes: Buffer): Face {
  const parser = new PdfFile({ autoFirstPage: false, font: "" }).font(bytes);
  const { font } = Reflect.get(parser, "_font") as { font: Face };
  return Object.assign(font, { layout: (text: string) => setText(font, text) });
}

/** A run of glyphs as pdfkit wants it: it scales the positions and then asks for the width of the whole. */
function setText(face: Face, text: string): unknown {
  const glyphs = Array.from(text, (character) => {
    const codePoint = character.codePointAt(0)!;
    const { id, advanceWidth } = face.glyphForCodePoint(codePoint);
    // Glyphs are shared by all papers: one that another has used as a part of an accented letter has forgotten its own.
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
