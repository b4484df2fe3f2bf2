/**
 * Completes the customer of a business document. The provider requires name and address
 * (docs/provider-a.md#customer-details), while a Greek customer may come with its tax number alone. What is missing
 * is looked up, or the document is refused.
 */
import { isObject } from "../../foundation/json.ts";
import type { Text } from "../../foundation/text.ts";
import type {
  CredentialsRefusedOutcome,
  NotSentOutcome,
  OutgoingDocument,
  RejectedOutcome,
} from "../../domain/provider-adapter.ts";
import { beforeSending, type Unsent } from "./answers.ts";
import { type Counterpart, knownCounterpart, withoutAbsent } from "./payload.ts";
import { readRefusal, textOf, refusedFor, topicOf, waitsFor } from "./refusals.ts";
import type { Session } from "./session.ts";

/** What a business document needs, with its path in the canonical document. */
const NEEDED = {
  name: "customer.name",
  street: "customer.address.street",
  number: "customer.address.number",
  postal_code: "customer.address.postal_code",
  city: "customer.address.city",
} as const;
type Needed = keyof typeof NEEDED;

/** The result of the provider's lookup of a Greek tax number. */
export type FoundCustomer = Pick<Counterpart, Needed>;

/** The paths of what is still missing about a customer; empty for retail receipts. */
export function missingPaths(counterpart: Counterpart): string[] {
  if (counterpart.vat === undefined) return [];
  return Object.entries(NEEDED)
    .filter(([field]) => (counterpart[field as Needed] ?? "").trim() === "")
    .map(([, path]) => path);
}

function sameText(left: string | undefined, right: string | undefined): boolean {
  return left?.localeCompare(right ?? "", "el", { sensitivity: "base", ignorePunctuation: true }) === 0;
}

/**
 * The known details, completed with those found. An address is never mixed from two: a found street is used only if
 * the postal code is the same, and a found number only if the street is.
 */
export function completeWith(known: Counterpart, found: FoundCustomer): Counterpart {
  const name = known.name ?? found.name;
  if (known.postal_code === undefined && known.city === undefined) {
    const { street, number, postal_code, city } = found;
    return withoutAbsent({ ...known, name, street, number, postal_code, city });
  }
  const isSamePlace = sameText(known.postal_code?.replace(/\s/g, ""), found.postal_code?.replace(/\s/g, ""));
  if (known.street === undefined && known.number === undefined && isSamePlace) {
    return withoutAbsent({ ...known, name, street: found.street, number: found.number });
  }
  const number = isSamePlace && sameText(known.street, found.street) ? found.number : undefined;
  return withoutAbsent({ ...known, name, number: known.number ?? number });
}

/**
 * The result of a lookup: undefined if the number is unknown, `unreadable` if the reply is malformed or about another
 * number.
 */
export function readFound(body: unknown, code: string): FoundCustomer | "unreadable" {
  if (!isObject(body)) return "unreadable";
  const number = textOf(body["vat_no"])?.replace(/^(EL|GR)/i, "");
  if (number !== code) return "unreadable";
  return withoutAbsent({
    name: textOf(body["name"]),
    street: textOf(body["address"]),
    number: textOf(body["street_number"]),
    postal_code: textOf(body["postal_code"]),
    city: textOf(body["city"]),
  });
}

type Lookup =
  | { kind: "found"; found: FoundCustomer }
  | { kind: "unknown_number" }
  | NotSentOutcome
  | CredentialsRefusedOutcome;

async function lookUp(session: Session, code: string): Promise<Lookup> {
  // EL, not GR: the lookup uses VAT prefixes.
  const path = `/vat_search?vat=${encodeURIComponent(code)}&country_code=EL`;
  const reply = await session.send("lookup", null, { method: "GET", path });
  if (reply.kind !== "read") return beforeSending(reply);
  const refusal = readRefusal(reply.body);
  const isUnknown = refusal === undefined ? reply.status === 404 : topicOf(refusal) === "not_found";
  if (isUnknown) return { kind: "unknown_number" };
  const isAnswer = refusal === undefined && reply.status < 300;
  const found = isAnswer ? readFound(reply.body, code) : "unreadable";
  if (found !== "unreadable") return { kind: "found", found };
  return waitsFor(refusal, {
    en: "The provider could not look up the customer; the document will be sent once it can",
    el: "Ο πάροχος δεν μπόρεσε να αναζητήσει τον λήπτη· το παραστατικό θα σταλεί μόλις μπορέσει",
  });
}

function incomplete(paths: readonly string[], why: Text): RejectedOutcome {
  const list = paths.join(", ");
  return refusedFor({
    en: `${list}: required by Wrapp for this type, and ${why.en}; issue the document again with them`,
    el: `${list}: απαιτούνται από το Wrapp για αυτόν τον τύπο, και ${why.el}· εκδώστε ξανά το παραστατικό με αυτά`,
  });
}

/** The complete customer, or why the document is not sent. Not remembered beyond this call, because registers change. */
export async function completeCustomer(
  session: Session,
  document: OutgoingDocument,
): Promise<{ kind: "counterpart"; counterpart: Counterpart } | Unsent> {
  const known = knownCounterpart(document);
  const missing = missingPaths(known);
  if (missing.length === 0) return { kind: "counterpart", counterpart: known };
  if (known.vat === undefined || known.country_code !== "GR") {
    return incomplete(missing, {
      en: "not looked up for customers outside Greece",
      el: "δεν αναζητούνται για λήπτες εκτός Ελλάδας",
    });
  }
  const lookup = await lookUp(session, known.vat);
  if (lookup.kind === "unknown_number") {
    return incomplete(missing, {
      en: "the provider's lookup does not know the tax number",
      el: "η αναζήτηση του παρόχου δεν γνωρίζει το ΑΦΜ",
    });
  }
  if (lookup.kind !== "found") return lookup;
  const counterpart = completeWith(known, lookup.found);
  const stillMissing = missingPaths(counterpart);
  if (stillMissing.length > 0)
    return incomplete(stillMissing, {
      en: "missing from the provider's lookup",
      el: "λείπουν από την αναζήτηση του παρόχου",
    });
  return { kind: "counterpart", counterpart };
}
