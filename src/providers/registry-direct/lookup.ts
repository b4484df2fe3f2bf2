/**
 * Looks up what happened to documents, in listings of what the account has transmitted: RequestTransmittedDocs
 * (docs/authority.md#listings, docs/authority.md#lost-answers, docs/authority.md#several-marks).
 */
import { unknown } from "../exchange.ts";
import type {
  CallRecorder,
  FailedQuery,
  OutgoingDocument,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import { readTransmitted, type TransmittedInvoice, type TransmittedPage } from "./answers.ts";
import { type Session, recorderFor, recordNoExchange } from "./client.ts";
import { UNCLEAR } from "./outcome.ts";
import { dateParameters, type ListRequest, readPage, tokenParameters } from "./lists.ts";

export async function reconcileDocuments(
  session: Session,
  documents: readonly SentDocument[],
): Promise<readonly ReconcileOutcome[]> {
  const outcomes = new Map<number, ReconcileOutcome>();
  let closed: FailedQuery | undefined;
  for (const places of groupByListing(documents)) {
    const listing = closed ?? (await listFor(session, documents, places));
    if (closed !== undefined) for (const place of places) recordNoExchange(session.call, place);
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
  const nameOf = ({ input, sentType }: SentDocument) => `${input.issue_date} ${sentType}`;
  return [...Map.groupBy(documents.keys(), (place) => nameOf(documents[place]!)).values()];
}

/** Starts at the first MARK, because MARKs of several days and machines need not ascend. Day and type limit the listing. */
function listFor(
  session: Session,
  documents: readonly SentDocument[],
  places: readonly number[],
): Promise<Listing> {
  const { input, sentType } = documents[places[0]!]!;
  const query = { above: "0", day: input.issue_date, type: sentType };
  return listTransmitted(session, recorderFor(session.call, places), query);
}

/**
 * The authority returns the MARK with its first response, so no document waits for one. If one ever does, the listing
 * shows it.
 */
export async function queryMarks(
  session: Session,
  documents: readonly SentDocument[],
): Promise<readonly StatusOutcome[]> {
  const outcomes = await reconcileDocuments(session, documents);
  return outcomes.map((outcome): StatusOutcome => {
    return outcome.kind === "absent" || outcome.kind === "number_taken" ? unknown(UNCLEAR) : outcome;
  });
}

/** What to list. It always concerns the account's own tax number, which the query does not name. */
interface TransmittedQuery {
  /** Only MARKs above this one. */
  above: string;
  /** Only MARKs up to and including this one. */
  upTo?: string;
  /** Issue date, `YYYY-MM-DD`. */
  day?: string;
  /** The authority's type. */
  type?: string;
}

interface Listed {
  kind: "listed";
  invoices: readonly TransmittedInvoice[];
  /** MARK → the MARK of its cancellation. */
  cancellations: ReadonlyMap<string, string>;
}

/** A complete listing, or why there is none. In half a listing the missing documents would look absent. */
type Listing = Listed | FailedQuery;

/** A day of one type has fewer pages; a listing longer than this never ends. */
export const PAGES_MAX = 200;

/** Reads every page. The first is recorded on `recorder`, each further one as its own call. */
export async function listTransmitted(
  session: Session,
  recorder: CallRecorder,
  { above, upTo, day, type }: TransmittedQuery,
): Promise<Listing> {
  const parameters = {
    mark: above,
    ...(upTo === undefined ? {} : { maxMark: upTo }),
    ...(day === undefined ? {} : dateParameters({ from: day, through: day })),
    ...(type === undefined ? {} : { invType: type }),
  };
  const invoices: TransmittedInvoice[] = [];
  const cancellations = new Map<string, string>();
  const seen = new Set<string>();
  let token: TransmittedPage["next"] = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const query: ListRequest["query"] = { ...parameters, ...tokenParameters(token) };
    const own: CallRecorder = token === null ? recorder : await session.call.begin("status", "operation");
    const request: ListRequest = { method: "RequestTransmittedDocs", query };
    const page = await readPage(session, own, request, readTransmitted);
    if ("kind" in page) return page;
    for (const invoice of page.invoices) invoices.push(invoice);
    for (const [mark, cancellationMark] of page.cancellations) cancellations.set(mark, cancellationMark);
    if (page.next === null) return { kind: "listed", invoices, cancellations };
    token = page.next;
    const name = JSON.stringify(token);
    // A listing that repeats a page does not end either.
    if (seen.has(name)) break;
    seen.add(name);
  }
  return unknown({
    en: `The tax authority's listing does not end within ${PAGES_MAX} pages`,
    el: `Ο κατάλογος της ΑΑΔΕ δεν τελειώνει σε ${PAGES_MAX} σελίδες`,
  });
}

type Registered = TransmittedInvoice & { mark: string };

/**
 * Finds `document` in the listing. Of several MARKs the highest that is not cancelled is kept, because the
 * authority replaces the earlier ones, and the others that are not cancelled are surplus. If all are cancelled, someone
 * cancelled the document: it gets the highest MARK and counts as cancelled, since sending it again would undo a person's
 * decision. A document with the same identity but other totals is someone
 * else's: it is never adopted or cancelled, and ours is not sent, because the authority might let it replace the
 * other.
 */
export function findRegistered(listed: Listed, document: OutgoingDocument): ReconcileOutcome {
  const named = listed.invoices.filter((invoice) => isNamedAs(invoice, document));
  const registered = named.filter((invoice): invoice is Registered => invoice.mark !== null);
  const isWhole = registered.every(({ totals }) => !Object.values(totals).includes(null));
  if (!isWhole || registered.length < named.length) return unknown(UNCLEAR);
  const ours = registered.filter((invoice) => hasTotalsOf(invoice, document)).sort(highestFirst);
  const cancellationOf = ({ mark, cancelledByMark }: Registered) =>
    cancelledByMark ?? listed.cancellations.get(mark);
  const isValid = (invoice: Registered) => cancellationOf(invoice) === undefined;
  const valid = ours.filter(isValid);
  const [kept, ...surplus] = valid.length > 0 ? valid : ours.slice(0, 1);
  if (kept !== undefined) {
    const cancellationMark = cancellationOf(kept);
    return {
      kind: "issued",
      mark: kept.mark,
      uid: kept.uid ?? document.uid,
      qrUrl: kept.qrUrl,
      surplusMarks: surplus.map(({ mark }) => mark),
      cancelledMarks: ours.filter((one) => one !== kept && !isValid(one)).map(({ mark }) => mark),
      ...(cancellationMark === undefined ? {} : { cancellationMark }),
    };
  }
  const another = registered.filter(isValid).sort(highestFirst)[0];
  if (another !== undefined) {
    const { mark } = another;
    const message = {
      en: `Another document at the tax authority has this series and number, with other totals and the MARK ${mark}; find out which program uses the same series`,
      el: `Άλλο παραστατικό στην ΑΑΔΕ έχει αυτή τη σειρά και τον αριθμό, με άλλα σύνολα και ΜΑΡΚ ${mark}· βρείτε ποιο πρόγραμμα χρησιμοποιεί την ίδια σειρά`,
    };
    return { ...unknown(message), numberOfAnother: true, markOfAnother: mark };
  }
  return { kind: "absent" };
}

/**
 * Compares the uid, or everything that the uid is computed from: if the authority ever computes it differently, the
 * document must not look absent and be sent again.
 */
function isNamedAs(invoice: TransmittedInvoice, document: OutgoingDocument): boolean {
  if (invoice.uid !== null && invoice.uid === document.uid) return true;
  const { supplier, issue_date: issueDate } = document.input;
  return (
    invoice.supplier === supplier.tax_id.code &&
    invoice.branch === String(supplier.branch) &&
    invoice.series === document.series &&
    invoice.number === String(document.number) &&
    invoice.issueDate === issueDate &&
    invoice.type === document.sentType
  );
}

function hasTotalsOf({ totals }: TransmittedInvoice, { input }: OutgoingDocument): boolean {
  return (["net", "vat", "gross"] as const).every((name) => totals[name] === BigInt(input.totals[name]));
}

function highestFirst(left: Registered, right: Registered): number {
  return Number(BigInt(right.mark) - BigInt(left.mark));
}
