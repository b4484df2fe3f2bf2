/** The pages of one paper: where the next thing goes, and when a new page begins. */
import type { Canvas } from "./canvas.ts";
import type { Wording } from "./labels.ts";
import type { Paper } from "./paper.ts";

/** A4 in points, and what stays free around it. */
export const PAGE = { width: 595.28, height: 841.89, left: 42, right: 553.28, top: 36, bottom: 796 } as const;
export const CONTENT_WIDTH = PAGE.right - PAGE.left;

const DEFAULT_COLOR = "#1f3a5f";

export interface Sheet {
  readonly canvas: Canvas;
  readonly paper: Paper;
  readonly wording: Wording;
  /** The merchant's colour, and what can be read on it. */
  readonly accent: string;
  readonly onAccent: string;
  /** Where the next thing begins. */
  y: number;
  /** What begins every page; the heading of the first one is drawn behind it. */
  beginPage(): void;
  /** Begins a new page unless `height` is left on this one. Answers whether it did. */
  ensure(height: number): boolean;
}

/** A sheet with its first page begun. `decorate` draws what every page has at its top, and moves `y` below it. */
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

/** Whether black is read better on `color` than white: by the relative luminance of WCAG 2, 1.4.3. */
export function isLight(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}
