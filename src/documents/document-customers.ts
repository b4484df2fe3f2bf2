/** The customers of documents, for people: names in lists, and the customers that a text may mean. */
import { findReadableInputs } from "../../storage/documents/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { normaliseTaxCode, readSearchedNumber } from "../domain/tax-number.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { findCustomersByName } from "../merchants/customers.ts";

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

const NUMBER_FORM = /^[0-9A-Z+*]*[0-9][0-9A-Z+*]*$/;
/** No name has this form. */
const PLAIN_NUMBER_FORM = /^[A-Z]{0,2}[0-9]{5,}$/;
/** Of those with a name; a longer part of it finds the others. */
const NAMED_MAX = 50;

/** The customers that a person means by a number, with or without its country, or by a part of a remembered name. */
export async function findMeantCustomers(
  context: Context,
  by: { mode: Mode; merchantId?: string | undefined; text: string },
): Promise<{ country?: string | undefined; code: string }[]> {
  const code = normaliseTaxCode(by.text);
  const numbered = NUMBER_FORM.test(code) ? [readSearchedNumber(code)] : [];
  if (PLAIN_NUMBER_FORM.test(code)) return numbered;
  return [...numbered, ...(await findCustomersByName(context, { ...by, part: by.text, limit: NAMED_MAX }))];
}
