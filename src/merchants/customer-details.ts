/** What is known about a customer besides the tax number: remembered, otherwise looked up. See docs/contract.md#new-documents. */
import type { Party } from "../domain/canonical-schema.ts";
import { LOOKUP_COUNTRIES } from "../domain/tax-id-lookup.ts";
import { AppError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { type CustomerPlace, findCustomer } from "./customers.ts";

type Address = NonNullable<Party["address"]>;

export interface CustomerDetails {
  name: string | undefined;
  address: Address | undefined;
  /** False if the registry does not know the number as valid; undefined if it was not asked, or did not answer. */
  isRegistered: boolean | undefined;
}

const NOTHING: CustomerDetails = { name: undefined, address: undefined, isRegistered: undefined };

export async function findCustomerDetails(
  context: Context,
  { merchantId, mode }: CustomerPlace,
  taxId: Party["tax_id"],
): Promise<CustomerDetails> {
  const key = { merchant_id: merchantId, mode, ...taxId };
  const remembered = await findCustomer(context.store.read, key);
  if (remembered !== undefined)
    return {
      name: remembered.name ?? undefined,
      address: remembered.address ?? undefined,
      isRegistered: undefined,
    };
  if (!(LOOKUP_COUNTRIES as readonly string[]).includes(taxId.country)) return NOTHING;
  try {
    const { valid, name, address } = await context.taxIds.lookup(mode, taxId);
    // The registry adds the title to the legal name (docs/eu-registry.md#names-and-addresses).
    const [legalName] = name?.split("||") ?? [];
    return {
      name: legalName,
      address: address === null ? undefined : readAddress(address),
      isRegistered: valid,
    };
  } catch (error) {
    // The registry does not answer, or refuses the number, which the document's own check explains.
    if (!(error instanceof AppError)) throw error;
    return NOTHING;
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
