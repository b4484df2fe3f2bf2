/**
 * A column map: what the columns and values of another program's files mean, and what those files do not say. It is written
 * as a TOML file, checked here, and turned into what the reading of a header looks up.
 */
import { type Problem, validationError } from "../foundation/errors.ts";
import { COLUMNS, type ColumnName, type ForeignNames, foldName, nearestColumn } from "./csv-columns.ts";
import { checkCell } from "./csv-row.ts";

export interface ColumnMap {
  /** From our column to the name that the file has for it. */
  columns: Partial<Record<ColumnName, string>>;
  /** For our column, from what the file says to what it means. */
  values: Partial<Record<ColumnName, Record<string, string>>>;
  /** What a column says where its cell is blank, or the file has no such column. */
  defaults: Partial<Record<ColumnName, string>>;
  /** Names of columns that are left out; `*` for all that are not known. */
  ignore: string[];
}

const PARTS = ["columns", "values", "defaults", "ignore"] as const;
/** Each document has its own. */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(["reference", "number", "original_marks"]);
const NAME_CHARACTERS_MAX = 200;
const VALUES_MAX = 1000;
const IGNORED_MAX = 200;
const ALL_OTHERS = "*";

type Table = Record<string, unknown>;
type Report = (path: string, message: string) => void;

/** The map that `input` (parsed TOML or JSON) says. Throws `validation_failed` with all that is wrong with it. */
export function parseColumnMap(input: Table): ColumnMap {
  const problems: Problem[] = [];
  const report: Report = (path, message) => void problems.push({ path, message });
  for (const key of Object.keys(input)) {
    if (!(PARTS as readonly string[]).includes(key))
      report(nameable(key), `is not known; a map has ${PARTS.map((part) => `[${part}]`).join(", ")}`);
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

function tableOf(input: Table, key: string, report: Report): Table {
  const value = input[key];
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Table;
  report(key, "must be a table");
  return {};
}

/** The entries whose key is a column of ours. */
function entriesOf(table: Table, part: string, report: Report): [column: ColumnName, value: unknown][] {
  const entries: [ColumnName, unknown][] = [];
  for (const [key, value] of Object.entries(table)) {
    const column = COLUMNS.find((name) => name === key);
    if (column !== undefined) entries.push([column, value]);
    else report(`${part}.${nameable(key)}`, describeKey(key));
  }
  return entries;
}

/** A key may be anything: only a plain word is named. */
function nameable(key: string): string {
  return /^[\p{L}\p{N}_ .-]{1,40}$/u.test(key) ? key : "(key)";
}

function describeKey(key: string): string {
  const nearest = nearestColumn(foldName(key));
  return nearest === undefined
    ? `is not a column of ours; the columns are ${COLUMNS.join(", ")}`
    : `is not a column of ours; did you mean ${nearest}?`;
}

function readColumns(table: Table, report: Report): ColumnMap["columns"] {
  const columns: ColumnMap["columns"] = {};
  const taken = new Map<string, ColumnName>();
  for (const [column, value] of entriesOf(table, "columns", report)) {
    const path = `columns.${column}`;
    const name = readName(value);
    const other = name === undefined ? undefined : taken.get(foldName(name));
    if (name === undefined)
      report(path, `must be the name of a column, 1 to ${NAME_CHARACTERS_MAX} characters`);
    else if (other !== undefined)
      report(path, `has the same column as ${other}; one column can mean one thing only`);
    else {
      taken.set(foldName(name), column);
      columns[column] = name;
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
      report(path, 'must be a table of "what the file says" = "what it means"');
    } else if (Object.keys(meanings).length > VALUES_MAX) {
      report(path, `must have at most ${VALUES_MAX} values`);
    } else {
      values[column] = readMeanings(column, meanings as Table, report);
    }
  }
  return values;
}

function readMeanings(column: ColumnName, meanings: Table, report: Report): Record<string, string> {
  const read: [string, string][] = [];
  for (const [said, meaning] of Object.entries(meanings)) {
    const text = textOf(meaning);
    const problem = text === undefined ? "must be text" : checkCell(column, text);
    // What the file says is the person's own data: the entry is found by its column and its meaning.
    if (text === undefined || problem !== undefined) report(`values.${column}`, `a meaning ${problem}`);
    else read.push([said, text]);
  }
  return Object.fromEntries(read);
}

function readDefaults(table: Table, report: Report): ColumnMap["defaults"] {
  const defaults: ColumnMap["defaults"] = {};
  for (const [column, value] of entriesOf(table, "defaults", report)) {
    const path = `defaults.${column}`;
    const text = textOf(value);
    const problem = text === undefined ? "must be text" : checkCell(column, text);
    if (WITHOUT_DEFAULT.has(column)) report(path, "can have no default: each document has its own");
    else if (text === undefined || problem !== undefined) report(path, problem ?? "must be text");
    else defaults[column] = text;
  }
  return defaults;
}

/** TOML has numbers and dates, too: `type = 1.1` and `issue_date = 2026-11-02` say what they look like. */
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
    report(
      "ignore",
      `must be an array of at most ${IGNORED_MAX} names of columns, or ["*"] for all that are not known`,
    );
  }
  return read;
}

/** The map as the reading of a header looks it up. */
export function namesOf(map: ColumnMap): ForeignNames {
  const entries = <Value>(part: Partial<Record<ColumnName, Value>>) =>
    Object.entries(part) as [ColumnName, Value][];
  return {
    columns: new Map(entries(map.columns).map(([column, name]) => [foldName(name), column])),
    ignored: new Set(map.ignore.map(foldName)),
    ignoresRest: map.ignore.includes(ALL_OTHERS),
    defaults: new Map(entries(map.defaults)),
    values: new Map(
      entries(map.values).map(([column, meanings]) => [
        column,
        new Map(Object.entries(meanings).map(([said, meaning]) => [foldName(said), meaning])),
      ]),
    ),
  };
}
