/** Draws the registration with the authority: MARK, uid, provider and QR code. */
import { INK, PALE, RULE } from "./canvas.ts";
import { drawQr, measureQr, type QrCode } from "./qr.ts";
import { PAGE, type Sheet } from "./sheet.ts";

const ROW_HEIGHT = 14;

export interface Registration {
  /** Points on the page. */
  height: number;
  qr: QrCode | undefined;
}

export async function measureRegistration({ paper }: Sheet): Promise<Registration> {
  const qr = paper.qrUrl === null ? undefined : await measureQr(paper.qrUrl);
  return { qr, height: Math.max(qr?.size ?? 0, 4 * ROW_HEIGHT) + 14 };
}

/** Draws at the foot of the last page, or at the top of a new one where there is no room. */
export function drawRegistration(sheet: Sheet, { height, qr }: Registration): void {
  const { canvas, paper, wording } = sheet;
  if (!sheet.ensure(height)) sheet.y = PAGE.bottom - height;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE });
  const top = sheet.y + 10;
  if (qr !== undefined) drawQr(canvas, qr, { right: PAGE.left + qr.size - qr.quiet, y: top });
  const left = PAGE.left + (qr === undefined ? 0 : qr.size + 12);
  const rows: [string, string][] = [
    [wording.label("mark"), paper.mark],
    ...(paper.uid === null ? [] : [[wording.label("uid"), paper.uid] satisfies [string, string]]),
    [wording.label("issuedThrough"), wording.format(paper.issuedThrough)],
  ];
  const labelWidth = Math.max(...rows.map(([label]) => canvas.widthOf(label, { size: 8 }))) + 12;
  let y = top + ROW_HEIGHT;
  for (const [label, value] of rows) {
    canvas.text(label, left, y, { size: 8, color: PALE });
    for (const line of canvas.wrap(value, PAGE.right - left - labelWidth, { size: 9 })) {
      canvas.text(line, left + labelWidth, y, { size: 9, bold: value === paper.mark });
      y += ROW_HEIGHT;
    }
  }
  if (paper.qrUrl === null) return;
  const width = canvas.text(wording.label("verify"), left, y, { size: 8 });
  canvas.line(left, y + 2, left + width, y + 2, { color: INK, width: 0.4 });
  canvas.document.link(left, y - 8, width, 10, paper.qrUrl);
}
