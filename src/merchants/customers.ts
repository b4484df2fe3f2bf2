/** Remembers the customers of merchants from the documents they issue, and looks up others (docs/contract.md#customers). */
import type { Place } from "../../storage/encryption/cipher.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import {
  type CustomerKey,
  type CustomerRow,
  deleteCustomerRow,
  findCustomerRow,
  findCustomerRows,
  hashNumber,
  upsertCustomerRow,
} from "../../storage/merchants/customers.ts";
import { type AuditKey, findAuditKey } from "../../storage/encryption/key-ring.ts";
import type { Store } from "../../storage/database/store.ts";
import type { KeyedSession } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { inTurn } from "../../storage/database/write.ts";
import type { Party } from "../domain/canonical-schema.ts";
import { foldLookAlikes } from "../foundation/characters.ts";
import { readJson } from "../foundation/json.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import type { Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { LOOKUP_COUNTRIES, readCustomerNumber, readSearchedNumber } from "../domain/tax-number.ts";

/** What is known about a customer; null if no document said it. */
interface SeenDetails {
  name: string | null;
  address: NonNullable<Party["address"]> | null;
}

interface StoredDetails extends SeenDetails {
  code: string;
}

export interface CustomerObject extends StoredDetails {
  country: string;
  /** The day in Athens. */
  last_used: string;
}

/** Of one merchant in one mode. */
export interface CustomerPlace {
  merchantId: string;
  mode: Mode;
}

/** A customer of a merchant, by its number. */
export type NamedCustomer = CustomerPlace & Party["tax_id"];

function keyOf(auditKey: AuditKey, { merchantId, mode, country, code }: NamedCustomer): CustomerKey {
  return { merchant_id: merchantId, mode, country, hash: hashNumber(auditKey, { country, code }) };
}

/** Where the customer is, if it is remembered. */
export async function findCustomerKey(session: KeyedSession, customer: NamedCustomer): Promise<CustomerKey> {
  return keyOf(await findAuditKey(session), customer);
}

/** Beyond this many, all are dropped, and the next documents store their customers again. */
const KNOWN_MAX = 10_000;
/** What this process has stored about customers, so that most documents of the day need no further write. */
const knownByStore = new WeakMap<Store, Map<string, string>>();

/** Remembers the customer of an accepted document soon after it. A failure is logged: the customer is then typed again. */
export function rememberCustomer(context: Context, place: CustomerPlace, customer: Party): void {
  const { store, clock, log } = context;
  const named = { ...place, ...customer.tax_id };
  const seen = { name: customer.name ?? null, address: customer.address ?? null };
  const today = clock.today();
  const known = knownOf(store);
  const name = JSON.stringify(named);
  const content = JSON.stringify([today, seen]);
  if (known.get(name) === content) return;
  if (known.size >= KNOWN_MAX) known.clear();
  known.set(name, content);
  store.defer(CUSTOMERS, { named, seen, today }).catch((error: unknown) => {
    known.delete(name);
    log.warn({ error: String(error) }, "a customer cannot be remembered");
  });
}

function knownOf(store: Store): Map<string, string> {
  const known = knownByStore.get(store) ?? new Map<string, string>();
  knownByStore.set(store, known);
  return known;
}

interface SeenCustomer {
  named: NamedCustomer;
  seen: SeenDetails;
  today: string;
}

/** A document without name or address keeps those of earlier ones. */
const CUSTOMERS = inTurn(async (trx, { named, seen, today }: SeenCustomer) => {
  const key = keyOf(trx.auditKey, named);
  const before = await readCustomer(trx, key);
  const details: StoredDetails = {
    code: named.code,
    name: seen.name ?? before?.name ?? null,
    address: seen.address ?? before?.address ?? null,
  };
  const sealed = trx.cipher.seal(placeOfCustomer(key), JSON.stringify(details));
  await upsertCustomerRow(trx, { ...key, sealed, last_used: today });
});

function placeOfCustomer({ merchant_id, mode, country, hash }: CustomerKey): Place {
  return placeIn("customers", merchant_id, mode, country, hash);
}

/** Undefined if it is not remembered. */
export async function findCustomer(
  session: KeyedSession,
  customer: NamedCustomer,
): Promise<CustomerObject | undefined> {
  return readCustomer(session, await findCustomerKey(session, customer));
}

async function readCustomer(session: KeyedSession, key: CustomerKey): Promise<CustomerObject | undefined> {
  const row = await findCustomerRow(session, key);
  return row === undefined ? undefined : buildCustomer(session, row);
}

