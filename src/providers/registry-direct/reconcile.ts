/** Asks what became of sends: one listing for the documents of a day and type (mydata facts, part 7). */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import type { Client } from "./client.ts";
import { createTape, keepFor, keepNothingFor } from "./evidence.ts";
import { findRegistered } from "./registered.ts";
import { listTransmitted, type Listing } from "./transmitted.ts";

/** One outcome for each document, in their order. */
export async function reconcileDocuments(
  client: Client,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<readonly ReconcileOutcome[]> {
  const outcomes = new Map<number, ReconcileOutcome>();
  let closed: Exclude<Listing, { kind: "listed" }> | undefined;
  for (const places of groupByListing(documents)) {
    const listing = closed ?? (await listFor(client, call, documents, places));
    if (closed !== undefined) for (const place of places) keepNothingFor(call, place);
    for (const place of places) {
      const outcome = listing.kind === "listed" ? findRegistered(listing, documents[place]!) : listing;
      outcomes.set(place, outcome);
    }
    // Where no connection is made, or the account is refused or put off, the other listings are asked for next time. One
    // that has no answer may be too long a day: it holds up no other.
    if (listing.kind === "not_sent" || listing.kind === "credentials_refused") closed = listing;
  }
  return documents.map((_, place) => outcomes.get(place)!);
}

/** The places of the documents that one listing shows, in order of their first. */
function groupByListing(documents: readonly SentDocument[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const [place, { input, sentType }] of documents.entries()) {
    const name = `${input.issue_date} ${sentType}`;
    groups.set(name, [...(groups.get(name) ?? []), place]);
  }
  return [...groups.values()];
}

/**
 * From the first MARK on: no lower bound is certain, since MARKs of several days and machines need not rise together. Day and
 * type bound it.
 */
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
    keepFor(call, places, tape);
  }
}

/**
 * The registry gives the MARK with its first answer and accepts nothing without one, so nobody waits for it here; were one to,
 * the listing is what tells.
 */
export async function askForMarks(
  client: Client,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<readonly StatusOutcome[]> {
  const outcomes = await reconcileDocuments(client, call, documents);
  return outcomes.map((outcome): StatusOutcome => {
    if (outcome.kind !== "absent" && outcome.kind !== "number_taken") return outcome;
    const message = "The tax authority does not list the document yet";
    return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
  });
}
