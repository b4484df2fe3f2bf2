/**
 * Finds the provider's ids of the billing book that numbers a document (docs/provider-a.md#book-types) and of the supplier's branch, and
 * remembers them.
 */
import { isObject } from "../../foundation/json.ts";
import type { Text } from "../../foundation/text.ts";
import { defaultSeries } from "../../domain/series.ts";
import type { NotSentOutcome, OutgoingDocument, RejectedOutcome } from "../../domain/provider-adapter.ts";
import { once, type Session } from "./session.ts";
import { beforeSending, type Unsent } from "./answers.ts";
import { errorOf, listOf, readRefusal, type Refusal, refusedFor, waitsFor, textOf } from "./refusals.ts";

export interface FoundBook {
  kind: "book";
  id: string;
  /** Of this exact type, not of one that covers it. */
  isExact: boolean;
}

/** The remembered book, else one listed, else a new one. `exactOnly` after a covering book was refused. */
export async function findBook(
  session: Session,
  document: OutgoingDocument,
  exactOnly: boolean,
): Promise<FoundBook | Unsent> {
  const account = session.account;
  const { input, sentType: type, series, firstFreeNumber: firstNumber } = document;
  const usual = defaultSeries(input.type, input.supplier.branch);
  const wanted = { type, series, defaultSeries: usual, exactOnly, firstNumber };
  const name = JSON.stringify([type, series ?? usual, series !== null]);
  const known = account.books.get(name);
  if (known !== undefined && (known.isExact || !exactOnly)) return { kind: "book", ...known };
  // Two documents at once must not create two books.
  return once(account, `book ${name} ${exactOnly}`, async () => {
    const listed = await list(session, wanted);
    const found = listed.kind === "make" ? await make(session, wanted, listed.series) : listed;
    if (found.kind === "book") account.books.set(name, { id: found.id, isExact: found.isExact });
    return found;
  });
}

/** Forgets what was looked up for the account, since it may be out of date; the next document asks again. */
export function forgetLookups(session: Session): void {
  const account = session.account;
  account.books.clear();
  account.branches.clear();
}

/** The listed book, or the series of a book to create. */
async function list(session: Session, wanted: Wanted): Promise<Choice | Unsent> {
  const reply = await session.send("issue", null, { method: "GET", path: "/billing_books" });
  if (reply.kind !== "read") return beforeSending(reply);
  const books = reply.status < 300 ? readBooks(reply.body) : undefined;
  if (books === undefined) return unlisted(readRefusal(reply.body), BOOKS);
  return chooseBook(books, wanted);
}

const SERIES_TAKEN = refusedFor({
  en: "series: the provider's billing book of this series is for another type; issue the document again with another series",
  el: "series: το βιβλίο του παρόχου με αυτή τη σειρά είναι για άλλον τύπο· εκδώστε ξανά το παραστατικό με άλλη σειρά",
});
const BOOKS: Text = { en: "billing books", el: "τα βιβλία του" };
const NEW_BOOK: Text = { en: "new billing book", el: "το νέο βιβλίο του" };

/** A missing list says nothing about the document, which waits for it. */
function unlisted(refusal: Refusal | undefined, missing: Text): NotSentOutcome {
  const message = {
    en: `The provider did not list its ${missing.en}; the document will be sent once it does`,
    el: `Ο πάροχος δεν έδειξε ${missing.el}· το παραστατικό θα σταλεί μόλις το κάνει`,
  };
  return waitsFor(refusal, message);
}

async function make(session: Session, wanted: Wanted, series: string): Promise<FoundBook | Unsent> {
  const body = { name: series, series, number: wanted.firstNumber, invoice_type_code: wanted.type };
  const reply = await session.send("issue", null, { method: "POST", path: "/billing_books", body });
  if (reply.kind !== "read") return beforeSending(reply);
  const refusal = readRefusal(reply.body);
  const book = refusal === undefined && reply.status < 300 ? readBook(reply.body) : undefined;
  if (book !== undefined) return { kind: "book", id: book.id, isExact: true };
  // Someone may have created it at the same time, or the reply does not show the new book: the list decides.
  const again = await list(session, wanted);
  if (again.kind !== "make") return again;
  if (refusal === undefined) return unlisted(undefined, NEW_BOOK);
  const message = {
    en: `The provider refused to create a billing book of type ${wanted.type}; create one there, then issue the document again`,
    el: `Ο πάροχος αρνήθηκε να δημιουργήσει βιβλίο τύπου ${wanted.type}· δημιουργήστε ένα εκεί και εκδώστε ξανά το παραστατικό`,
  };
  return { kind: "rejected", error: errorOf(refusal, "provider_rejected", message) };
}

