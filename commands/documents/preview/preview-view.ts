/** A preview for a person: who, what, how much, why so, and what the provider would receive. */
import { describeReason } from "../../../src/domain/classification.ts";
import type { Examination } from "../../../src/documents/preview.ts";
import type { Party } from "../../../src/domain/canonical-schema.ts";
import { computeTotals, computeVatShares } from "../../../src/domain/totals.ts";
import { VAT_CATEGORIES, type VatCategory } from "../../../src/domain/document-codes.ts";
import { typeInfo } from "../../../src/domain/document-types.ts";
import { formatEuro } from "../../../src/foundation/money.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { formatAmount, warningLine } from "../document-view.ts";
import { catalogueOf, type ProgramIo, tell, write } from "../../io.ts";
import type { Catalogue } from "../../language/language.ts";
import { printableLines } from "../../ui/printable.ts";
import { type Column, printFields, printTable } from "../../ui/table.ts";

export interface ViewOptions {
  place: string;
  reference: string | null;
  mode: Mode;
  /** Show the provider's payload, too. */
  payload: boolean;
}

export async function printExamination(
  io: ProgramIo,
  examination: Examination,
  options: ViewOptions,
): Promise<void> {
  const { object, classified } = examination;
  const { text } = catalogueOf(io);
  await printFields(io, headOf(examination, options, text));
  await printTable(io, LINE_COLUMNS, linesOf(examination));
  await printTable(io, INCOME_COLUMNS, incomeOf(examination));
  await printTable(io, VAT_COLUMNS, computeVatShares(examination.document.lines));
  await printFields(io, [
    ["net", formatAmount(object.totals.net)],
    ["vat", formatAmount(object.totals.vat)],
    ["gross", formatAmount(object.totals.gross)],
    ...paymentsOf(examination, text),
  ]);
  if (options.payload) await write(io.stdout, `${printableLines(await payloadOf(object.payload))}\n`);
  for (const warning of [...classified.warnings, ...examination.missingOnPaper])
    await tell(io, warningLine(warning));
}

type Field = readonly [name: string, value: string];

function headOf(
  { object, document, sentType, providerReason, number }: Examination,
  options: ViewOptions,
  text: Catalogue["text"],
): Field[] {
  const { type, supplier, customer, original_marks } = document;
  const { place, reference, mode } = options;
  return [
    ["document", place],
    ...(reference === null ? [] : [["reference", reference] as const]),
    [
      "type",
      `${type} ${text(typeInfo(type).name.en.toLowerCase())}${sentType === type ? "" : text(`, sent as ${sentType}`)}`,
    ],
    ["issue date", document.issue_date],
    ["supplier", partyOf(supplier, text)],
    ...(customer === undefined ? [] : [["customer", partyOf(customer, text)] as const]),
    ...(original_marks === undefined ? [] : [["credits", `MARK ${original_marks.join(", ")}`] as const]),
    ["number", text(numberOf(number))],
    ["provider", `${object.provider} (${mode})`],
    ["because", providerReason.en],
  ];
}

function numberOf(number: Examination["number"]): string {
  return number === null ? "given by the provider" : `${number.series} ${number.number}, not reserved`;
}

function paymentsOf({ document, classified }: Examination, text: Catalogue["text"]): Field[] {
  const assumed = document.payments === undefined ? ` ${text("(assumed: none is given)")}` : "";
  return classified.payments.map(({ method, amount }) => [
    "paid",
    `${formatAmount(amount)}, ${method}${assumed}`,
  ]);
}

/** `GR 094012834, branch 2, Muster GmbH, Hauptstraße 1, 10115 Berlin` */
function partyOf({ tax_id, branch, name, address }: Party, text: Catalogue["text"]): string {
  const parts = [
    `${tax_id.country} ${tax_id.code}`,
    branch === 0 ? undefined : text(`branch ${branch}`),
    name,
    address === undefined ? undefined : [address.street, address.number].filter(Boolean).join(" "),
    address === undefined ? undefined : `${address.postal_code} ${address.city}`,
  ];
  return parts.filter((part) => part !== undefined && part !== "").join(", ");
}

interface LineView {
  line: number;
  description: string;
  quantity: string;
  price: number;
  net: number;
  rate: string;
  vat: number;
}

function rateOf(category: VatCategory, exemption?: number): string {
  const rate = `${VAT_CATEGORIES[category].ratePercent}%`;
  return exemption === undefined ? rate : `${rate} (${exemption})`;
}

const LINE_COLUMNS: readonly Column<LineView>[] = [
  { head: "line", align: "right", value: ({ line }) => String(line) },
  { head: "description", wraps: true, value: ({ description }) => description },
  { head: "quantity", align: "right", value: ({ quantity }) => quantity },
  { head: "price", align: "right", value: ({ price }) => formatEuro(price) },
  { head: "net", align: "right", value: ({ net }) => formatEuro(net) },
  { head: "rate", align: "right", value: ({ rate }) => rate },
  { head: "VAT", align: "right", value: ({ vat }) => formatEuro(vat) },
];

function linesOf({ document }: Examination): LineView[] {
  const computed = computeTotals(document.lines).lines;
  return document.lines.map((line, index) => ({
    line: index + 1,
    description: line.description,
    quantity: `${line.quantity} ${line.unit}`,
    price: line.unit_price,
    rate: rateOf(line.vat_category, line.vat_exemption),
    ...computed[index]!,
  }));
}

interface IncomeView {
  line: number;
  pair: string;
  reason: Text;
}

const INCOME_COLUMNS: readonly Column<IncomeView>[] = [
  { head: "line", align: "right", value: ({ line }) => String(line) },
  { head: "income", value: ({ pair }) => pair },
  { head: "because", wraps: true, value: ({ reason }) => reason },
];

function incomeOf({ document, classified }: Examination): IncomeView[] {
  return classified.lines.map(({ category, type }, index) => ({
    line: index + 1,
    pair: type === null ? category : `${category} ${type}`,
    reason: describeReason(classified.reasons[index]!, document.type),
  }));
}

const VAT_COLUMNS: readonly Column<{ category: VatCategory; net: number; vat: number }>[] = [
  { head: "rate", value: ({ category }) => rateOf(category) },
  { head: "category", wraps: true, value: ({ category }) => category },
  { head: "net", align: "right", value: ({ net }) => formatEuro(net) },
  { head: "VAT", align: "right", value: ({ vat }) => formatEuro(vat) },
  { head: "gross", align: "right", value: ({ net, vat }) => formatEuro(net + vat) },
];

/** As it is sent: XML where the payload is the tree of the registry's document. */
async function payloadOf(payload: Record<string, unknown>): Promise<string> {
  if (!("InvoicesDoc" in payload)) return JSON.stringify(payload, null, 2);
  const { writeReadableXml } = await import("../../../src/providers/registry-direct/xml.ts");
  return writeReadableXml(payload).trimEnd();
}
