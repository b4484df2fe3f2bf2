/** Searches documents by id, MARK, external reference, amount, customer, or number with or without its series, and names their customers. */
import { isId } from "../../storage/database/ids.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { MARK_FORM } from "../domain/document-codes.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { unlessNotFound } from "../foundation/errors.ts";
import { foldLookAlikes } from "../foundation/characters.ts";
import { everyPage } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";
import { getDocument, listDocuments, type ListDocumentsQuery } from "./list-documents.ts";
import { findReadableInputs } from "../../storage/documents/documents.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { normaliseTaxCode, readSearchedNumber } from "../domain/tax-number.ts";
import { readJson } from "../foundation/json.ts";
import { findCustomersByName } from "../merchants/customers.ts";

/** Limit for each kind of match. */
const FOUND_MAX = 25;
const REFERENCE_LENGTH_MAX = 200;
/** `12`, `TIM 12`, `TIM-1 12`, `TIM/12`: the number is last. */
const NUMBER_FORM = /^(?:(\S.{0,18}\S|\S)[\s/#-]+)?0*([1-9]\d{0,11})$/u;

/** Parses a number and an optional series before it; undefined where the text does not end in a number. */
export function parseNumber(text: string): { series: string | undefined; number: number } | undefined {
  const found = NUMBER_FORM.exec(text);
  const number = Number(found?.[2] ?? Number.NaN);
  if (found === null || !(number <= NUMBER_MAX)) return undefined;
  return { series: found[1], number };
}

/** `1234,56`, `1234.5`, `1.234,56`, `1,234.56`, perhaps with the euro sign. Without decimals it is rather a number. */
const AMOUNT_FORMS = [
  /^(\d{1,9})[.,](\d{1,2})$/,
  /^(\d{1,3}(?:\.\d{3}){1,2}),(\d{1,2})$/,
  /^(\d{1,3}(?:,\d{3}){1,2})\.(\d{1,2})$/,
];

/** The cents of an amount with decimals. */
export function parseAmount(text: string): number | undefined {
  const bare = text.replace(/\s*(?:€|EUR)$/iu, "");
  for (const form of AMOUNT_FORMS) {
    const [, euros, decimals = ""] = form.exec(bare) ?? [];
    if (euros !== undefined)
      return Number(euros.replaceAll(/[.,]/g, "")) * 100 + Number(decimals.padEnd(2, "0"));
  }
  return undefined;
}

/** Which documents a search or a list may have. */
type Filters = Omit<ListDocumentsQuery, "limit" | "starting_after" | "ending_before">;

/** So many documents with a number are examined for those of a series. */
const NUMBERED_MAX = 2000;

/**
 * The documents with the series and number that the text names, newest first. The series may be written in another case, or in
 * letters that look alike in Greek and Latin; one that is written the same comes alone.
 */
export async function findNumberedDocuments(
  context: Context,
  mode: Mode,
  text: string,
  { limit, ...filters }: Filters & { limit: number },
): Promise<DocumentObject[]> {
  const parsed = parseNumber(text);
  if (parsed === undefined) return [];
  const { series, number } = parsed;
  const found: DocumentObject[] = [];
  let examined = 0;
  for await (const page of everyPage((asked) =>
    listDocuments(context, mode, { ...filters, ...asked, number }),
  )) {
    found.push(...page.filter((document) => series === undefined || isSeries(document, series)));
    examined += page.length;
    if (found.length >= limit || examined >= NUMBERED_MAX) break;
  }
  const same = found.filter((document) => document.series === series);
  return (same.length > 0 ? same : found).slice(0, limit);
}

function isSeries({ series }: DocumentObject, asked: string): boolean {
  return foldLookAlikes(series ?? "") === foldLookAlikes(asked);
}

/** What the text may say, as a filter for each meaning. */
async function meaningsOf(context: Context, mode: Mode, text: string, filters: Filters): Promise<Filters[]> {
  const gross = parseAmount(text);
  const hasCustomer = filters.customer_tax_id !== undefined || filters.customers !== undefined;
  const customers = hasCustomer
    ? []
    : await findMeantCustomers(context, { mode, merchantId: filters.merchant, text });
  return [
    ...(gross === undefined ? [] : [{ gross }]),
    ...(MARK_FORM.test(text) ? [{ mark: text }] : []),
    ...([...text].length <= REFERENCE_LENGTH_MAX ? [{ external_reference: text }] : []),
    ...(customers.length === 0 ? [] : [{ customers }]),
  ];
}

/** Returns matching documents of the mode, newest first, at most 25 of each kind of match; none for empty text. */
export async function searchDocuments(
  context: Context,
  mode: Mode,
  text: string,
  filters: Filters = {},
): Promise<DocumentObject[]> {
  const query = text.trim();
  if (query === "") return [];
  if (isId(query, "doc")) {
    const document = await unlessNotFound(getDocument(context, mode, query));
    return document === undefined ? [] : [document];
  }
  const found = await findNumberedDocuments(context, mode, query, { ...filters, limit: FOUND_MAX });
  for (const meaning of await meaningsOf(context, mode, query, filters))
    found.push(...(await listDocuments(context, mode, { ...filters, ...meaning, limit: FOUND_MAX })).data);
  const { mark, external_reference: reference } = filters;
  const fitting = found.filter(
    (document) =>
      (mark ?? document.mark) === document.mark &&
      (reference ?? document.external_reference) === document.external_reference,
  );
  const unique = new Map(fitting.map((document) => [document.id, document]));
  return [...unique.values()].sort((left, right) => (left.id < right.id ? 1 : -1));
}

/** The name of each document's customer, or the number of one without a name. Retail documents have none. */
export async function findCustomerNames(
  { store }: Context,
  documents: readonly { id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const inputs = await findReadableInputs(
    store.read,
    documents.map(({ id }) => id),
  );
  const names = new Map<string, string>();
  for (const [id, { input_json: json }] of inputs) {
    const { customer } = readJson<Pick<CanonicalDocument, "customer">>(json);
    if (customer !== undefined) names.set(id, customer.name ?? formatNumberOf(customer.tax_id));
  }
  return names;
}

function formatNumberOf({ country, code }: { country: string; code: string }): string {
  return country === "GR" || code.startsWith(country) ? code : `${country}${code}`;
}

const TAX_NUMBER_FORM = /^[0-9A-Z+*]*[0-9][0-9A-Z+*]*$/;
/** No name has this form. */
const PLAIN_TAX_NUMBER = /^[A-Z]{0,2}[0-9]{5,}$/;
/** Of those with a name; a longer part of it finds the others. */
const NAMED_MAX = 50;

/** The customers that a person means by a number, with or without its country, or by a part of a remembered name. */
export async function findMeantCustomers(
  context: Context,
  by: { mode: Mode; merchantId?: string | undefined; text: string },
): Promise<{ country?: string | undefined; code: string }[]> {
  const code = normaliseTaxCode(by.text);
  const numbered = TAX_NUMBER_FORM.test(code) ? [readSearchedNumber(code)] : [];
  if (PLAIN_TAX_NUMBER.test(code)) return numbered;
  return [...numbered, ...(await findCustomersByName(context, { ...by, part: by.text, limit: NAMED_MAX }))];
}
