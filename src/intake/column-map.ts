/**
 * A column map says what the columns and values of another program's files mean in ours. It is a TOML file, or is stored for a merchant,
 * so that the merchant's later files are read with it.
 */
import { type Problem, validationError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import { checkValue } from "./read-row.ts";
import { type ColumnName, FILE_COLUMNS } from "./table-fields.ts";
import { findNearestColumn, foldName, type ForeignNames } from "./table-columns.ts";
import {
  deleteColumnMapRow,
  findColumnMapRow,
  upsertColumnMapRow,
} from "../../storage/merchants/merchants.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";

export interface ColumnMap {
  /** The name for each of our columns in files, or the names that it has in several. */
  columns: Partial<Record<ColumnName, string | string[]>>;
  /** For each of our columns, our value by the file's value. */
  values: Partial<Record<ColumnName, Record<string, string>>>;
  /** Used where a cell is blank or the file has no such column. */
  defaults: Partial<Record<ColumnName, string>>;
  /** Names of columns to ignore; `*` for all unknown ones. */
  ignore: string[];
}

const PARTS = ["columns", "values", "defaults", "ignore"] as const;
/** Every document has its own. */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(["reference", "number", "original_marks"]);
const NAME_CHARACTERS_MAX = 200;
/** Names of one column in different files. */
const NAMES_MAX = 20;
const VALUES_MAX = 1000;
const IGNORED_MAX = 200;
const ALL_OTHERS = "*";

type Table = Record<string, unknown>;
type Report = (path: string, message: Text) => void;

const MUST_BE_TEXT: Text = { en: "must be text", el: "πρέπει να είναι κείμενο" };

/** Parses a map from TOML or JSON that is already decoded. Throws `validation_failed` with every problem. */
export function parseColumnMap(input: Table): ColumnMap {
  const problems: Problem[] = [];
  const report: Report = (path, message) => void problems.push({ path, message });
  for (const key of Object.keys(input)) {
    if (!(PARTS as readonly string[]).includes(key)) report(printableKey(key), unknownPart());
  }
  const map: ColumnMap = {
    columns: readColumns(tableOf(input, "columns", report), report),
    values: readValues(tableOf(input, "values", report), report),
    defaults: readDefaults(tableOf(input, "defaults", report), report),
    ignore: readIgnored(input["ignore"], report),
  };
  if (problems.length > 0) throw validationError(problems);
  return map;
}

function unknownPart(): Text {
  const parts = PARTS.map((part) => `[${part}]`).join(", ");
  return { en: `is unknown; a map has ${parts}`, el: `είναι άγνωστο· μια αντιστοίχιση έχει ${parts}` };
}

function tableOf(input: Table, key: string, report: Report): Table {
  const value = input[key];
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Table;
  report(key, { en: "must be a table", el: "πρέπει να είναι πίνακας" });
  return {};
}

/** The entries whose key is one of our columns; the others are reported. */
function entriesOf(table: Table, part: string, report: Report): [column: ColumnName, value: unknown][] {
  const entries: [ColumnName, unknown][] = [];
  for (const [key, value] of Object.entries(table)) {
    const column = FILE_COLUMNS.find((name) => name === key);
    if (column !== undefined) entries.push([column, value]);
    else report(`${part}.${printableKey(key)}`, unknownColumn(key));
  }
  return entries;
}

/** A key may contain anything, so it is quoted only where it is a plain word. */
function printableKey(key: string): string {
  return /^[\p{L}\p{N}_ .-]{1,40}$/u.test(key) ? key : "(key)";
}

function unknownColumn(key: string): Text {
  const nearest = findNearestColumn(foldName(key));
  const listed = FILE_COLUMNS.join(", ");
  return nearest === undefined
    ? {
        en: `is not a known column; the columns are ${listed}`,
        el: `δεν είναι γνωστή στήλη· οι στήλες είναι ${listed}`,
      }
    : {
        en: `is not a known column; did you mean ${nearest}?`,
        el: `δεν είναι γνωστή στήλη· μήπως εννοείτε ${nearest};`,
      };
}

function readColumns(table: Table, report: Report): ColumnMap["columns"] {
  const columns: ColumnMap["columns"] = {};
  const taken = new Map<string, ColumnName>();
  for (const [column, value] of entriesOf(table, "columns", report)) {
    const path = `columns.${column}`;
    const names = (Array.isArray(value) ? value : [value]).map(readName);
    const read = names.filter((name) => name !== undefined);
    const other = read.map((name) => taken.get(foldName(name))).find((holder) => holder !== undefined);
    if (read.length < names.length || read.length === 0 || read.length > NAMES_MAX)
      report(path, {
        en: `must be the name of a column, 1 to ${NAME_CHARACTERS_MAX} characters, or an array of at most ${NAMES_MAX}`,
        el: `πρέπει να είναι όνομα στήλης, 1 έως ${NAME_CHARACTERS_MAX} χαρακτήρες, ή πίνακας με το πολύ ${NAMES_MAX}`,
      });
    else if (other !== undefined)
      report(path, {
        en: `has the same column as ${other}; one column can have only one meaning`,
        el: `έχει την ίδια στήλη με το ${other}· μια στήλη έχει μόνο μία σημασία`,
      });
    else {
      for (const name of read) taken.set(foldName(name), column);
      columns[column] = read.length === 1 ? read[0]! : read;
    }
  }
  return columns;
}

function readName(value: unknown): string | undefined {
  const isName = typeof value === "string" && value.trim() !== "" && value.length <= NAME_CHARACTERS_MAX;
  return isName ? value : undefined;
}

function readValues(table: Table, report: Report): ColumnMap["values"] {
  const values: ColumnMap["values"] = {};
  for (const [column, meanings] of entriesOf(table, "values", report)) {
    const path = `values.${column}`;
    if (typeof meanings !== "object" || meanings === null || Array.isArray(meanings)) {
      report(path, {
        en: 'must be a table of "value in the file" = "value of the column"',
        el: 'πρέπει να είναι πίνακας «"τιμή του αρχείου" = "τιμή της στήλης"»',
      });
    } else if (Object.keys(meanings).length > VALUES_MAX) {
      report(path, {
        en: `must have at most ${VALUES_MAX} values`,
        el: `πρέπει να έχει το πολύ ${VALUES_MAX} τιμές`,
      });
    } else {
      values[column] = readMeanings(column, meanings as Table, report);
    }
  }
  return values;
}

function readMeanings(column: ColumnName, meanings: Table, report: Report): Record<string, string> {
  const read: [string, string][] = [];
  for (const [written, meaning] of Object.entries(meanings)) {
    const text = textOf(meaning);
    const problem = text === undefined ? MUST_BE_TEXT : checkValue(column, text);
    if (text !== undefined && problem === undefined) read.push([written, text]);
    // The path leaves out the file's value, which may be personal data.
    else if (problem !== undefined)
      report(`values.${column}`, { en: `a meaning ${problem.en}`, el: `μια τιμή ${problem.el}` });
  }
  return Object.fromEntries(read);
}

function readDefaults(table: Table, report: Report): ColumnMap["defaults"] {
  const defaults: ColumnMap["defaults"] = {};
  for (const [column, value] of entriesOf(table, "defaults", report)) {
    const path = `defaults.${column}`;
    const text = textOf(value);
    const problem = text === undefined ? MUST_BE_TEXT : checkValue(column, text);
    if (WITHOUT_DEFAULT.has(column))
      report(path, {
        en: "can have no default, because each document has its own",
        el: "δεν μπορεί να έχει προεπιλογή, γιατί κάθε παραστατικό έχει το δικό του",
      });
    else if (problem !== undefined) report(path, problem);
    else if (text !== undefined) defaults[column] = text;
  }
  return defaults;
}

/** TOML also has numbers and dates: `type = 1.1` and `issue_date = 2026-11-02` are read as written. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number") return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

function readIgnored(value: unknown, report: Report): string[] {
  if (value === undefined) return [];
  const names = Array.isArray(value) ? value.map(readName) : [undefined];
  const read = names.filter((name) => name !== undefined);
  if (read.length < names.length || read.length > IGNORED_MAX) {
    report("ignore", {
      en: `must be an array of at most ${IGNORED_MAX} column names, or ["*"] for all unknown ones`,
      el: `πρέπει να είναι πίνακας με το πολύ ${IGNORED_MAX} ονόματα στηλών, ή ["*"] για όλες τις άγνωστες`,
    });
  }
  return read;
}

/** The map in the form that reading a header uses. */
export function namesOf(map: ColumnMap): ForeignNames {
  const entries = <Value>(part: Partial<Record<ColumnName, Value>>) =>
    Object.entries(part) as [ColumnName, Value][];
  return {
    columns: new Map(
      entries(map.columns).flatMap(([column, theirs]) =>
        [theirs].flat().map((name): [string, ColumnName] => [foldName(name), column]),
      ),
    ),
    ignored: new Set(map.ignore.map(foldName)),
    ignoresRest: map.ignore.includes(ALL_OTHERS),
    defaults: new Map(entries(map.defaults)),
    values: new Map(
      entries(map.values).map(([column, meanings]) => [
        column,
        new Map(Object.entries(meanings).map(([written, meaning]) => [foldName(written), meaning])),
      ]),
    ),
  };
}

export interface RememberedMap {
  map: ColumnMap;
  /** When it was stored: an instant in UTC. */
  updated: string;
}

/** Undefined where none is stored. Throws `validation_failed` where the map uses columns that this version does not have. */
export async function findRememberedMap(
  context: Context,
  merchantId: string,
): Promise<RememberedMap | undefined> {
  const row = await findColumnMapRow(context.store.read, { merchantId });
  if (row === undefined) return undefined;
  return { map: parseColumnMap(readJson<Record<string, unknown>>(row.map_json)), updated: row.updated_at };
}

/** Stores `map` for the merchant, replacing an earlier one. */
export async function rememberMap(context: Context, merchantId: string, map: ColumnMap): Promise<void> {
  await context.store.write((trx) =>
    upsertColumnMapRow(trx, { merchant_id: merchantId, map_json: JSON.stringify(map), updated_at: trx.now }),
  );
}

/** Deletes the merchant's map; false where there was none. */
export function forgetMap(context: Context, merchantId: string): Promise<boolean> {
  return context.store.write((trx) => deleteColumnMapRow(trx, { merchantId }));
}

export const EMPTY_MAP: ColumnMap = { columns: {}, values: {}, defaults: {}, ignore: [] };

/** `base` with `added`, which counts where both say something about the same column of a file. */
export function mergeMaps(base: ColumnMap, added: ColumnMap): ColumnMap {
  const answered = new Set([...Object.values(added.columns).flat(), ...added.ignore].map(foldName));
  const isOpen = (name: string) => !answered.has(foldName(name));
  const columns: ColumnMap["columns"] = {};
  for (const map of [{ ...base, columns: namesLeft(base, isOpen) }, added]) {
    for (const [column, names] of Object.entries(map.columns) as [ColumnName, string | string[]][]) {
      const all = [columns[column] ?? [], names].flat();
      if (all.length > 0) columns[column] = all.length === 1 ? all[0]! : all;
    }
  }
  return {
    columns,
    values: { ...base.values, ...added.values },
    defaults: { ...base.defaults, ...added.defaults },
    ignore: [...base.ignore.filter(isOpen), ...added.ignore],
  };
}

function namesLeft(map: ColumnMap, isOpen: (name: string) => boolean): ColumnMap["columns"] {
  return Object.fromEntries(
    Object.entries(map.columns).map(([column, names]) => [column, [names].flat().filter(isOpen)]),
  );
}
