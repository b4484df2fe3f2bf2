/** Chooses the billing book for a document (docs/provider-a.md#book-types). Pure. */
import { isObject, listOf, textOf } from "./fields.ts";

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

export type Choice =
  | { kind: "found"; book: Book; isExact: boolean }
  /** There is no suitable book: one is created in `series`. */
  | { kind: "make"; series: string }
  /** The requested series belongs to a book of another type. */
  | { kind: "series_taken" };

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
  if (exact !== undefined) return { kind: "found", book: exact, isExact: true };
  const covering = wanted.exactOnly ? undefined : ofType(coveringType(wanted.type));
  if (covering !== undefined) return { kind: "found", book: covering, isExact: false };
  return newSeries(books, wanted);
}

/** The provider refuses a second book of a series, so the type is appended to the default series if that is in use. */
function newSeries(books: readonly Book[], wanted: Wanted): Choice {
  const isTaken = (series: string) => books.some((book) => sameSeries(book.series, series));
  if (wanted.series !== null) {
    return isTaken(wanted.series) ? { kind: "series_taken" } : { kind: "make", series: wanted.series };
  }
  const { defaultSeries } = wanted;
  return { kind: "make", series: isTaken(defaultSeries) ? `${defaultSeries}-${wanted.type}` : defaultSeries };
}

function sameSeries(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
