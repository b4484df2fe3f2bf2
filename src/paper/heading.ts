/** Draws the top of a document: test and cancellation bands, issuer, title, customer, and the documents that a credit note corrects. */
import { type Canvas, INK, PALE, type TextStyle } from "./canvas.ts";
import { drawBlocks, together, wrapped, CONTENT_WIDTH, PAGE, type Sheet } from "./sheet.ts";
import { printedTitle } from "../domain/document-types.ts";
import { dayText } from "../foundation/days.ts";
import { type LabelName, LABELS, type Wording } from "./labels.ts";
import type { Paper, PaperOriginal } from "./paper.ts";
import type { Party } from "../domain/canonical-document.ts";
import type { Text } from "../foundation/text.ts";
import { fieldsShown } from "../intake/table-fields.ts";

const SMALL = { size: 8, color: PALE };
const WARNING = "#b00020";
const BAND_HEIGHT = 22;
const LOGO = { width: 170, height: 56 } as const;
/** The issuer is left of this, the title and the numbers right of it. */
const MIDDLE = PAGE.left + CONTENT_WIDTH * 0.52;

/** Draws the top of every page: the bands and, from the second page on, title, number and issuer. */
export function drawPageTop(sheet: Sheet, isFirst: boolean): void {
  const { paper, wording, canvas } = sheet;
  for (const text of bandTexts(paper, wording)) drawBand(sheet, text);
  if (isFirst) return;
  const name = `${titleOf(paper, wording).first} ${paper.series} ${paper.number}`;
  const [y, width] = [sheet.y + 9, CONTENT_WIDTH / 2];
  canvas.text(name, PAGE.left, y, { ...SMALL, widthMax: width });
  canvas.text(paper.supplier.name, PAGE.right, y, { ...SMALL, align: "right", widthMax: width - 10 });
  canvas.line(PAGE.left, sheet.y + 15, PAGE.right, sheet.y + 15, { color: sheet.accent });
  sheet.y += 26;
}

/** That the document is a test, or cancelled. */
export function bandTexts({ isTest, cancellation }: Paper, wording: Wording): string[] {
  const texts = isTest ? [wording.label("test")] : [];
  if (cancellation === undefined) return texts;
  const { mark, day } = cancellation;
  const detail = mark === null ? "" : ` – ${wording.label("cancellationMark")} ${mark}`;
  return [...texts, `${wording.label("cancelled")} ${dayText(day).el}${detail}`];
}

function drawBand(sheet: Sheet, text: string): void {
  const { canvas } = sheet;
  canvas.document
    .rect(PAGE.left, sheet.y, CONTENT_WIDTH, BAND_HEIGHT)
    .lineWidth(1.2)
    .strokeColor(WARNING)
    .stroke();
  canvas.text(text, PAGE.left + CONTENT_WIDTH / 2, sheet.y + 15, {
    size: 11,
    bold: true,
    color: WARNING,
    align: "center",
    widthMax: CONTENT_WIDTH - 16,
  });
  sheet.y += BAND_HEIGHT + 8;
}

/** In both languages, the paper's language first. */
export function titleOf(paper: Paper, wording: Wording): { first: string; second: string } {
  const { el, en } = printedTitle(paper.sentType);
  return wording.language === "en" ? { first: en, second: el } : { first: el, second: en };
}

/** Draws the issuer, title and customer of the first page. The logo is drawn last, at `logoTop`. */
export function drawHeading(sheet: Sheet): { logoTop: number } {
  const logoTop = sheet.y;
  const { canvas, paper, wording } = sheet;
  const issuerTop = logoTop + (paper.stationery.logo === undefined ? 0 : LOGO.height + 8);
  const place = { x: PAGE.left, y: issuerTop, width: MIDDLE - PAGE.left - 20 };
  const left = drawLines(canvas, issuerLines(paper, wording), place);
  const right = drawTitle(sheet, logoTop);
  sheet.y = Math.max(left, right) + 6;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: sheet.accent, width: 1.2 });
  sheet.y += 10;
  const { customer } = paper.document;
  if (customer !== undefined) drawCustomer(sheet, customer);
  return { logoTop };
}

/** Draws the logo on the first page, above the issuer. */
export function drawLogo({ canvas, paper }: Sheet, top: number): void {
  const { logo } = paper.stationery;
  if (logo === undefined) return;
  canvas.document.image(Buffer.from(logo, "base64"), PAGE.left, top, {
    fit: [LOGO.width, LOGO.height],
    valign: "center",
  });
}

type PrintedText = TextStyle & { text: string };

/** Draws lines below each other and returns where they end. */
function drawLines(
  canvas: Canvas,
  lines: readonly PrintedText[],
  { y, ...place }: { x: number; y: number; width: number },
): number {
  return drawBlocks(
    lines.flatMap(({ text, ...style }) => wrapped(canvas, text, place, style)),
    y,
  );
}

/** Whether the customer is in another country. */
function isAbroad({ document: { customer } }: Paper): boolean {
  return customer !== undefined && customer.tax_id.country !== "GR";
}

/** Name, registration, address and contact. */
export function issuerLines(paper: Paper, wording: Wording): PrintedText[] {
  const { supplier, stationery } = paper;
  const labelled = (label: LabelName, text: string | undefined) =>
    text === undefined ? undefined : `${wording.label(label)} ${text}`;
  const place =
    supplier.address === undefined
      ? [
          stationery.address,
          branchText(supplier, wording),
          labelled("registeredOffice", stationery.head_office),
        ]
      : [addressLines(supplier, wording).join(", "), branchText(supplier, wording)];
  const identity = [
    stationery.activity,
    labelled("taxId", taxIdText(supplier, isAbroad(paper))),
    labelled("taxOffice", stationery.tax_office),
    labelled("gemi", stationery.gemi),
    ...place,
  ];
  const contact = [labelled("phone", stationery.phone), stationery.email, stationery.website];
  return [
    { text: supplier.name, bold: true, size: 12.5 },
    ...identity.flatMap((text) => (text === undefined ? [] : [{ text }])),
    ...contact.flatMap((text) => (text === undefined ? [] : [{ text, color: PALE }])),
  ];
}

