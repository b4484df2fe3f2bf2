/** Operations on the customers that are remembered for a merchant. */
import * as logic from "../merchants/customers.ts";
import { integerField } from "./field.ts";
import { data, localOperation, type Call, wholeList } from "./operation.ts";
import { dayText, LABELS, type Row } from "./view.ts";

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
  answers: "all",
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
    columns: [
      { head: LABELS.country, value: ({ country }: Customer) => country },
      { head: NUMBER, value: ({ code }) => code },
      { head: LABELS.name, wraps: true, value: ({ name }) => name ?? "-" },
      { head: ADDRESS, wraps: true, leaveOut: 1, value: addressLine },
      { head: LAST_USED, value: (customer) => dayText(customer.last_used) },
    ],
  },
  handle: async ({ context, mode, params, query: { limit = LIMIT_DEFAULT } }) =>
    wholeList(await logic.listCustomers(context, { merchantId: params["id"] ?? "", mode, limit })),
});

export function findNamed({ context, mode, params }: Pick<Call<unknown>, "context" | "mode" | "params">) {
  return logic.findNamedCustomer(context, { merchantId: params["id"] ?? "", mode }, params["customer"] ?? "");
}

export const getCustomer = localOperation({
  id: "getCustomer",
  answers: "one",
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
  rows: (customer: Customer): Row[] => [
    [LABELS.country, customer.country],
    [NUMBER, customer.code],
    [LABELS.name, customer.name ?? "-"],
    [ADDRESS, addressLine(customer)],
    [LAST_USED, dayText(customer.last_used)],
  ],
  handle: async (call) => data((await findNamed(call)).customer),
});

export const forgetCustomer = localOperation({
  id: "forgetCustomer",
  answers: "one",
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
