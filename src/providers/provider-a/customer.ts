/**
 * The customer of a business document: the provider wants it whole, with name and address (providers facts A, point 5), while the
 * specification lets a Greek one come with its tax number alone. What is missing is looked up, or the document is refused.
 */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  CredentialsRefusedOutcome,
  NotSentOutcome,
  OutgoingDocument,
  RejectedOutcome,
} from "../../domain/provider-adapter.ts";
import { beforeSending, unavailable } from "./answers.ts";
import { isObject, textOf } from "./fields.ts";
import { type Counterpart, knownCounterpart, withoutAbsent } from "./payload.ts";
import { errorOf, readRefusal, topicOf } from "./refusals.ts";
import type { Sessions } from "./session.ts";

/** What a business document needs, and where it stands in the canonical document. */
const NEEDED = {
  name: "customer.name",
  street: "customer.address.street",
  number: "customer.address.number",
  postal_code: "customer.address.postal_code",
  city: "customer.address.city",
} as const;
type Needed = keyof typeof NEEDED;

/** What the provider's lookup of a Greek tax number tells. */
export type FoundCustomer = Pick<Counterpart, Needed>;

/** The paths of what the provider still wants to know about a customer; empty on retail receipts. */
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
 * What is known, completed by what was found. An address is never put together from two: a street that the document does not
 * name is taken only with the same postal code, a number only with the same street.
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
 * The lookup's answer: undefined where the number is unknown, `unreadable` where it is about something else or not of the form.
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

async function lookUp(sessions: Sessions, call: CallContext, code: string): Promise<Lookup> {
  // EL, not GR: the lookup speaks of VAT prefixes.
  const path = `/vat_search?vat=${encodeURIComponent(code)}&country_code=EL`;
  const reply = await sessions.ask(call, "lookup", { method: "GET", path });
  if (reply.kind !== "read") return beforeSending(reply);
  const refusal = readRefusal(reply.body);
  if (refusal !== undefined) {
    if (topicOf(refusal) === "not_found") return { kind: "unknown_number" };
    const message = "The provider could not look up the customer; the document is sent once it can";
    return { kind: "not_sent", error: errorOf(refusal, "provider_unavailable", message) };
  }
  if (reply.status === 404) return { kind: "unknown_number" };
  const found = reply.status < 300 ? readFound(reply.body, code) : "unreadable";
  if (found === "unreadable") {
    return {
      kind: "not_sent",
      error: unavailable("The provider's lookup of the customer cannot be understood"),
    };
  }
  return { kind: "found", found };
}

function incomplete(paths: readonly string[], why: string): RejectedOutcome {
  const message = `${paths.join(", ")}: required by provider_a for this type, and ${why}; issue the document again with them`;
  return { kind: "rejected", error: buildErrorObject("validation_failed", message) };
}

/** The customer as it is sent, or why the document is not. Remembered for this call only: registries change. */
export async function completeCustomer(
  sessions: Sessions,
  call: CallContext,
  document: OutgoingDocument,
): Promise<
  | { kind: "counterpart"; counterpart: Counterpart }
  | RejectedOutcome
  | NotSentOutcome
  | CredentialsRefusedOutcome
> {
  const known = knownCounterpart(document);
  const missing = missingPaths(known);
  if (missing.length === 0) return { kind: "counterpart", counterpart: known };
  if (known.vat === undefined || known.country_code !== "GR") {
    return incomplete(missing, "not looked up for customers outside Greece");
  }
  const lookup = await lookUp(sessions, call, known.vat);
  if (lookup.kind === "unknown_number") {
    return incomplete(missing, "the provider's lookup does not know the tax number");
  }
  if (lookup.kind !== "found") return lookup;
  const counterpart = completeWith(known, lookup.found);
  const stillMissing = missingPaths(counterpart);
  if (stillMissing.length > 0) return incomplete(stillMissing, "not told by the provider's lookup");
  return { kind: "counterpart", counterpart };
}
