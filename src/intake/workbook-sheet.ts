/**
 * Prepares the XML of a sheet for read-excel-file, which fills the rectangle up to the farthest cell (so that a single address
 * could fill the memory) and reads formula errors, and formulas without a value, as blank cells.
 */
import { AppError } from "../foundation/errors.ts";

/** Cells of the rectangle from A1 to the farthest row and column: 100 columns by 100,000 rows. */
const RECTANGLE_MAX = 10_000_000;
/** Excel's last row and column. */
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

/** Formatted but empty. */
const EMPTY_CELL = /<c\b[^<>]*\/>/g;
const EMPTY_ROW = /<row\b[^<>]*\/>/g;
const ERROR_CELL = /(<c\b[^<>]*)\st\s*=\s*["']e["']/g;
/** A formula without a value: some programs leave computing it to Excel. */
const UNCOMPUTED_CELL = /<c\b([^<>]*)>\s*<f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/f>)\s*<\/c>/g;
const CELL_TYPE = /\st\s*=\s*(?:"[^"]*"|'[^']*')/;
const ADDRESS = /<(?:c|row)\b[^<>]*?\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ADDRESS_FORM = /^([A-Z]{0,3})([0-9]{1,7})$/;

/** Written into the cell of a formula without a value. */
const NO_VALUE = "#VALUE!";

/**
 * Removes empty cells and makes formulas without a value visible errors. Throws `validation_failed` where the sheet is too
 * wide or too long. The patterns look at no character twice, because the file may be hostile.
 */
export function prepareSheet(xml: Buffer): Buffer {
  const text = xml
    .toString("utf8")
    .replace(EMPTY_CELL, "")
    .replace(EMPTY_ROW, "")
    .replace(ERROR_CELL, '$1 t="str"')
    .replace(UNCOMPUTED_CELL, (_cell, attributes: string) => {
      return `<c${attributes.replace(CELL_TYPE, "")} t="str"><v>${NO_VALUE}</v></c>`;
    });
  checkExtent(text);
  return Buffer.from(text);
}

function checkExtent(text: string): void {
  let rows = 1;
  let columns = 1;
  for (const [, quoted, apostrophed = ""] of text.matchAll(ADDRESS)) {
    const [, letters, digits] = ADDRESS_FORM.exec(quoted ?? apostrophed) ?? [];
    if (letters === undefined || digits === undefined) throw tooLarge();
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (rows > ROW_MAX || columns > COLUMN_MAX || rows * columns > RECTANGLE_MAX) throw tooLarge();
}

/** `A` is 1, `AA` 27. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function tooLarge(): AppError {
  return new AppError("validation_failed", {
    en: "The sheet has a cell too far to the right or too far down to be read; delete it, or save the sheet as CSV UTF-8",
    el: "Το φύλλο έχει κελί πολύ δεξιά ή πολύ κάτω για να διαβαστεί· διαγράψτε το ή αποθηκεύστε το φύλλο ως CSV UTF-8",
  });
}
