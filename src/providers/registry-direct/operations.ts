/**
 * The network operations of registry_direct, loaded with the XML library on first use. Documents are looked up in one listing for each
 * day and type (docs/authority.md#lost-answers).
 */
import { unknown } from "../exchange.ts";
import type {
  CallContext,
  ProviderAdapter,
  VerifyOutcome,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import { cancelMark, findCancellation } from "./cancel.ts";
import {
  type Client,
  type ClientOptions,
  createClient,
  createTape,
  recordExchange,
  recordNoExchange,
} from "./client.ts";
import { issueDocuments } from "./issue.ts";
import { listDocuments, listRefusals, listVatFigures } from "./lists.ts";
import { readDocument } from "./read-document.ts";
import { listTransmitted, type Listing } from "./transmitted.ts";
import { findRegistered } from "./registered.ts";

/** MARKs have 15 digits and start with 4, so no listing has anything above this one. */
const ABOVE_ALL_MARKS = "999999999999999";

/**
 * An empty listing is the cheapest request that needs the account. It proves the user id and the key, not that the
 * account may issue for a tax number; that shows with the first document (errors 105, 201).
 */
async function verify(client: Client, call: CallContext): Promise<VerifyOutcome> {
  const listing = await listTransmitted(client, call, call.evidence, { above: ABOVE_ALL_MARKS });
  if (listing.kind === "listed") return { kind: "accepted" };
  if (listing.kind === "credentials_refused") return { kind: "refused", error: listing.error };
  return { kind: "unavailable", error: listing.error };
}

/** The adapter's methods that call the authority. */
export type RegistryOperations = Pick<
  ProviderAdapter,
  "issue" | "status" | "reconcile" | "cancel" | "findCancellation" | "verify"
> &
  Required<Pick<ProviderAdapter, "listDocuments" | "listVatFigures" | "listRefusals" | "readDocument">>;

export function createOperations(options: ClientOptions): RegistryOperations {
  const client = createClient(options);
  return {
    issue: (documents, call) => issueDocuments(client, call, documents),
    status: (documents, call) => queryMarks(client, call, documents),
    reconcile: (documents, call) => reconcileDocuments(client, call, documents),
    cancel: (document, call) => cancelMark(client, call, document),
    findCancellation: (document, call) => findCancellation(client, call, document),
    listDocuments: (query, call) => listDocuments(client, call, query),
    listVatFigures: (query, call) => listVatFigures(client, call, query),
    listRefusals: (query, call) => listRefusals(client, call, query),
    readDocument: (mark, call) => readDocument(client, call, mark),
    verify: (call) => verify(client, call),
  };
}

/** One outcome for each document, in the same order. */
export async function reconcileDocuments(
  client: Client,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<readonly ReconcileOutcome[]> {
  const outcomes = new Map<number, ReconcileOutcome>();
  let closed: Exclude<Listing, { kind: "listed" }> | undefined;
  for (const places of groupByListing(documents)) {
    const listing = closed ?? (await listFor(client, call, documents, places));
    if (closed !== undefined) for (const place of places) recordNoExchange(call, place);
    for (const place of places) {
      const outcome = listing.kind === "listed" ? findRegistered(listing, documents[place]!) : listing;
      outcomes.set(place, outcome);
    }
    // If no connection can be made, or the account is refused or throttled, the other listings wait for the next
    // time. A listing without an answer may just be a long one and does not hold up the others.
    if (listing.kind === "not_sent" || listing.kind === "credentials_refused") closed = listing;
  }
  return documents.map((_, place) => outcomes.get(place)!);
}

/** The positions of the documents that one listing shows, ordered by their first. */
function groupByListing(documents: readonly SentDocument[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [place, { input, sentType }] of documents.entries()) {
    const name = `${input.issue_date} ${sentType}`;
    groups.set(name, [...(groups.get(name) ?? []), place]);
  }
  return [...groups.values()];
}

/** Starts at the first MARK, because MARKs of several days and machines need not ascend. Day and type limit the listing. */
async function listFor(
  client: Client,
  call: CallContext,
  documents: readonly SentDocument[],
  places: readonly number[],
): Promise<Listing> {
  const { input, sentType } = documents[places[0]!]!;
  const tape = createTape();
  try {
    return await listTransmitted(client, call, tape, { above: "0", day: input.issue_date, type: sentType });
  } finally {
    recordExchange(call, places, tape);
  }
}

/**
 * The authority returns the MARK with its first response, so no document waits for one. If one ever does, the listing
 * shows it.
 */
export async function queryMarks(
  client: Client,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<readonly StatusOutcome[]> {
  const outcomes = await reconcileDocuments(client, call, documents);
  return outcomes.map((outcome): StatusOutcome => {
    if (outcome.kind !== "absent" && outcome.kind !== "number_taken") return outcome;
    return unknown({
      en: "The tax authority does not list the document yet",
      el: "Η ΑΑΔΕ δεν δείχνει ακόμη το παραστατικό",
    });
  });
}
