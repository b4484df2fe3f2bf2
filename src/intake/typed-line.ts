/** Fields and line items that a person types, on the command line or in the console. See docs/contract.md#new-documents. */
import type { Text } from "../foundation/text.ts";
import type { Reading } from "./cell-values.ts";
import { type Digits, readNumber } from "./csv-number.ts";
import { problemAt } from "../documents/issue-request.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { type ColumnName, fieldOf, writeTyped } from "./table-fields.ts";
import { checkValue, type LineInput, readPrice, readQuantity, withNetPrices } from "./read-row.ts";

/** What is wrong with a text for a field of the document; undefined if nothing is. */
export function problemWithTyped(
  context: Context,
  mode: Mode,
  { column, typed }: { column: ColumnName; typed: string },
): Text | undefined {
  const body = { document: {} };
  const { path, document } = fieldOf(column);
  // A field of several values is written to a document that has its lines.
  if (document !== undefined) return checkValue(column, typed);
  return writeTyped(body, column, typed) ?? problemAt(context, mode, { body, path: path! });
}

export function readTypedNumber(text: string): Reading {
  return readQuantity(readDigits(text));
}

/** Cents. */
export function readTypedPrice(text: string): Reading<number> {
  return readPrice(readDigits(text));
}

const AMBIGUOUS: Text = {
  en: "is ambiguous: write 1234 or 1.23",
  el: "είναι ασαφής: γράψτε 1234 ή 1,23",
};

/** `1.234` alone may be 1234 or 1.234, so it is refused. */
function readDigits(text: string): Digits | { problem: Text } {
  const reading = readNumber(text.trim());
  if (reading.kind === "invalid") return { problem: reading.problem };
  return reading.kind === "ambiguous" ? { problem: AMBIGUOUS } : reading;
}

/** The lines of the document: a price with VAT may need two. A problem is about the price. */
export function linesOf(typed: LineInput, isGross: boolean): LineInput[] | { problem: Text } {
  if (!isGross) return [typed];
  const problems: Text[] = [];
  const lines = withNetPrices(typed, (text) => void problems.push(text));
  return lines ?? { problem: problems[0]! };
}
