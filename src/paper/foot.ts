/** Draws the foot of a document: notes, bank accounts, and the registration with the authority, with its QR code. */
import { type Canvas, INK, PALE, LINE_COLOR } from "./canvas.ts";
import {
  type Block,
  drawBlocks,
  heightOf,
  rowOf,
  space,
  titleOver,
  together,
  wrapped,
  CONTENT_WIDTH,
  PAGE,
  type Sheet,
} from "./sheet.ts";
import type { Text } from "../foundation/text.ts";
import { fieldsShown } from "../intake/table-fields.ts";
import { type LabelName, LABELS } from "./labels.ts";
import type { Paper } from "./paper.ts";

const ROW_HEIGHT = 14;

/** What the document is registered with, at the foot of the last page. */
export async function registrationOf({ canvas, paper, wording }: Sheet): Promise<Block> {
  const { issuedThrough, qrUrl } = paper;
  const qr = qrUrl === null ? undefined : await measureQr(qrUrl, Infinity);
  const codes = registeredCodes(paper);
  const names = [...codes.map(([name]) => name), "issuedThrough" as const].map(wording.label);
  const labels = names.map((name) => canvas.fit(name, CONTENT_WIDTH, { size: 8, color: PALE }));
  const left = PAGE.left + (qr === undefined ? 0 : qr.size + 12);
  const valuesLeft = left + Math.max(...labels.map(({ width }) => width)) + 12;
  const width = PAGE.right - valuesLeft;
  const style = { size: 9 };
  // Codes are set smaller if that keeps them on one line.
  const fitted = codes.map(([name, code]) => canvas.fit(code, width, { ...style, bold: name === "mark" }));
  const channel = { lines: canvas.wrap(wording.format(issuedThrough), width, style), width, style };
  const rows = [...fitted, channel].map((text, index) => {
    const cells = [
      { text: labels[index]!, x: left },
      { text, x: valuesLeft },
    ];
    return rowOf(canvas, cells, { height: ROW_HEIGHT, baseline: ROW_HEIGHT, lineHeight: ROW_HEIGHT });
  });
  const blocks = [...rows, ...(qrUrl === null ? [] : [linkTo(canvas, wording.label("verify"), left, qrUrl)])];
  return {
    height: Math.max(qr?.size ?? 0, heightOf(blocks)) + 14,
    draw(y) {
      canvas.line(PAGE.left, y, PAGE.right, y, { color: LINE_COLOR });
      const top = y + 10;
      if (qr !== undefined) drawQr(canvas, qr, { right: PAGE.left + qr.size - qr.quiet, y: top });
      drawBlocks(blocks, top);
    },
  };
}

function linkTo(canvas: Canvas, text: string, x: number, url: string): Block {
  return {
    height: ROW_HEIGHT,
    draw(top) {
      const y = top + ROW_HEIGHT;
      const width = canvas.text(text, x, y, { size: 8 });
      canvas.line(x, y + 2, x + width, y + 2, { color: INK, width: 0.4 });
      canvas.document.link(x, y - 8, width, 10, url);
    },
  };
}

/** The codes that the document has. */
export function registeredCodes({ mark, uid, authenticationCode }: Paper): [LabelName, string][] {
  const codes = Object.entries({ mark, uid, authenticationCode });
  return codes.flatMap(([name, code]) => (code === null ? [] : [[name as LabelName, code]]));
}

type QrCode = NonNullable<Awaited<ReturnType<typeof measureQr>>>;

/** Capacity of version 40 at error correction level M. */
const URL_BYTES_MAX = 2331;
/** ISO/IEC 18004 requires four empty modules around the code. */
const QUIET_MODULES = 4;
const SIZE_MIN = 92;
/** Smaller modules cannot be read at 150 dots per inch. */
const MODULE_MIN = 1.45;

/** At most `width` points. Undefined where the address is too long for a QR code; the PDF then has only the link. */
export async function measureQr(url: string, width: number) {
  if (Buffer.byteLength(url) > URL_BYTES_MAX) return undefined;
  const { default: qrcode } = await import("qrcode");
  const { modules } = qrcode.create(url, { errorCorrectionLevel: "M" });
  const across = modules.size + 2 * QUIET_MODULES;
  const module = Math.min(Math.max(MODULE_MIN, SIZE_MIN / across), width / across);
  return {
    url,
    /** Modules per row. */
    count: modules.size,
    isDark: (row: number, column: number) => modules.get(row, column) !== 0,
    /** Points of one module, of the whole code with its quiet zone, and of that zone on each side. */
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

/** Notes and accounts, each with its title; without what is empty. A credit note is not paid, so it has no accounts. */
export function remarksOf({ document, stationery, isCreditNote }: Paper): { title: Text; texts: string[] }[] {
  const accounts = (isCreditNote ? [] : (stationery.bank_accounts ?? [])).map(
    ({ bank, iban }) => `${bank}: ${spacedIban(iban)}`,
  );
  return [
    ...fieldsShown(document, "foot").map(({ label, text }) => ({ title: label, texts: text.split("\n") })),
    { title: LABELS.bankAccounts, texts: accounts },
  ].filter(({ texts }) => texts.length > 0);
}

/** Those of A4: a title with its first line, and a block for each further line. */
export function remarkBlocks({ canvas, paper, wording }: Sheet): Block[] {
  const place = { x: PAGE.left, width: CONTENT_WIDTH };
  return remarksOf(paper).flatMap(({ title, texts }) => {
    const [first, ...others] = texts.flatMap((text) => wrapped(canvas, text, place, { size: 8.5 }));
    const head = titleOver(canvas, wording.format(title), place, 18);
    return [together([head, first!]), ...others, space(10)];
  });
}

/** `GR16 0110 1250 0000 0001 2300 695`, as banks print it. */
function spacedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}
