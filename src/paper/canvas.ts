/** Draws fitted text, rules and boxes on a page. All lengths are points from the upper left corner. */
import type { Fonts } from "./fonts.ts";

export interface TextStyle {
  /** Points; 9 by default. */
  size?: number;
  bold?: boolean;
  color?: string;
  /** The point of the text that is at `x`: its left end (default), right end or middle. */
  align?: "left" | "right" | "center";
  /** Wider text is set smaller and finally cut. */
  widthMax?: number;
  /** For amounts: set as small as necessary, never cut. */
  whole?: boolean;
}

export interface Canvas {
  readonly document: PDFKit.PDFDocument;
  /** Draws one line with its baseline at `y` and returns its width. */
  text(text: string, x: number, y: number, style?: TextStyle): number;
  widthOf(text: string, style?: TextStyle): number;
  /** Breaks `text` into lines of `width`, within words that are too long. Never empty. */
  wrap(text: string, width: number, style?: TextStyle): string[];
  line(x1: number, y1: number, x2: number, y2: number, stroke?: { color?: string; width?: number }): void;
  fill(x: number, y: number, width: number, height: number, color: string): void;
}

export const INK = "#1b1b1b";
export const PALE = "#6b6b6b";
export const RULE = "#c9c9c9";
const SIZE = 9;
/** Smaller text is illegible. */
const SIZE_MIN = 4.5;
const REPLACEMENT = "\ufffd";
const ELLIPSIS = "…";

/** Registers the fonts in `document`. */
export function createCanvas(document: PDFKit.PDFDocument, fonts: Fonts): Canvas {
  const { regular, bold } = fonts;
  // pdfkit also accepts parsed fonts, but its types list only files.
  document.registerFont("regular", regular as unknown as Buffer);
  document.registerFont("bold", bold as unknown as Buffer);

  const drawable = (text: string) =>
    makeDrawable(text, (codePoint) => regular.hasGlyphForCodePoint(codePoint));
  const choose = (style: TextStyle) =>
    document.font(style.bold === true ? "bold" : "regular").fontSize(style.size ?? SIZE);
  const measure = (text: string, style: TextStyle) => choose(style).widthOfString(text);

  /** Shrinks or cuts `text` to its place. */
  function fit(text: string, style: TextStyle): { text: string; style: TextStyle; width: number } {
    const width = measure(text, style);
    const { widthMax, size = SIZE } = style;
    if (widthMax === undefined || width <= widthMax) return { text, style, width };
    if (style.whole === true)
      return { text, style: { ...style, size: (size * widthMax) / width }, width: widthMax };
    const smaller = { ...style, size: Math.max(SIZE_MIN, (size * widthMax) / width) };
    let cut = text;
    while (cut.length > 1 && measure(cut, smaller) > widthMax + 0.01)
      cut = `${[...cut.replace(ELLIPSIS, "")].slice(0, -1).join("")}${ELLIPSIS}`;
    return { text: cut, style: smaller, width: measure(cut, smaller) };
  }

  return {
    document,
    text(text, x, y, style = {}) {
      const fitted = fit(drawable(text), style);
      const { align = "left", color = INK } = style;
      const left = align === "left" ? x : align === "right" ? x - fitted.width : x - fitted.width / 2;
      choose(fitted.style)
        .fillColor(color)
        .text(fitted.text, left, y, { lineBreak: false, baseline: "alphabetic" });
      return fitted.width;
    },
    widthOf: (text, style = {}) => measure(drawable(text), style),
    wrap: (text, width, style = {}) => wrapText(drawable(text), width, (part) => measure(part, style)),
    line(x1, y1, x2, y2, { color = RULE, width = 0.6 } = {}) {
      document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke();
    },
    fill(x, y, width, height, color) {
      document.rect(x, y, width, height).fill(color);
    },
  };
}

/** Characters that are invisible or change the direction of the text around them. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069]/u;
const SPACE = /[\s\p{Cc}]/u;

/** Replaces characters that the font lacks. Line breaks and tabs become spaces. */
export function makeDrawable(text: string, hasGlyph: (codePoint: number) => boolean): string {
  let drawable = "";
  for (const character of text.normalize("NFC")) {
    if (character === "\u00a0") drawable += character;
    else if (INVISIBLE.test(character)) continue;
    else if (SPACE.test(character)) drawable += " ";
    else drawable += hasGlyph(character.codePointAt(0)!) ? character : REPLACEMENT;
  }
  return drawable;
}

/** Breaks `text` into lines of `width` at spaces, and within words that are too wide. */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (word === "") continue;
    const longer = line === "" ? word : `${line} ${word}`;
    if (measure(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const pieces = breakWord(word, width, measure);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  if (line !== "" || lines.length === 0) lines.push(line);
  return lines;
}

/** Every piece has at least one character, however narrow the place. */
function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let pieceWidth = 0;
  for (const character of word) {
    const characterWidth = measure(character);
    if (piece !== "" && pieceWidth + characterWidth > width) {
      pieces.push(piece);
      piece = "";
      pieceWidth = 0;
    }
    piece += character;
    pieceWidth += characterWidth;
  }
  return [...pieces, piece];
}
