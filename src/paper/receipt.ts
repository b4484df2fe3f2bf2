/** Draws a retail document for a roll of 80 mm: one column, on a page as long as its contents. */
import { PAYMENT_WORDS, UNIT_WORDS, VAT_CATEGORIES, VAT_WORDS } from "../domain/document-codes.ts";
import { type Canvas, INK, PALE, LINE_COLOR, type TextStyle } from "./canvas.ts";
import { type Block, drawBlocks, heightOf, space, wrapped } from "./sheet.ts";
import { bandTexts, describeOriginal, factsOf, issuerLines, titleOf } from "./heading.ts";
import {
  describeExemption,
  formatGreekEuro,
  formatGreekNumber,
  formatGreekQuantity,
  LABELS,
  type Wording,
} from "./labels.ts";
import type { Paper } from "./paper.ts";
import { drawQr, measureQr, registeredCodes, remarksOf } from "./foot.ts";
import { totalsOf } from "./summary.ts";

/** 80 mm, of which printers of such rolls reach 72. */
const ROLL = { width: 226.77, left: 11.34, right: 215.43 } as const;
const WIDTH = ROLL.right - ROLL.left;
const MIDDLE = ROLL.width / 2;
/** A page of a PDF is at most 14400 points long; some lines further the receipt goes on in the next. */
const PAGE_HEIGHT_MAX = 14_000;
const MARGIN = 14;
const LOGO_HEIGHT = 50;
const SIZE = 8;
const GAP = 5;

/** Draws all pages, and returns how to draw the logo on the first, which must come last. */
export async function drawReceipt(canvas: Canvas, paper: Paper, wording: Wording): Promise<() => void> {
  const roll = createRoll(canvas, paper, wording);
  const { separator, textOf, centred } = roll;
  const { logo } = paper.stationery;
  const bands = bandTexts(paper, wording).flatMap((text) => centred(text, { size: 10, bold: true }));
  const blocks = [
    ...bands,
    ...(logo === undefined ? [] : [space(LOGO_HEIGHT + GAP)]),
    ...headBlocks(roll),
    separator,
    ...lineBlocks(roll),
    separator,
    ...totalBlocks(roll),
    separator,
    ...remarksOf(paper).flatMap(({ title, texts }) => [
      ...textOf(wording.format(title), { color: PALE, size: 7 }),
      ...texts.flatMap((text) => textOf(text)),
      space(GAP),
    ]),
    ...(await registrationBlocks(roll)),
  ];
  drawPages(canvas, blocks);
  return () => {
    if (logo === undefined) return;
    const top = MARGIN + heightOf(bands);
    const image = Buffer.from(logo, "base64");
    canvas.document.image(image, ROLL.left, top, { fit: [WIDTH, LOGO_HEIGHT], align: "center" });
  };
}

function drawPages(canvas: Canvas, blocks: readonly Block[]): void {
  const pages: Block[][] = [[]];
  for (const block of blocks) {
    const page = pages.at(-1)!;
    if (heightOf(page) + block.height > PAGE_HEIGHT_MAX) pages.push([block]);
    else page.push(block);
  }
  for (const page of pages) {
    canvas.document.addPage({ size: [ROLL.width, heightOf(page) + 2 * MARGIN], margin: 0 });
    drawBlocks(page, MARGIN);
  }
}

type Roll = ReturnType<typeof createRoll>;

/** What is printed, and the forms in which a roll has it. */
function createRoll(canvas: Canvas, paper: Paper, wording: Wording) {
  const separator: Block = {
    height: 2 * GAP,
    draw: (top) => canvas.line(ROLL.left, top + GAP, ROLL.right, top + GAP, { color: LINE_COLOR }),
  };
  const textOf = (text: string, style: TextStyle = {}) =>
    wrapped(canvas, text, { x: ROLL.left, width: WIDTH }, { size: SIZE, ...style });
  const centred = (text: string, style: TextStyle = {}) =>
    wrapped(canvas, text, { x: MIDDLE, width: WIDTH }, { size: SIZE, ...style, align: "center" });

  /** A text and an amount at the other end, on a line of its own where both do not fit on one. */
  function pair(left: string, right: string, style: TextStyle = {}): Block[] {
    const shown = { size: SIZE, ...style };
    const room = WIDTH - canvas.widthOf(right, shown) - 8;
    const lines = canvas.wrap(left, Math.max(room, WIDTH / 3), shown);
    const height = shown.size * 1.4;
    return lines.map((line, index) => ({
      height,
      draw(top) {
        const baseline = top + height * 0.75;
        canvas.text(line, ROLL.left, baseline, shown);
        if (index === lines.length - 1)
          canvas.text(right, ROLL.right, baseline, { ...shown, align: "right", widthMax: WIDTH * 0.64 });
      },
    }));
  }
  return { canvas, paper, wording, separator, textOf, centred, pair };
}

