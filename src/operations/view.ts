/** Describes how objects are shown to people: the columns of a list, and the rows of one object. */
import type { ErrorObject } from "../foundation/errors.ts";
import { textOfError } from "../foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";

/** A text with the value that it was made of, which an interface may show in its own way. */
export interface ValueText extends Text {
  readonly of: { readonly kind: "instant" | "word"; readonly value: string };
}

/** Labels that read the same in both languages. */
export type SameWord = "id" | "uid" | "qr" | "url" | "ms" | "bytes" | "sha256" | "x-request-id";

export interface Column<T> {
  head: Text | SameWord;
  align?: "left" | "right";
  /** A status, shown in the colour of its meaning. */
  isStatus?: true;
  /** It names the item. Without such a column, the first one after the id does. */
  isName?: true;
  /** A long text for people, which wraps if the table is too wide. */
  wraps?: boolean;
  /** A text of which the beginning is enough, such as a name: it ends in `…` if the table is too wide. */
  shortens?: boolean;
  /** Columns are left out in this order, 1 first, if the table is still too wide. One without is always shown. */
  leaveOut?: number;
  /** A text is shown in the reader's language; a string is data and stays as it is. */
  value(item: T): Text | string;
}

/** A value of one object with its label. Null is shown as `-`. */
export type Row = readonly [label: Text | SameWord, value: Text | string | number | boolean | null];

/** The rows of an error; none if it is null. */
export function errorRows(
  error: Omit<ErrorObject, "retryable"> | null,
  label: Text = { en: "error", el: "σφάλμα" },
): Row[] {
  if (error === null) return [];
  return [
    [label, joinTexts([sameInBoth(error.code), textOfError(error)], ": ")],
    [{ en: "provider code", el: "κωδικός παρόχου" }, error.provider_code],
    [{ en: "provider message", el: "μήνυμα παρόχου" }, error.provider_message],
  ];
}
