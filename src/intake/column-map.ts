/** What the columns and values of another program's files mean in ours: a TOML file, or stored for a merchant. */
import * as v from "valibot";
import { type Problem, validationError } from "../foundation/errors.ts";
import { must, mustWith } from "../foundation/field-checks.ts";
import { checkWith } from "../foundation/validation.ts";
import type { Text } from "../foundation/text.ts";
import { checkValue } from "./read-row.ts";
import { type ColumnName, FILE_COLUMNS } from "./table-fields.ts";
import { findNearestColumn, foldName, type ForeignNames, suggestColumn } from "./table-columns.ts";
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

/** Every document has its own. */
const WITHOUT_DEFAULT: ReadonlySet<ColumnName> = new Set<ColumnName>([
  "reference",
  "number",
  "original_marks",
]);
const NAME_CHARACTERS_MAX = 200;
/** Names of one column in different files. */
const NAMES_MAX = 20;
const VALUES_MAX = 1000;
const IGNORED_MAX = 200;
const ALL_OTHERS = "*";

const MUST_BE_TEXT: Text = { en: "must be text", el: "πρέπει να είναι κείμενο" };
const MUST_BE_NAMES: Text = {
  en: `must be the name of a column, 1 to ${NAME_CHARACTERS_MAX} characters, or an array of at most ${NAMES_MAX}`,
  el: `πρέπει να είναι όνομα στήλης, 1 έως ${NAME_CHARACTERS_MAX} χαρακτήρες, ή πίνακας με το πολύ ${NAMES_MAX}`,
};
const HAS_NO_DEFAULT: Text = {
  en: "can have no default, because each document has its own",
  el: "δεν μπορεί να έχει προεπιλογή, γιατί κάθε παραστατικό έχει το δικό του",
};
const TOO_MANY_VALUES: Text = {
  en: `must have at most ${VALUES_MAX} values`,
  el: `πρέπει να έχει το πολύ ${VALUES_MAX} τιμές`,
};

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= NAME_CHARACTERS_MAX;
}

const NamesSchema = v.pipe(
  v.unknown(),
  v.transform((value) => [value].flat()),
  must((names) => names.length > 0 && names.length <= NAMES_MAX && names.every(isName), MUST_BE_NAMES),
  v.transform((names) => (names.length === 1 ? names[0] : names)),
);

/** TOML also has numbers and dates: `type = 1.1` and `issue_date = 2026-11-02` are read as written. */
function textOf(value: unknown): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  if (typeof value === "number") return String(value);
  return value instanceof Date ? value.toISOString() : undefined;
}

function textWith(findProblem: (text: string) => Text | undefined) {
  return v.pipe(
    v.unknown(),
    v.transform(textOf),
    mustWith((text) => (text === undefined ? MUST_BE_TEXT : findProblem(text))),
  );
}

function defaultOf(column: ColumnName) {
  return textWith((text) => (WITHOUT_DEFAULT.has(column) ? HAS_NO_DEFAULT : checkValue(column, text)));
}

function meaningsOf(column: ColumnName) {
  const meaning = textWith((text) => {
    const problem = checkValue(column, text);
    return problem && { en: `a meaning ${problem.en}`, el: `μια τιμή ${problem.el}` };
  });
  return v.pipe(
    v.record(v.string(), meaning),
    must((meanings) => Object.keys(meanings).length <= VALUES_MAX, TOO_MANY_VALUES),
  );
}

function byColumn(schemaOf: (column: ColumnName) => v.GenericSchema) {
  const entries = FILE_COLUMNS.map((column) => [column, v.optional(schemaOf(column))]);
  return v.object(Object.fromEntries(entries) as Record<string, v.GenericSchema>);
}

/** The names of two columns that a map gives to one column of the file. */
function findClash(columns: ColumnMap["columns"]): Text | undefined {
  const taken = new Map<string, string>();
  for (const [column, names] of Object.entries(columns))
    for (const name of [names].flat().map(foldName)) {
      const other = taken.get(name) ?? column;
      taken.set(name, column);
      if (other !== column)
        return {
          en: `${other} and ${column} have the same column; one column can have only one meaning`,
          el: `${other} και ${column} έχουν την ίδια στήλη· μια στήλη έχει μόνο μία σημασία`,
        };
    }
  return undefined;
}

const ColumnMapSchema = v.strictObject({
  columns: v.optional(
    v.pipe(
      byColumn(() => NamesSchema),
      mustWith(findClash),
    ),
    {},
  ),
  values: v.optional(byColumn(meaningsOf), {}),
  defaults: v.optional(byColumn(defaultOf), {}),
  ignore: v.optional(
    v.pipe(
      v.array(v.string()),
      must((names) => names.length <= IGNORED_MAX && names.every(isName), {
        en: `must be an array of at most ${IGNORED_MAX} column names, or ["*"] for all unknown ones`,
        el: `πρέπει να είναι πίνακας με το πολύ ${IGNORED_MAX} ονόματα στηλών, ή ["*"] για όλες τις άγνωστες`,
      }),
    ),
    [],
  ),
});

/** Parses a map from TOML or JSON that is already decoded. Throws `validation_failed` with every problem. */
export function parseColumnMap(input: Record<string, unknown>): ColumnMap {
  const checked = checkWith(ColumnMapSchema, input, "");
  const problems = [
    ...findUnknownColumns(input),
    ...("problems" in checked ? checked.problems.map(withoutValue) : []),
  ];
  if (problems.length > 0 || !("output" in checked)) throw validationError(problems);
  return checked.output as ColumnMap;
}

/** Leaves out the file's value, which may be personal data. */
function withoutValue({ path, message }: Problem): Problem {
  return { path: path.split(".").slice(0, 2).join("."), message };
}

/** Named as they are written, in any language: nothing but a name of a column belongs there. */
function findUnknownColumns(input: Record<string, unknown>): Problem[] {
  return BY_COLUMN.flatMap((part) => {
    const given = input[part];
    const names = typeof given === "object" && given !== null ? Object.keys(given) : [];
    const unknown = names.filter((name) => !(FILE_COLUMNS as readonly string[]).includes(name));
    return unknown.map((name) => ({ path: `${part}.${name}`, message: unknownColumn(name) }));
  });
}

const BY_COLUMN = ["columns", "values", "defaults"];

function unknownColumn(name: string): Text {
  const nearest = findNearestColumn(foldName(name)) ?? suggestColumn(name);
  const hint = nearest ?? FILE_COLUMNS.join(", ");
  return { en: `is not a known column; known: ${hint}`, el: `δεν είναι γνωστή στήλη· υπάρχει: ${hint}` };
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
  const row = await findColumnMapRow(context.store.read, { merchant_id: merchantId });
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
  return context.store.write((trx) => deleteColumnMapRow(trx, { merchant_id: merchantId }));
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
