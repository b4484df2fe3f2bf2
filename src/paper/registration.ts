/** Draws the registration with the authority: MARK, uid, authentication code, channel and QR code. */
import { type Fitted, INK, PALE, RULE } from "./canvas.ts";
import type { LabelName } from "./labels.ts";
import { drawQr, measureQr, type QrCode } from "./qr.ts";
import { PAGE, type Sheet } from "./sheet.ts";

const ROW_HEIGHT = 14;
const LABEL = { size: 8 };
const VALUE = { size: 9 };

interface Row {
  label: string;
  value: Fitted;
}

export interface Registration {
  /** Points on the page. */
  height: number;
  qr: QrCode | undefined;
  rows: readonly Row[];
  /** Where the labels and the values begin. */
  left: number;
  valuesLeft: number;
}

export async function measureRegistration({ canvas, paper, wording }: Sheet): Promise<Registration> {
  const { mark, uid, authenticationCode, issuedThrough, qrUrl } = paper;
  const qr = qrUrl === null ? undefined : await measureQr(qrUrl);
  const codes: readonly (readonly [LabelName, string | null])[] = [
    ["mark", mark],
    ["uid", uid],
    ["authenticationCode", authenticationCode],
  ];
  const shown = codes.filter((code): code is [LabelName, string] => code[1] !== null);
  const labels = [...shown.map(([name]) => name), "issuedThrough" as const].map(wording.label);
  const left = PAGE.left + (qr === undefined ? 0 : qr.size + 12);
  const valuesLeft = left + Math.max(...labels.map((label) => canvas.widthOf(label, LABEL))) + 12;
  const width = PAGE.right - valuesLeft;
  // Codes are set smaller if that keeps them on one line.
  const fitted = shown.map(([name, code]) => canvas.fit(code, width, { ...VALUE, bold: name === "mark" }));
  const channel = { lines: canvas.wrap(wording.format(issuedThrough), width, VALUE), width, style: VALUE };
  const rows = [...fitted, channel].map((value, index) => ({ label: labels[index]!, value }));
  const lineCount = rows.reduce((sum, { value }) => sum + value.lines.length, qrUrl === null ? 0 : 1);
  return { qr, rows, left, valuesLeft, height: Math.max(qr?.size ?? 0, lineCount * ROW_HEIGHT) + 14 };
}

/** Draws at the foot of the last page, or at the top of a new one where there is no room. */
export function drawRegistration(sheet: Sheet, { height, qr, rows, left, valuesLeft }: Registration): void {
  const { canvas, paper, wording } = sheet;
  if (!sheet.ensure(height)) sheet.y = PAGE.bottom - height;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE });
  const top = sheet.y + 10;
  if (qr !== undefined) drawQr(canvas, qr, { right: PAGE.left + qr.size - qr.quiet, y: top });
  let y = top + ROW_HEIGHT;
  for (const { label, value } of rows) {
    canvas.text(label, left, y, { ...LABEL, color: PALE });
    canvas.draw(value, valuesLeft, y, ROW_HEIGHT);
    y += value.lines.length * ROW_HEIGHT;
  }
  if (paper.qrUrl === null) return;
  const width = canvas.text(wording.label("verify"), left, y, LABEL);
  canvas.line(left, y + 2, left + width, y + 2, { color: INK, width: 0.4 });
  canvas.document.link(left, y - 8, width, 10, paper.qrUrl);
}