function drawTitle(sheet: Sheet, top: number): number {
  const { canvas, wording } = sheet;
  const { first, second } = titleOf(sheet.paper, wording);
  const width = PAGE.right - MIDDLE;
  const titles = [
    { text: first, bold: true, size: 14 },
    { text: second, size: 10, color: PALE },
  ];
  let y = drawLines(canvas, titles, { x: MIDDLE, y: top, width }) + 6;
  for (const [label, value] of factsOf(sheet.paper)) {
    const used = canvas.text(wording.format(label), MIDDLE, y + 8, { ...SMALL, widthMax: width * 0.6 });
    for (const line of canvas.wrap(value, width - used - 10, { bold: true })) {
      canvas.text(line, PAGE.right, y + 8, { bold: true, align: "right" });
      y += 14;
    }
  }
  return y;
}

export function factsOf({ document, series, number, sentType, reference }: Paper): [Text, string][] {
  const shown: [Text, string][] = [
    [LABELS.seriesAndNumber, `${series} ${number}`],
    [LABELS.issueDate, dayText(document.issue_date).el],
  ];
  for (const { label, text, isDay } of fieldsShown(document, "heading"))
    shown.push([label, isDay ? dayText(text).el : text]);
  shown.push([LABELS.authorityType, sentType]);
  if (reference !== null) shown.push([LABELS.reference, reference]);
  return shown;
}

function drawCustomer(sheet: Sheet, customer: Party): void {
  const { canvas, wording } = sheet;
  const top = sheet.y;
  canvas.text(wording.label("customer"), PAGE.left, top + 8, SMALL);
  const left = [
    ...(customer.name === undefined ? [] : [{ text: customer.name, bold: true, size: 10 }]),
    ...addressLines(customer, wording).map((text) => ({ text })),
  ];
  const right = [
    { text: `${wording.label("taxId")} ${taxIdText(customer, false)}`, bold: true, color: INK },
    { text: branchText(customer, wording) },
  ];
  // A Greek party may have only a tax number, which then goes on the left.
  const [first, second] = left.length === 0 ? [right, []] : [left, right];
  const y = top + 13;
  const ends = [
    drawLines(canvas, first, { x: PAGE.left, y, width: MIDDLE - PAGE.left - 20 }),
    drawLines(canvas, second, { x: MIDDLE, y, width: PAGE.right - MIDDLE }),
  ];
  sheet.y = Math.max(...ends) + 12;
}

/** The tax number; across a border with its country, EL for Greece (VAT Directive, articles 215 and 226(3)). */
function taxIdText({ tax_id: { country, code } }: Party, hasPrefix: boolean): string {
  if (country !== "GR") return `${country} ${code}`;
  return hasPrefix ? `EL ${code}` : code;
}

/** `Εγκατάσταση / Branch 0 (έδρα / head office)`. */
function branchText({ branch }: Party, wording: Wording): string {
  const text = `${wording.label("branch")} ${branch}`;
  return branch === 0 ? `${text} (${wording.label("headOffice")})` : text;
}

/** Street, then postal code and city, then the country where it is not Greece; empty without an address. */
function addressLines({ address, tax_id: { country } }: Party, wording: Wording): string[] {
  const place = country === "GR" ? [] : [countryName(country, wording)];
  if (address === undefined) return place;
  const street = [address.street, address.number].filter((part) => part !== undefined).join(" ");
  return [...(street === "" ? [] : [street]), `${address.postal_code} ${address.city}`, ...place];
}

/** A code that is not a country is returned unchanged. */
function countryName(country: string, wording: Wording): string {
  // The tax authorities use XI for Northern Ireland.
  if (country === "XI") return wording.format({ el: "Βόρεια Ιρλανδία", en: "Northern Ireland" });
  const named = (language: string) =>
    new Intl.DisplayNames([language], { type: "region", fallback: "code" }).of(country) ?? country;
  return wording.format({ el: named("el"), en: named("en") });
}

export function describeOriginal(
  { mark, seriesAndNumber, issueDate }: PaperOriginal,
  wording: Wording,
): string {
  const named = `${wording.label("mark")} ${mark}`;
  if (seriesAndNumber === null || issueDate === null) return named;
  return `${seriesAndNumber}, ${dayText(issueDate).el}, ${named}`;
}

/** Up to this many get a line each; more are printed as one paragraph. */
const OWN_LINE_MAX = 6;

/** Up to a thousand. */
export function drawOriginals(sheet: Sheet): void {
  const { canvas, paper, wording } = sheet;
  if (paper.originals.length === 0) return;
  const place = { x: PAGE.left, width: CONTENT_WIDTH };
  const head = wrapped(canvas, wording.label("corrects"), place, SMALL);
  const texts = paper.originals.map((original) => describeOriginal(original, wording));
  const paragraphs = texts.length <= OWN_LINE_MAX ? texts : [texts.join(" · ")];
  const [first, ...others] = paragraphs.flatMap((text) => wrapped(canvas, text, place, { size: 8.5 }));
  sheet.add([together([...head, first!]), ...others]);
  sheet.y += 8;
}