/** The customer with the number that a person gives. Throws `not_found`. */
export async function findNamedCustomer(
  { store }: Context,
  place: CustomerPlace,
  number: string,
): Promise<{ named: NamedCustomer; customer: CustomerObject }> {
  const named = { ...place, ...readCustomerNumber(number) };
  const customer = await findCustomer(store.read, named);
  if (customer !== undefined) return { named, customer };
  throw new AppError("not_found", {
    en: "The merchant has no customer with this number",
    el: "Η επιχείρηση δεν έχει πελάτη με αυτόν τον αριθμό",
    next: { operation: "listCustomers" },
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The customers used last come first, those of a day by number. `text` is a part of the name or number. */
export async function listCustomers(
  context: Context,
  by: CustomerPlace & { limit: number; text?: string | undefined },
): Promise<CustomerObject[]> {
  const part = foldLookAlikes(by.text ?? "");
  const number = readSearchedNumber(by.text ?? "");
  const customers = await searchCustomers(
    context,
    { ...by, searchedMax: by.text === undefined ? by.limit : SEARCHED_MAX },
    ({ name, country, code }) =>
      foldLookAlikes(name ?? "").includes(part) ||
      (number.code !== "" && code.includes(number.code) && (number.country ?? country) === country),
  );
  return customers.sort(
    (one, other) => compare(other.last_used, one.last_used) || compare(one.code, other.code),
  );
}

/** So many of those used last are searched. */
const SEARCHED_MAX = 20_000;
const YIELD_AFTER = 500;

/** The customers whose name contains `part`, however it is accented, of one merchant or of all. Those used last come first. */
export async function findCustomersByName(
  context: Context,
  by: { merchantId?: string | undefined; mode: Mode; part: string; limit: number },
): Promise<CustomerObject[]> {
  const part = foldLookAlikes(by.part);
  if (part === "") return [];
  return searchCustomers(context, { ...by, searchedMax: SEARCHED_MAX }, ({ name }) =>
    foldLookAlikes(name ?? "").includes(part),
  );
}

async function searchCustomers(
  { store: { read } }: Context,
  by: { merchantId?: string | undefined; mode: Mode; limit: number; searchedMax: number },
  isMeant: (customer: CustomerObject) => boolean,
): Promise<CustomerObject[]> {
  const found: CustomerObject[] = [];
  for (const [index, row] of (await findCustomerRows(read, { ...by, limit: by.searchedMax })).entries()) {
    if (index % YIELD_AFTER === YIELD_AFTER - 1) await yieldToOthers();
    const customer = buildCustomer(read, row);
    if (customer !== undefined && isMeant(customer)) found.push(customer);
    if (found.length === by.limit) break;
  }
  return found;
}

/** Returns false if it was not remembered. */
export function forgetCustomer({ store }: Context, customer: NamedCustomer): Promise<boolean> {
  knownByStore.delete(store);
  return store.write((trx) => deleteCustomerRow(trx, keyOf(trx.auditKey, customer)));
}

/** Undefined if it cannot be decrypted. */
function buildCustomer({ cipher }: KeyedSession, row: CustomerRow): CustomerObject | undefined {
  const { country, last_used } = row;
  const opened = cipher.open(placeOfCustomer(row), row.sealed);
  if (opened === undefined) return undefined;
  const { code, name, address } = readJson<StoredDetails>(opened.toString("utf8"));
  return { country, code, name, address, last_used };
}

type Address = NonNullable<Party["address"]>;

/**
 * What is remembered, and what the registry knows if no name is. `isRegistered` is false if the registry does not know the number as
 * valid; undefined if it was not asked, or did not answer.
 */
export async function findCustomerDetails(context: Context, place: CustomerPlace, taxId: Party["tax_id"]) {
  const remembered = await findCustomer(context.store.read, { ...place, ...taxId });
  const known = {
    name: remembered?.name ?? undefined,
    address: remembered?.address ?? undefined,
    isRegistered: undefined,
  };
  const canAsk = (LOOKUP_COUNTRIES as readonly string[]).includes(taxId.country);
  if (known.name !== undefined || !canAsk) return known;
  try {
    const { valid, name, address } = await context.taxIds.lookup(place.mode, taxId);
    // The registry adds the title to the legal name (docs/eu-registry.md#names-and-addresses).
    const [legalName] = name?.split("||") ?? [];
    return {
      name: legalName,
      address: known.address ?? (address === null ? undefined : readAddress(address)),
      isRegistered: valid,
    };
  } catch (error) {
    // The registry does not answer, or refuses the number, which the document's own check explains.
    if (!(error instanceof AppError)) throw error;
    return known;
  }
}

/** `ΟΔΟΣ ΔΟΚΙΜΩΝ 1 10431 - ΑΘΗΝΑ`, the form of Greek addresses (docs/eu-registry.md#names-and-addresses). */
const GREEK_ADDRESS = /^(.+?)\s+(?:([0-9][^\s]*)\s+)?([0-9]{5})\s+-\s+(.+)$/u;

/** Undefined for an address of another form. */
function readAddress(text: string): Address | undefined {
  const [, street, number, postalCode, city] = GREEK_ADDRESS.exec(text) ?? [];
  if (street === undefined || postalCode === undefined || city === undefined) return undefined;
  return { street, ...(number === undefined ? {} : { number }), postal_code: postalCode, city };
}
