/**
 * Draws the foot of a document: notes, bank accounts, and the registration with the authority (MARK, uid, authentication code, channel and
 * QR code).
 */
import { type Canvas, CONTENT_WIDTH, type Fitted, INK, PAGE, PALE, RULE, type Sheet } from "./canvas.ts";
import type { Text } from "../foundation/text.ts";
import { fieldsShown } from "../intake/table-fields.ts";
import { type LabelName, LABELS } from "./labels.ts";
import type { Paper } from "./paper.ts";
import { drawTableTitle } from "./summary.ts";

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
  const { issuedThrough, qrUrl } = paper;
  const qr = qrUrl === null ? undefined : await measureQr(qrUrl, Infinity);
  const shown = registeredCodes(paper);
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

/** The codes that the document has. */
export function registeredCodes({ mark, uid, authenticationCode }: Paper): [LabelName, string][] {
  const codes: readonly (readonly [LabelName, string | null])[] = [
    ["mark", mark],
    ["uid", uid],
    ["authenticationCode", authenticationCode],
  ];
  return codes.filter((code): code is [LabelName, string] => code[1] !== null);
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

/** At most `width` points. Undefined where the address is too long for a QR code; the PDF then has only the link. */
export async function measureQr(url: string, width: number): Promise<QrCode | undefined> {
  if (Buffer.byteLength(url) > URL_BYTES_MAX) return undefined;
  const { default: qrcode } = await import("qrcode");
  const { modules } = qrcode.create(url, { errorCorrectionLevel: "M" });
  const across = modules.size + 2 * QUIET_MODULES;
  const module = Math.min(Math.max(MODULE_MIN, SIZE_MIN / across), width / across);
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

const TEXT = { size: 8.5 } as const;
const LINE_HEIGHT = 11.5;
const TITLE_HEIGHT = 18;
const SPACE_BELOW = 10;

/** Notes and accounts, each with its title; without what is empty. A credit note is not paid, so it has no accounts. */
export function remarksOf({ document, stationery, isCreditNote }: Paper): { title: Text; texts: string[] }[] {
  const accounts = (isCreditNote ? [] : stationery.bankAccounts).map(
    ({ bank, iban }) => `${bank}: ${spacedIban(iban)}`,
  );
  return [
    ...fieldsShown(document, "foot").map(({ label, text }) => ({ title: label, texts: text.split("\n") })),
    ...(accounts.length === 0 ? [] : [{ title: LABELS.bankAccounts, texts: accounts }]),
  ];
}

/** Lays them out for A4. */
export function layOutRemarks(sheet: Sheet): { height: number; draw(): void } {
  const { canvas, paper, wording } = sheet;
  const parts = remarksOf(paper).map(({ title, texts }) => ({
    title: wording.format(title),
    lines: texts.flatMap((text) => canvas.wrap(text, CONTENT_WIDTH, TEXT)),
  }));
  return {
    height: parts.reduce((sum, { lines }) => sum + heightOf(lines), 0),
    draw() {
      for (const { title, lines } of parts) {
        sheet.ensure(heightOf(lines.slice(0, 1)));
        drawTableTitle(canvas, title, { x: PAGE.left, right: PAGE.right, y: sheet.y });
        sheet.y += TITLE_HEIGHT;
        for (const line of lines) {
          sheet.ensure(LINE_HEIGHT);
          canvas.text(line, PAGE.left, sheet.y + 8, TEXT);
          sheet.y += LINE_HEIGHT;
        }
        sheet.y += SPACE_BELOW;
      }
    },
  };
}

function heightOf(lines: readonly string[]): number {
  return TITLE_HEIGHT + lines.length * LINE_HEIGHT + SPACE_BELOW;
}

/** `GR16 0110 1250 0000 0001 2300 695`, as banks print it. */
function spacedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}
