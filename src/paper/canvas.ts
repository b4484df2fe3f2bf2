/** Draws fitted text, lines and boxes on a page. All lengths are points from the upper left corner. */

import type { Font } from "fontkit";

/** The parts we use of a font parsed by fontkit, pdfkit's font library. */
export type Face = Pick<Font, "glyphForCodePoint" | "hasGlyphForCodePoint">;

export interface TextStyle {
  /** Points; 9 by default. */
  size?: number;
  bold?: boolean;
  color?: string;
  /** The point of the text that is at `x`: its left end (default), right end or middle. */
  align?: "left" | "right" | "center";
  /** Wider text is set smaller and finally cut. Text that must not be cut goes through `fit`. */
  widthMax?: number;
}

/** Text that fits a width: on one line, set smaller if necessary, or on several lines of the smallest size. */
export interface Fitted {
  lines: readonly string[];
  /** The width of the widest line. */
  width: number;
  style: TextStyle;
}

export type Canvas = ReturnType<typeof createCanvas>;

export const INK = "#1b1b1b";
export const PALE = "#6b6b6b";
export const LINE_COLOR = "#c9c9c9";
const SIZE = 9;
/** Smaller text is hard to read on paper. */
const SIZE_MIN = 7;
/** Points by which a text may exceed its place because of rounding. */
const ROUNDING = 0.01;
const REPLACEMENT = "\ufffd";
const ELLIPSIS = "…";

/** Registers the fonts in `document`. */
export function createCanvas(
  document: PDFKit.PDFDocument,
  { regular, bold }: Record<"regular" | "bold", Face>,
) {
  // pdfkit also accepts parsed fonts, but its types list only files.
  document.registerFont("regular", regular as unknown as Buffer);
  document.registerFont("bold", bold as unknown as Buffer);

  const drawable = (text: string) =>
    makeDrawable(text, (codePoint) => regular.hasGlyphForCodePoint(codePoint));
  const choose = (style: TextStyle) =>
    document.font(style.bold === true ? "bold" : "regular").fontSize(style.size ?? SIZE);
  const measure = (text: string, style: TextStyle) => choose(style).widthOfString(text);

  /** The style, with a smaller size where `text` is wider than `width`. */
  function shrink(text: string, width: number, style: TextStyle): TextStyle {
    const full = measure(text, style);
    const { size = SIZE } = style;
    return full <= width ? style : { ...style, size: Math.max(SIZE_MIN, (size * width) / full) };
  }

  function drawLine(text: string, x: number, y: number, style: TextStyle): number {
    const width = measure(text, style);
    const { align = "left", color = INK } = style;
    const left = align === "left" ? x : align === "right" ? x - width : x - width / 2;
    choose(style).fillColor(color).text(text, left, y, { lineBreak: false, baseline: "alphabetic" });
    return width;
  }

  return {
    document,
    /** Draws one line with its baseline at `y` and returns its width. */
    text(text: string, x: number, y: number, style: TextStyle = {}): number {
      const { widthMax = Infinity } = style;
      let shown = drawable(text);
      const shrunk = shrink(shown, widthMax, style);
      while (shown.length > 1 && measure(shown, shrunk) > widthMax + ROUNDING)
        shown = `${[...shown.replace(ELLIPSIS, "")].slice(0, -1).join("")}${ELLIPSIS}`;
      return drawLine(shown, x, y, shrunk);
    },
    fit(text: string, width: number, style: TextStyle = {}): Fitted {
      const shown = drawable(text);
      const shrunk = shrink(shown, width, style);
      const widthOf = (part: string) => measure(part, shrunk);
      const lines = widthOf(shown) <= width + ROUNDING ? [shown] : wrapText(shown, width, widthOf);
      return { lines, width: Math.max(...lines.map(widthOf)), style: shrunk };
    },
    /** Draws the lines below each other, with the baseline of the first at `y`. */
    draw({ lines, style }: Fitted, x: number, y: number, lineHeight: number, align?: TextStyle["align"]) {
      for (const [index, line] of lines.entries())
        drawLine(line, x, y + index * lineHeight, { ...style, align: align ?? "left" });
    },
    widthOf: (text: string, style: TextStyle) => measure(drawable(text), style),
    /** Breaks `text` into lines of `width`, within words that are too long. Never empty. */
    wrap: (text: string, width: number, style: TextStyle) =>
      wrapText(drawable(text), width, (part) => measure(part, style)),
    line(x1: number, y1: number, x2: number, y2: number, { color = LINE_COLOR, width = 0.6 } = {}) {
      document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke();
    },
    fill(x: number, y: number, width: number, height: number, color: string) {
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

/** After these a word may break: amounts and addresses of pages then stay legible. */
const BREAKS = /[./@-](?=[^./@-]*$)/;

/** The end of the first line of `piece`: after its last such character if there is one in its second half, otherwise all of it. */
function findBreak(piece: string): number {
  const at = piece.search(BREAKS) + 1;
  return at > piece.length / 2 && at < piece.length ? at : piece.length;
}

/** Every piece has at least one character, however narrow the place. */
function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let pieceWidth = 0;
  for (const character of word) {
    const characterWidth = measure(character);
    if (piece !== "" && pieceWidth + characterWidth > width) {
      const end = findBreak(piece);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
      pieceWidth = measure(piece);
    }
    piece += character;
    pieceWidth += characterWidth;
  }
  return [...pieces, piece];
}
