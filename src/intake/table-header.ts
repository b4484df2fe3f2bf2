/** Reads the header row of a table: which cell belongs to which column. */
import { type Problem, validationError } from "../foundation/errors.ts";
import { sameInBoth, type Text } from "../foundation/text.ts";
import {
  FILE_COLUMNS,
  type ColumnName,
  findColumn,
  findNearestColumn,
  foldName,
  type ForeignNames,
  NO_FOREIGN_NAMES,
} from "./table-columns.ts";
import { describePlace, type RowWord } from "./table-problem.ts";

/** Without these no document can be built. */
const REQUIRED: readonly ColumnName[] = [
  ...(["reference", "type", "issue_date"] as const),
  ...(["description", "quantity", "unit_price", "vat_category"] as const),
];
/** The column that may be there instead. */
const INSTEAD: Partial<Record<ColumnName, ColumnName>> = { unit_price: "unit_price_gross" };

/** Where a file has its columns. */
export interface Header {
  word: RowWord;
  /** Number of cells in the header row, blank ones included. */
  width: number;
  /** The cell index of each column in the file, from 0. */
  places: ReadonlyMap<ColumnName, number>;
  /** Indexes of blank header cells; the cells below them must be blank too. */
  unnamed: readonly number[];
  defaults: ReadonlyMap<ColumnName, string>;
  /** Our value by folded cell, for each cell index whose column uses other words. */
  values: ReadonlyMap<number, ReadonlyMap<string, string>>;
}

/** Reads the header row `cells` in row `row`. Throws `validation_failed` with every problem. */
export function readHeader(
  cells: readonly string[],
  row: number,
  word: RowWord = "line",
  names: ForeignNames = NO_FOREIGN_NAMES,
): Header {
  const places = new Map<ColumnName, number>();
  const unnamed: number[] = [];
  const problems: Problem[] = [];
  const report = (message: Text) => problems.push({ ...describePlace(word, row), message });
  const unknown: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const column = findColumn(cell, names);
    if (cell.trim() === "") unnamed.push(index);
    else if (column === undefined) unknown.push(foldName(cell));
    else if (column !== null && places.has(column)) report(hasTwice(column));
    else if (column !== null) places.set(column, index);
  }
  for (const message of describeUnknown(unknown)) report(message);
  const isKnown = (name: ColumnName | undefined) =>
    name !== undefined && (places.has(name) || names.defaults.has(name));
  const missing = REQUIRED.filter((name) => !isKnown(name) && !isKnown(INSTEAD[name]));
  if (missing.length > 0) report(lacksColumns(missing));
  if (unknown.length > 0) report(MAP_HINT);
  if (problems.length > 0) throw validationError(problems);
  const values = new Map<number, ReadonlyMap<string, string>>();
  for (const [column, meanings] of names.values) {
    const place = places.get(column);
    if (place !== undefined) values.set(place, meanings);
  }
  return { word, width: cells.length, places, unnamed, defaults: names.defaults, values };
}

function hasTwice(column: string): Text {
  return { en: `has the column ${column} twice`, el: `έχει τη στήλη ${column} δύο φορές` };
}

function lacksColumns(columns: readonly string[]): Text {
  const listed = columns.join(", ");
  return columns.length === 1
    ? { en: `has no column ${listed}`, el: `δεν έχει τη στήλη ${listed}` }
    : { en: `has no columns ${listed}`, el: `δεν έχει τις στήλες ${listed}` };
}

const MAP_HINT: Text = {
  en: 'may use other column names with --map FILE, which maps each ([columns] ours = "theirs") or ignores it (ignore)',
  el: 'μπορεί να έχει άλλα ονόματα στηλών με --map FILE, που αντιστοιχίζει το καθένα ([columns] ours = "theirs") ή το παραλείπει (ignore)',
};

/** Without a header, the first row may contain any data: a cell is quoted only where it looks like a name. */
const NAME_FORM = /^[\p{L}\p{N}_ .,%()/#€&-]{1,40}$/u;

/** One message for each misspelt column, and one for all other unknown ones. */
function describeUnknown(names: readonly string[]): Text[] {
  const misspelt: Text[] = [];
  const strange: string[] = [];
  for (const name of names) {
    const nearest = findNearestColumn(name);
    if (nearest === undefined) strange.push(name);
    else
      misspelt.push(
        nameUnknown([name], { en: `did you mean ${nearest}?`, el: `μήπως εννοείτε ${nearest};` }),
      );
  }
  if (strange.length === 0) return misspelt;
  const listed = FILE_COLUMNS.join(", ");
  return [
    ...misspelt,
    nameUnknown(strange, { en: `the columns are ${listed}`, el: `οι στήλες είναι ${listed}` }),
  ];
}

function nameUnknown(names: readonly string[], hint: Text): Text {
  const shown = names.filter((name) => NAME_FORM.test(name)).join(", ");
  const found =
    names.length === 1
      ? { en: "has an unknown column", el: "έχει μια άγνωστη στήλη" }
      : { en: `has ${names.length} unknown columns`, el: `έχει ${names.length} άγνωστες στήλες` };
  const { en, el } = sameInBoth(shown === "" ? "" : `, ${shown}`);
  return { en: `${found.en}${en}; ${hint.en}`, el: `${found.el}${el}· ${hint.el}` };
}

const NAMES_MIN = 3;
const WORD_FORM = /^\p{L}[^0-9]{0,39}$/u;

/** Whether a row without known columns still looks like a header: only words, nothing that could be a value. */
export function looksLikeHeader(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  return filled.length >= NAMES_MIN && filled.every((cell) => WORD_FORM.test(cell));
}
