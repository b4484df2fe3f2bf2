/** Reads one registered document with its lines by its MARK: RequestTransmittedDocs (docs/authority.md#known-marks). */
import { unknown } from "../exchange.ts";
import type { ReadDocumentOutcome } from "../../domain/provider-adapter.ts";
import type { RegisteredDocument, RegisteredLine, RegisteredParty } from "../../domain/provider-documents.ts";
import { centsOf, markAt, readTransmitted, allAt, find, textAt, type XmlElement } from "./answers.ts";
import type { Session } from "./client.ts";
import { TAX_SUMS } from "./tax-elements.ts";
import { readPage } from "./lists.ts";
import { UNCLEAR } from "./outcome.ts";

export async function readDocument(session: Session, mark: string): Promise<ReadDocumentOutcome> {
  const query = { mark: String(BigInt(mark) - 1n), maxMark: mark };
  const request = { method: "RequestTransmittedDocs", query } as const;
  const outcome = await readPage(session, session.call.evidence, request, (root) => searchPage(root, mark));
  return "result" in outcome ? outcome.result : outcome;
}

/** Undefined if the reply is not a listing. */
async function searchPage(
  root: XmlElement,
  mark: string,
): Promise<{ result: ReadDocumentOutcome } | undefined> {
  const page = await readTransmitted(root);
  if (page === undefined) return undefined;
  const invoices = allAt(root, "invoicesDoc", "invoice");
  const invoice = invoices.find((one) => markAt(one, "mark") === mark);
  // A range of one MARK is one page; anything else shows nothing for certain.
  if (invoice === undefined)
    return { result: invoices.length === 0 && page.next === null ? { kind: "absent" } : unknown(UNCLEAR) };
  const document = readRegistered(invoice, mark);
  if (document === undefined) return { result: unknown(UNCLEAR) };
  const isCancelled = document.isCancelled || page.cancellations.has(mark);
  return { result: { kind: "found", document: { ...document, isCancelled } } };
}

/** Those of lines are called as in the sums, without `total`: `withheldAmount`. */
const LINE_TAXES = TAX_SUMS.map((name) =>
  name.replace(/^total(.)/, (_, letter: string) => letter.toLowerCase()),
);

/** Undefined if a part is missing or unreadable. */
function readRegistered(invoice: XmlElement, mark: string): RegisteredDocument | undefined {
  const header = find(invoice, "invoiceHeader");
  const summary = find(invoice, "invoiceSummary");
  const supplier = readParty(find(invoice, "issuer"));
  const type = header === undefined ? null : textAt(header, "invoiceType");
  if (header === undefined || summary === undefined || supplier === null || type === null) return undefined;
  const details = allAt(invoice, "invoiceDetails");
  const lines = details.map(readLine);
  const totals = readTotals(summary);
  if (totals === undefined || lines.length === 0 || !lines.every(isRead)) return undefined;
  return {
    mark,
    uid: textAt(invoice, "uid")?.toUpperCase() ?? null,
    series: textAt(header, "series"),
    number: textAt(header, "aa"),
    type,
    currency: textAt(header, "currency"),
    isCancelled: markAt(invoice, "cancelledByMark") !== null,
    supplier,
    customer: readParty(find(invoice, "counterpart")),
    lines: lines.toSorted((left, right) => left.number - right.number).map(({ line }) => line),
    totals,
    hasOtherTaxes:
      TAX_SUMS.some((name) => hasAmount(summary, name)) ||
      details.some((line) => LINE_TAXES.some((name) => hasAmount(line, name))) ||
      find(invoice, "taxesTotals") !== undefined,
  };
}

function readTotals(summary: XmlElement): RegisteredDocument["totals"] | undefined {
  const [net, vat, gross] = ["totalNetValue", "totalVatAmount", "totalGrossValue"].map((name) =>
    readCents(summary, name),
  );
  return net === undefined || vat === undefined || gross === undefined ? undefined : { net, vat, gross };
}

function readCents(element: XmlElement, name: string): number | undefined {
  const cents = centsOf(textAt(element, name));
  return cents === null || cents > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(cents);
}

/** What cannot be read counts as an amount. */
function hasAmount(element: XmlElement, name: string): boolean {
  return textAt(element, name) !== null && readCents(element, name) !== 0;
}

function readParty(party: XmlElement | undefined): RegisteredParty | null {
  const code = party === undefined ? null : textAt(party, "vatNumber");
  if (party === undefined || code === null) return null;
  const branch = textAt(party, "branch") ?? "0";
  const [postalCode, city] = [textAt(party, "address", "postalCode"), textAt(party, "address", "city")];
  return {
    code,
    country: textAt(party, "country") ?? "GR",
    branch: /^[0-9]{1,4}$/.test(branch) ? Number(branch) : 0,
    name: textAt(party, "name"),
    address:
      postalCode === null || city === null
        ? null
        : {
            street: textAt(party, "address", "street"),
            number: textAt(party, "address", "number"),
            postalCode,
            city,
          },
  };
}

interface NumberedLine {
  number: number;
  line: RegisteredLine;
}

function isRead(line: NumberedLine | undefined): line is NumberedLine {
  return line !== undefined;
}

function readLine(element: XmlElement): NumberedLine | undefined {
  const [net, vat] = [readCents(element, "netValue"), readCents(element, "vatAmount")];
  const number = textAt(element, "lineNumber") ?? "";
  if (net === undefined || vat === undefined || !/^[0-9]{1,9}$/.test(number)) return undefined;
  const line = {
    description: textAt(element, "itemDescr"),
    quantity: textAt(element, "quantity"),
    unit: textAt(element, "measurementUnit"),
    net,
    vat,
    vatCategory: textAt(element, "vatCategory") ?? "",
    vatExemption: textAt(element, "vatExemptionCategory"),
    recordType: textAt(element, "recType"),
    classifications: allAt(element, "incomeClassification").flatMap(readPair),
  };
  return { number: Number(number), line };
}

function readPair(element: XmlElement): RegisteredLine["classifications"] {
  const category = textAt(element, "classificationCategory");
  return category === null ? [] : [{ category, type: textAt(element, "classificationType") }];
}