/** Ids by branch number; undefined if the reply is not a list. Codes come as numbers or text, such as `002`. */
function readBranches(body: unknown): Map<number, string> | undefined {
  const entries = listOf(body);
  if (entries === undefined) return undefined;
  const branches = new Map<number, string>();
  for (const entry of entries) {
    const id = isObject(entry) ? textOf(entry["id"]) : undefined;
    const code = isObject(entry) ? textOf(entry["code"]) : undefined;
    if (id === undefined || code === undefined || !/^[0-9]{1,9}$/.test(code)) continue;
    if (!branches.has(Number(code))) branches.set(Number(code), id);
  }
  return branches;
}

/** Branches are not created here: they are registered with the authority, and we do not know their addresses. */
export async function findBranch(
  session: Session,
  document: OutgoingDocument,
): Promise<{ kind: "branch"; id: string | null } | Unsent> {
  const { branch } = document.input.supplier;
  if (branch === 0) return { kind: "branch", id: null };
  const account = session.account;
  const known = account.branches.get(branch);
  if (known !== undefined) return { kind: "branch", id: known };
  const reply = await session.send("issue", null, { method: "GET", path: "/branches" });
  if (reply.kind !== "read") return beforeSending(reply);
  const branches = reply.status < 300 ? readBranches(reply.body) : undefined;
  if (branches === undefined)
    return unlisted(readRefusal(reply.body), { en: "branches", el: "τις εγκαταστάσεις του" });
  for (const [number, id] of branches) account.branches.set(number, id);
  const id = branches.get(branch);
  if (id !== undefined) return { kind: "branch", id };
  return refusedFor({
    en: "supplier.branch: the provider has no branch with this number; add it there, then issue the document again",
    el: "supplier.branch: ο πάροχος δεν έχει εγκατάσταση με αυτόν τον αριθμό· προσθέστε την εκεί και εκδώστε ξανά το παραστατικό",
  });
}

/** The provider's book: the series and counter of one type. */
export interface Book {
  id: string;
  series: string;
  /** The authority's type that it is for. */
  type: string;
}

/** The books in a reply; undefined if it is not a list. Entries without id or type are skipped. */
export function readBooks(body: unknown): Book[] | undefined {
  return listOf(body)?.flatMap((entry) => readBook(entry) ?? []);
}

/** One book, bare or under `data`. */
export function readBook(body: unknown): Book | undefined {
  const entry = isObject(body) && isObject(body["data"]) ? body["data"] : body;
  if (!isObject(entry)) return undefined;
  const id = textOf(entry["id"]);
  const type = textOf(entry["invoice_type_code"]);
  if (id === undefined || type === undefined) return undefined;
  return { id, type, series: textOf(entry["series"]) ?? "" };
}

export interface Wanted {
  /** The authority's type to send. */
  type: string;
  /** The series requested for the document; null if any will do. */
  series: string | null;
  /** The series that is preferred, and the one of a new book (docs/contract.md#numbers). */
  defaultSeries: string;
  /** Only a book of this exact type, because a covering one was refused. */
  exactOnly: boolean;
  /** The first number of a new book, after the numbers used before. */
  firstNumber: number;
}

/** The type whose book also accepts others of its group: 1.1 for 1.x, 2.1 for 2.x, 5.2 for 5.x; undefined for retail. */
export function coveringType(type: string): string | undefined {
  const covering = { "1": "1.1", "2": "2.1", "5": "5.2" }[type.split(".", 1)[0] ?? ""];
  return covering === type ? undefined : covering;
}

/** `make`: there is no suitable book, so one is created in `series`. */
type Choice = FoundBook | { kind: "make"; series: string } | RejectedOutcome;

/**
 * Of several suitable books, the one of the default series; otherwise the first listed, so that every process picks
 * the same.
 */
export function chooseBook(books: readonly Book[], wanted: Wanted): Choice {
  const inSeries =
    wanted.series === null ? books : books.filter((book) => sameSeries(book.series, wanted.series ?? ""));
  const ofType = (type: string | undefined) => {
    const fitting = inSeries.filter((book) => book.type === type);
    return fitting.find((book) => sameSeries(book.series, wanted.defaultSeries)) ?? fitting[0];
  };
  const exact = ofType(wanted.type);
  if (exact !== undefined) return { kind: "book", id: exact.id, isExact: true };
  const covering = wanted.exactOnly ? undefined : ofType(coveringType(wanted.type));
  if (covering !== undefined) return { kind: "book", id: covering.id, isExact: false };
  return newSeries(books, wanted);
}

/** The provider refuses a second book of a series, so the type is appended to the default series if that is in use. */
function newSeries(books: readonly Book[], wanted: Wanted): Choice {
  const isTaken = (series: string) => books.some((book) => sameSeries(book.series, series));
  if (wanted.series !== null) {
    return isTaken(wanted.series) ? SERIES_TAKEN : { kind: "make", series: wanted.series };
  }
  const { defaultSeries: usual } = wanted;
  return { kind: "make", series: isTaken(usual) ? `${usual}-${wanted.type}` : usual };
}

function sameSeries(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
