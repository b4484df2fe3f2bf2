/** A preview for reading: parties, amounts, classification with its reasons, and what the provider would receive. */
import { joinWarnings } from "../../../src/foundation/stored-texts.ts";
import { PAYMENT_WORDS, providerName } from "../../../src/domain/document-codes.ts";
import type { Examination } from "../../../src/documents/preview.ts";
import { describeReason } from "../../../src/domain/classification.ts";
import { type VatCategory } from "../../../src/domain/document-codes.ts";
import { typeInfo } from "../../../src/domain/document-types.ts";
import { computeVatShares } from "../../../src/domain/totals.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { printNote, type ProgramIo, write } from "../../io.ts";
import { printableLines } from "../../../src/foundation/characters.ts";
import { amountText, type Column, dayText, moneyText, type Row } from "../../../src/operations/view.ts";
import { printFields, printTable } from "../../ui/table.ts";
import { contentsLines } from "../../../src/documents/contents.ts";
import { furtherRows, LINE_COLUMNS, previewedNumber, rateOf } from "../../../src/operations/document-view.ts";
import { partyText, warningLine } from "../document-view.ts";

export const PREVIEW_FIELDS = ["provider", "type", "totals", "classification", "payload"];

interface ViewOptions {
  place: Text;
  reference: string | null;
  mode: Mode;
  /** Also shows the provider's payload. */
  payload: boolean;
}

export async function printExamination(
  io: ProgramIo,
  examination: Examination,
  options: ViewOptions,
): Promise<void> {
  const { object, classified } = examination;
  await printFields(io, headFields(examination, options));
  await printTable(io, LINE_COLUMNS, contentsLines(examination.document.lines, classified.lines));
  await printTable(io, INCOME_COLUMNS, incomeOf(examination));
  await printTable(io, VAT_COLUMNS, computeVatShares(examination.document.lines));
  await printFields(io, [
    [{ en: "net", el: "καθαρή αξία" }, moneyText(object.totals.net)],
    [{ en: "vat", el: "ΦΠΑ" }, moneyText(object.totals.vat)],
    [{ en: "gross", el: "σύνολο" }, moneyText(object.totals.gross)],
    ...furtherRows(examination.document),
    ...paymentFields(examination),
  ]);
  if (options.payload) await write(io.stdout, `${printableLines(await payloadOf(object.payload))}\n`);
  for (const warning of [...joinWarnings(classified.warnings), ...examination.notes])
    await printNote(io, warningLine(warning));
}

function headFields(
  { object, document, sentType, providerReason, number }: Examination,
  { place, reference, mode }: ViewOptions,
): Row[] {
  const { type, supplier, customer, original_marks: originalMarks } = document;
  return [
    [{ en: "document", el: "παραστατικό" }, place],
    ...(reference === null ? [] : [[{ en: "reference", el: "αναφορά" }, reference] as const]),
    [{ en: "type", el: "τύπος" }, typeText(type, sentType)],
    [{ en: "issue date", el: "ημερομηνία έκδοσης" }, dayText(document.issue_date)],
    [{ en: "supplier", el: "εκδότης" }, partyText(supplier)],
    ...(customer === undefined ? [] : [[{ en: "customer", el: "πελάτης" }, partyText(customer)] as const]),
    ...(originalMarks === undefined
      ? []
      : [[{ en: "credits", el: "πιστώνει" }, marksText(originalMarks)] as const]),
    [{ en: "number", el: "αριθμός" }, previewedNumber(number)],
    [{ en: "provider", el: "πάροχος" }, `${providerName(object.provider)} (${mode})`],
    [{ en: "because", el: "γιατί" }, providerReason],
  ];
}

/** `1.1 sales invoice, sent as 1.2` */
function typeText(type: Examination["document"]["type"], sentType: string): Text {
  const { name } = typeInfo(type);
  const isSame = sentType === type;
  return {
    en: `${type} ${name.en.toLowerCase()}${isSame ? "" : `, sent as ${sentType}`}`,
    el: `${type} ${name.el.toLowerCase()}${isSame ? "" : `, στέλνεται ως ${sentType}`}`,
  };
}

function marksText(marks: readonly string[]): Text {
  const list = marks.join(", ");
  return { en: `MARK ${list}`, el: `ΜΑΡΚ ${list}` };
}

function paymentFields({ document, classified }: Examination): Row[] {
  const isAssumed = document.payments === undefined;
  return classified.payments.map(({ method, amount }) => [
    { en: "paid", el: "πληρωμή" },
    joinTexts([moneyText(amount), isAssumed ? assumed(PAYMENT_WORDS[method]) : PAYMENT_WORDS[method]], ", "),
  ]);
}

function assumed({ en, el }: Text): Text {
  return { en: `${en} (assumed: none is given)`, el: `${el} (υπόθεση: δεν δόθηκε πληρωμή)` };
}

interface IncomeView {
  line: number;
  pair: string;
  reason: Text;
}

const INCOME_COLUMNS: readonly Column<IncomeView>[] = [
  { head: { en: "line", el: "γραμμή" }, align: "right", value: ({ line }) => String(line) },
  { head: { en: "income", el: "έσοδο" }, value: ({ pair }) => pair },
  { head: { en: "because", el: "γιατί" }, wraps: true, value: ({ reason }) => reason },
];

function incomeOf({ document, classified }: Examination): IncomeView[] {
  return classified.lines.map(({ category, type }, index) => ({
    line: index + 1,
    pair: type === null ? category : `${category} ${type}`,
    reason: describeReason(classified.reasons[index]!, document.type),
  }));
}

const VAT_COLUMNS: readonly Column<{ category: VatCategory; net: number; vat: number }>[] = [
  { head: { en: "rate", el: "συντελεστής" }, value: ({ category }) => rateOf(category) },
  { head: { en: "category", el: "κατηγορία" }, wraps: true, value: ({ category }) => category },
  { head: { en: "net", el: "καθαρή αξία" }, align: "right", value: ({ net }) => amountText(net) },
  { head: { en: "VAT", el: "ΦΠΑ" }, align: "right", value: ({ vat }) => amountText(vat) },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: ({ net, vat }) => amountText(net + vat) },
];

/** The payload as it is sent: XML for the registry's document. */
async function payloadOf(payload: Record<string, unknown>): Promise<string> {
  if (!("InvoicesDoc" in payload)) return JSON.stringify(payload, null, 2);
  const { writeReadableXml } = await import("../../../src/providers/registry-direct/xml.ts");
  return writeReadableXml(payload).trimEnd();
}
