/** Which billing book a document goes into (providers facts A, Billing books and numbering). Pure. */
import { isObject, listOf, textOf } from "./fields.ts";

/** The provider's book: series and running number of one type. */
export interface Book {
  id: string;
  series: string;
  /** The authority's type that it is for. */
  type: string;
}

/** The books in an answer; undefined where it is no list. Entries without id or type are no books. */
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
  /** The authority's type that is sent. */
  type: string;
  /** The series that the document asks for; null where any will do. */
  series: string | null;
  /** decisions 6: the series that comes first, and of a book that is made. */
  defaultSeries: string;
  /** Only a book of the very type: a covering one was refused. */
  exactOnly: boolean;
  /** The first number of a book that is made: behind those that were used before. */
  firstNumber: number;
}

/** The type whose book also takes others of its group: 1.1 for 1.x, 2.1 for 2.x, 5.2 for 5.x; undefined for retail. */
export function coveringType(type: string): string | undefined {
  const covering = { "1": "1.1", "2": "2.1", "5": "5.2" }[type.split(".", 1)[0] ?? ""];
  return covering === type ? undefined : covering;
}

export type Choice =
  | { kind: "found"; book: Book; isExact: boolean }
  /** There is none: one is made, in `series`. */
  | { kind: "make"; series: string }
  /** The series that the document asks for belongs to a book of another type. */
  | { kind: "series_taken" };

/** Of several that fit, the one of the default series; otherwise the first as listed, so that every process takes the same. */
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

/** The provider refuses a second book of one series: beside a book that does not fit, the type is put behind the default. */
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
