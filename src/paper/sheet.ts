/** Manages the pages of one paper: the position of the next part, and page breaks. */
import type { Canvas } from "./canvas.ts";
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
