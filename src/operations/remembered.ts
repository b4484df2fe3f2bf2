/** Operations on what is remembered for a merchant: its customers, and the column map with which its files are read. */
import * as logic from "../merchants/customers.ts";
import { integerField } from "./field.ts";
import { type Call, data, localOperation, wholeList } from "./operation.ts";
import { type Column, dayText, LABELS, rowsFrom } from "./view.ts";
import { AppError } from "../foundation/errors.ts";
import { findRememberedMap, forgetMap, type RememberedMap } from "../intake/column-map.ts";
import type { Context } from "../journal/context.ts";
import { getMerchant } from "../merchants/merchants.ts";

type Customer = logic.CustomerObject;

const FIELDS = ["country", "code", "name", "address", "last_used"];
const NUMBER = { en: "number", el: "ΑΦΜ" };
const ADDRESS = { en: "address", el: "διεύθυνση" };
const LAST_USED = { en: "last used", el: "τελευταία χρήση" };

/** `Ερμού 1, 10563 Αθήνα`, or `-`. */
function addressLine({ address }: Customer): string {
  if (address === null) return "-";
  const street = [address.street, address.number].filter(Boolean).join(" ");
  return [street, `${address.postal_code} ${address.city}`].filter((part) => part !== "").join(", ");
}

const COLUMNS: readonly Column<Customer>[] = [
  { head: LABELS.country, value: ({ country }) => country },
  { head: NUMBER, value: ({ code }) => code },
  { head: LABELS.name, wraps: true, value: ({ name }) => name ?? "-" },
  { head: ADDRESS, wraps: true, leaveOut: 1, value: addressLine },
  { head: LAST_USED, value: (customer) => dayText(customer.last_used) },
];

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 100_000;

export const listCustomers = localOperation({
  id: "listCustomers",
  query: {
    limit: {
      ...integerField(1, LIMIT_MAX, "The maximum number of customers."),
      flag: {
        name: "limit <n>",
        help: { en: `how many (default ${LIMIT_DEFAULT})`, el: `πόσοι (αν λείπει: ${LIMIT_DEFAULT})` },
      },
    },
  },
  fields: FIELDS,
  verb: {
    merchant: "required",
    summary: {
      en: "list a merchant's customers, those used last first",
      el: "οι πελάτες μιας επιχείρησης, πρώτα οι πιο πρόσφατοι",
    },
    examples: ["fiscal customers list --merchant shop", "fiscal customers list --merchant shop --json"],
  },
  table: {
    none: {
      en: "No customers yet: they are remembered from the merchant's documents.",
      el: "Δεν υπάρχουν ακόμη πελάτες: κρατιούνται από τα παραστατικά της επιχείρησης.",
    },
    columns: COLUMNS,
  },
  handle: async ({ context, mode, id, query: { limit = LIMIT_DEFAULT } }) =>
    wholeList(await logic.listCustomers(context, { merchantId: id, mode, limit })),
});

export function findNamed({
  context,
  mode,
  id,
  customer = "",
}: Pick<Call<unknown>, "context" | "mode" | "id" | "customer">) {
  return logic.findNamedCustomer(context, { merchantId: id, mode }, customer);
}

export const getCustomer = localOperation({
  id: "getCustomer",
  fields: FIELDS,
  verb: {
    merchant: "required",
    argument: "customer",
    summary: {
      en: "show a customer: 094012834 for a Greek number, DE129273398 for one of another country",
      el: "ένας πελάτης: 094012834 για ελληνικό ΑΦΜ, DE129273398 για αριθμό άλλης χώρας",
    },
    examples: ["fiscal customers show 094012834 --merchant shop"],
  },
  rows: rowsFrom(COLUMNS),
  handle: async (call) => data((await findNamed(call)).customer),
});

export const forgetCustomer = localOperation({
  id: "forgetCustomer",
  fields: ["object", "country", "code", "deleted"],
  verb: {
    merchant: "required",
    argument: "customer",
    summary: {
      en: "forget a customer; the next document for it remembers it again",
      el: "ξεχνά έναν πελάτη· το επόμενο παραστατικό του τον κρατά ξανά",
    },
    examples: ["fiscal customers forget 094012834 --merchant shop --yes"],
  },
  async handle(call) {
    const { named } = await findNamed(call);
    await logic.forgetCustomer(call.context, named);
    return data({ object: "customer", country: named.country, code: named.code, deleted: true });
  },
});

/** Throws `not_found` for the merchant or its map. */
export async function requireMap(context: Context, merchantId: string): Promise<RememberedMap> {
  const stored = await findRememberedMap(context, merchantId);
  if (stored !== undefined) return stored;
  const { external_id: shown } = await getMerchant(context, merchantId);
  throw new AppError("not_found", {
    en: `No column map is stored for ${shown}`,
    el: `Δεν έχει κρατηθεί αντιστοίχιση στηλών για την ${shown}`,
    next: { operation: "rememberColumnMap" },
  });
}

export const getColumnMap = localOperation({
  id: "getColumnMap",
  fields: ["object", "merchant", "columns", "values", "defaults", "ignore", "updated"],
  verb: {
    merchant: "required",
    summary: {
      en: "print the map as a file for --map",
      el: "τυπώνει την αντιστοίχιση ως αρχείο που δέχεται η --map",
    },
    examples: ["fiscal documents map show --merchant shop > map.toml"],
  },
  async handle({ context, id }) {
    const { map, updated } = await requireMap(context, id);
    return data({ object: "column_map", merchant: id, ...map, updated });
  },
});

export const forgetColumnMap = localOperation({
  id: "forgetColumnMap",
  fields: ["object", "merchant", "deleted"],
  verb: {
    merchant: "required",
    summary: {
      en: "delete the map; later files of the merchant are read without one",
      el: "διαγράφει την αντιστοίχιση· τα επόμενα αρχεία της επιχείρησης διαβάζονται χωρίς αυτή",
    },
    examples: ["fiscal documents map forget --merchant shop --yes"],
  },
  async handle({ context, id }) {
    await requireMap(context, id);
    await forgetMap(context, id);
    return data({ object: "column_map", merchant: id, deleted: true });
  },
});