function headBlocks({ paper, wording, textOf, centred, pair }: Roll): Block[] {
  const { first, second } = titleOf(paper, wording);
  return [
    ...issuerLines(paper, wording).flatMap(({ text, bold = false }) =>
      centred(text, bold ? { size: 11, bold } : {}),
    ),
    space(GAP),
    ...centred(first, { size: 10, bold: true }),
    ...centred(second, { color: PALE }),
    space(GAP),
    ...factsOf(paper).flatMap(([label, value]) => pair(wording.format(label), value)),
    ...(paper.originals.length === 0 ? [] : textOf(wording.label("corrects"))),
    ...paper.originals.flatMap((original) => textOf(describeOriginal(original, wording), { bold: true })),
  ];
}

/** The description, and below it `2 × 2,50`, the rate and the value. */
function lineBlocks({ paper, wording, textOf, pair }: Roll): Block[] {
  return paper.lines.flatMap((line) => {
    const unit = line.unit === "piece" ? "" : ` ${wording.stack(UNIT_WORDS[line.unit]).first}`;
    const price = `${formatGreekQuantity(line.quantity)}${unit} × ${formatGreekNumber(line.unitPrice)}`;
    const { ratePercent } = VAT_CATEGORIES[line.vat_category];
    const value = formatGreekNumber(line.net + line.vat);
    return [...textOf(line.description), ...pair(`${price} · ${ratePercent}%`, value), space(2)];
  });
}

function totalBlocks({ paper, wording, separator, textOf, pair }: Roll): Block[] {
  return [
    ...totalsOf(paper).flatMap(({ label, cents, isSum }) =>
      pair(wording.format(label), formatGreekEuro(cents), isSum ? { size: 11, bold: true } : { color: INK }),
    ),
    ...paper.payments.flatMap(({ method, amount }) =>
      pair(wording.format(PAYMENT_WORDS[method]), formatGreekEuro(amount)),
    ),
    separator,
    ...pair(wording.format(LABELS.vatAnalysis), wording.format(NET_AND_VAT), { bold: true }),
    ...paper.vatRows.flatMap(({ category, exemption, net, vat }) => [
      ...pair(
        `${VAT_CATEGORIES[category].ratePercent}% ${wording.format(VAT_WORDS[category])}`,
        `${formatGreekNumber(net)} + ${formatGreekNumber(vat)}`,
      ),
      ...(exemption === undefined
        ? []
        : textOf(`${exemption}: ${wording.format(describeExemption(exemption))}`, {
            size: 7,
          })),
    ]),
    ...(paper.vatPaymentSuspension ? textOf(wording.label("cashAccounting"), { bold: true }) : []),
  ];
}

const NET_AND_VAT = {
  el: `${LABELS.netValue.el} + ${LABELS.vatAmount.el}`,
  en: `${LABELS.netValue.en} + ${LABELS.vatAmount.en}`,
};

async function registrationBlocks({ canvas, paper, wording, textOf, centred }: Roll): Promise<Block[]> {
  const { qrUrl } = paper;
  const qr = qrUrl === null ? undefined : await measureQr(qrUrl, WIDTH);
  const codes = registeredCodes(paper).flatMap(([name, code]) => [
    ...textOf(wording.label(name), { color: PALE, size: 7 }),
    ...textOf(code, { bold: name === "mark" }),
  ]);
  const code: Block[] =
    qr === undefined
      ? []
      : [
          {
            height: qr.size,
            draw: (top) => drawQr(canvas, qr, { right: MIDDLE + qr.size / 2, y: top }),
          },
        ];
  const verify: Block[] =
    qrUrl === null
      ? []
      : centred(wording.label("verify")).map(({ height, draw }) => ({
          height,
          draw(top) {
            draw(top);
            canvas.document.link(ROLL.left, top, WIDTH, height, qrUrl);
          },
        }));
  return [...codes, ...textOf(wording.format(paper.issuedThrough)), ...code, ...verify];
}
