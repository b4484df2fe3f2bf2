/** Draws QR codes as rectangles, which print sharply at any size. */
import type { Canvas } from "./canvas.ts";

export interface QrCode {
  url: string;
  /** Modules per row. */
  count: number;
  isDark(row: number, column: number): boolean;
  /** Points of one module, and of the whole code with its quiet zone. */
  module: number;
  size: number;
  /** Points of the quiet zone, on each side. */
  quiet: number;
}

/** Capacity of version 40 at error correction level M. */
const URL_BYTES_MAX = 2331;
/** ISO/IEC 18004 requires four empty modules around the code. */
const QUIET_MODULES = 4;
const SIZE_MIN = 92;
/** Smaller modules cannot be read at 150 dots per inch. */
const MODULE_MIN = 1.45;

/** Undefined where the address is too long for a QR code; the PDF then has only the link. */
export async function measureQr(url: string): Promise<QrCode | undefined> {
  if (Buffer.byteLength(url) > URL_BYTES_MAX) return undefined;
  const { default: qrcode } = await import("qrcode");
  const { modules } = qrcode.create(url, { errorCorrectionLevel: "M" });
  const across = modules.size + 2 * QUIET_MODULES;
  const module = Math.max(MODULE_MIN, SIZE_MIN / across);
  return {
    url,
    count: modules.size,
    isDark: (row, column) => modules.get(row, column) !== 0,
    module,
    size: across * module,
    quiet: QUIET_MODULES * module,
  };
}

/** Draws the code; `right` and `y` are the corner of the whole code with its quiet zone. */
export function drawQr({ document }: Canvas, qr: QrCode, { right, y }: { right: number; y: number }): void {
  const { count, module, size } = qr;
  const left = right - size + qr.quiet;
  const top = y + qr.quiet;
  for (let row = 0; row < count; row += 1) {
    for (let from = 0; from < count; from += 1) {
      if (!qr.isDark(row, from)) continue;
      let end = from + 1;
      while (end < count && qr.isDark(row, end)) end += 1;
      document.rect(left + from * module, top + row * module, (end - from) * module, module);
      from = end;
    }
  }
  // Filled as one path, because separately filled rectangles show seams.
  document.fill("#000000");
  document.link(right - size, y, size, size, qr.url);
}
