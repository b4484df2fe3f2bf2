/** The pages of one paper. The height of each part is known before it is drawn, so that pages break between parts. */
import { type Canvas, type Fitted, PALE, LINE_COLOR, type TextStyle } from "./canvas.ts";
import type { Wording } from "./labels.ts";
import type { Paper } from "./paper.ts";

/** A4 in points, with its margins. */
export const PAGE = { width: 595.28, height: 841.89, left: 42, right: 553.28, top: 36, bottom: 796 } as const;
export const CONTENT_WIDTH = PAGE.right - PAGE.left;

const DEFAULT_COLOR = "#1f3a5f";

export interface Sheet {
  readonly canvas: Canvas;
  readonly paper: Paper;
  readonly wording: Wording;
  /** The merchant's colour, and a text colour legible on it. */
  readonly accent: string;
  readonly onAccent: string;
  /** Where the next part starts. */
  y: number;
  /** Starts a new page and draws its top. */
  beginPage(): void;
  /** Starts a new page unless `height` is left on this one; returns whether it did. */
  ensure(height: number): boolean;
  /** Draws the blocks, on new pages where there is no room. `onNewPage` runs after the top of each. */
  add(blocks: readonly Block[], onNewPage?: () => void): void;
}

/** Creates a sheet with its first page. `decorate` draws the top of every page and moves `y` below it. */
export function createSheet(
  canvas: Canvas,
  paper: Paper,
  wording: Wording,
  decorate: (sheet: Sheet, isFirst: boolean) => void,
): Sheet {
  let pages = 0;
  const accent = paper.stationery.color ?? DEFAULT_COLOR;
  const sheet: Sheet = {
    canvas,
    paper,
    wording,
    accent,
    onAccent: isLight(accent) ? "#000000" : "#ffffff",
    y: PAGE.top,
    beginPage() {
      canvas.document.addPage({ size: "A4", margin: 0 });
      sheet.y = PAGE.top;
      pages += 1;
      decorate(sheet, pages === 1);
    },
    ensure(height) {
      if (sheet.y + height <= PAGE.bottom) return false;
      sheet.beginPage();
      return true;
    },
    add(blocks, onNewPage) {
      for (const { height, draw } of blocks) {
        if (sheet.ensure(height)) onNewPage?.();
        draw(sheet.y);
        sheet.y += height;
      }
    },
  };
  sheet.beginPage();
  return sheet;
}

/** Whether black is more legible on `color` than white, by relative luminance (WCAG 2, 1.4.3). */
export function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

export interface Block {
  /** Points. */
  height: number;
  draw(top: number): void;
}

export function heightOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { height }) => sum + height, 0);
}

/** Draws the blocks below each other and returns where they end. */
export function drawBlocks(blocks: readonly Block[], top: number): number {
  let y = top;
  for (const { height, draw } of blocks) {
    draw(y);
    y += height;
  }
  return y;
}

/** Blocks between which no page breaks. */
export function together(blocks: readonly Block[]): Block {
  return { height: heightOf(blocks), draw: (top) => void drawBlocks(blocks, top) };
}

export function space(height: number): Block {
  return { height, draw: () => {} };
}

export interface Column {
  /** Where the text starts, ends or has its middle, as its `align` says. */
  x: number;
  width: number;
}

/** The text, a block for each line. */
export function wrapped(
  canvas: Canvas,
  text: string,
  { x, width }: Column,
  style: TextStyle,
  lineHeight = (style.size ?? 9) * 1.35,
): Block[] {
  return canvas.wrap(text, width, style).map((line) => ({
    height: lineHeight,
    draw: (top) => void canvas.text(line, x, top + lineHeight * 0.75, style),
  }));
}

export interface Cell {
  text: Fitted;
  x: number;
  align?: TextStyle["align"];
}

/** Cells beside each other. `height` is that of a row whose cells have one line. */
export function rowOf(
  canvas: Canvas,
  cells: readonly Cell[],
  { height, baseline, lineHeight }: { height: number; baseline: number; lineHeight: number },
): Block {
  const count = Math.max(...cells.map(({ text }) => text.lines.length));
  return {
    height: height + (count - 1) * lineHeight,
    draw(top) {
      for (const { text, x, align } of cells) canvas.draw(text, x, top + baseline, lineHeight, align);
    },
  };
}

/** A title over a thin line. */
export function titleOver(canvas: Canvas, text: string, { x, width }: Column, height: number): Block {
  return {
    height,
    draw(top) {
      canvas.text(text, x, top + 10, { size: 8, bold: true, color: PALE });
      canvas.line(x, top + 14, x + width, top + 14, { color: LINE_COLOR });
    },
  };
}
