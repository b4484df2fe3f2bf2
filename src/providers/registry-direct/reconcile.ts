/** Looks up documents in the authority's listings, one listing for each day and type (docs/authority.md#lost-answers). */
import { buildErrorObject } from "../../foundation/errors.ts";
import type {
  CallContext,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import type { Client } from "./client.ts";
import { createTape, recordExchange, recordNoExchange } from "./evidence.ts";
import { findRegistered } from "./registered.ts";
import { listTransmitted, type Listing } from "./transmitted.ts";

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
    const message = {
      en: "The tax authority does not list the document yet",
      el: "Η ΑΑΔΕ δεν δείχνει ακόμη το παραστατικό",
    };
    return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
  });
}
