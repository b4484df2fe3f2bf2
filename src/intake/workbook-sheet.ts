/**
 * The XML of a sheet, before the library that reads workbooks gets it. It fills the rectangle up to the farthest cell, so a
 * single address could fill the memory; and it reads the errors of formulas, and formulas without a value, as blank cells.
 */
import { AppError } from "../foundation/errors.ts";

/** Cells of the rectangle from A1 to the farthest row and column: 100 columns down to the hundred-thousandth row. */
const RECTANGLE_MAX = 10_000_000;
/** The last row and the last column that Excel has. */
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

/** Formatted, and otherwise empty. */
const EMPTY_CELL = /<c\b[^<>]*\/>/g;
const EMPTY_ROW = /<row\b[^<>]*\/>/g;
const ERROR_CELL = /(<c\b[^<>]*)\st\s*=\s*["']e["']/g;
/** A formula that nobody has computed: some programs write them so, and leave it to Excel. */
const UNCOMPUTED_CELL = /<c\b([^<>]*)>\s*<f\b(?:[^<>]*\/>|[^<>]*>[^<]*<\/f>)\s*<\/c>/g;
const CELL_TYPE = /\st\s*=\s*(?:"[^"]*"|'[^']*')/;
const ADDRESS = /<(?:c|row)\b[^<>]*?\sr\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const ADDRESS_FORM = /^([A-Z]{0,3})([0-9]{1,7})$/;

/** What a formula shows that has no value. */
const NO_VALUE = "#VALUE!";

/**
 * The sheet with every cell that holds no value either gone or an error that shows. Throws `validation_failed` where it is
 * too wide or too long. The patterns look at no character twice: the file may be anybody's.
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
    if (letters === undefined || digits === undefined) throw tooWide();
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnNumber(letters));
  }
  if (rows > ROW_MAX || columns > COLUMN_MAX || rows * columns > RECTANGLE_MAX) throw tooWide();
}

/** `A` is 1, `AA` 27. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function tooWide(): AppError {
  const message =
    "The sheet has a cell too far to the right or too far down for a workbook to be read; delete what stands there, or save the sheet as CSV UTF-8";
  return new AppError("validation_failed", message);
}
