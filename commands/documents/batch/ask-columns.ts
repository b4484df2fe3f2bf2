/** Asks what the unknown columns of tables mean, shows the first rows as they would be read, and remembers the answers. */
import type { Appliance } from "../../../src/appliance.ts";
import { TYPE_WORDS } from "../../../src/domain/document-codes.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { type ColumnName, FIELDS, FILE_COLUMNS } from "../../../src/intake/table-fields.ts";
import {
  type ColumnMap,
  EMPTY_MAP,
  mergeMaps,
  namesOf,
  rememberMap,
} from "../../../src/intake/column-map.ts";
import { checkValue } from "../../../src/intake/read-row.ts";
import { readTableHead, type TableHead } from "../../../src/intake/open-table.ts";
import {
  checkHeader,
  type HeaderCheck,
  IGNORE,
  suggestColumns,
  type UnknownCell,
} from "../../../src/intake/table-header.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { confirmChange } from "../../confirmation.ts";
import { readBytes } from "../../input-files.ts";
import { printProblem, type ProgramIo } from "../../io.ts";
import { askText, askWhich, canPrompt } from "../../ui/prompt.ts";
import { VAT_CHOICES } from "../new/ask-lines.ts";
import { type Format, formatOf, isTable } from "./file-format.ts";
import { printFirstRows } from "./first-rows.ts";

export interface TableFiles {
  files: readonly string[];
  format?: Format | undefined;
  sheet?: string | undefined;
  yes?: true | undefined;
}

/**
 * Returns `map` with the answers; undefined where the person declines. Asks only on a terminal; otherwise reading the file
 * reports its header, with the flags that would answer.
 */
export async function askColumns(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  map: ColumnMap,
  given: TableFiles,
): Promise<ColumnMap | undefined> {
  if (!canPrompt(io)) return map;
  let whole = map;
  for (const file of given.files) {
    const format = formatOf(file, given.format);
    if (file === "-" || !isTable(format)) continue;
    const answers = await askForFile(io, whole, { file, format, sheet: given.sheet });
    if (answers === undefined) continue;
    whole = mergeMaps(whole, answers);
    await printFirstRows(io, file, {
      ...given,
      defaults: { merchant },
      names: namesOf(whole),
      today: appliance.clock.today(),
    });
    if (!(await confirmChange({ io }, given, confirmation(file, merchant)))) return undefined;
    await rememberMap(appliance, merchant.id, whole);
  }
  return whole;
}

function confirmation(file: string, { external_id: merchant }: MerchantObject): Text {
  return {
    en: `Read ${file} like this, and remember it for later files of ${merchant}?`,
    el: `Να διαβαστεί έτσι το ${file}, και να κρατηθεί για τα επόμενα αρχεία της ${merchant};`,
  };
}

/** Undefined where there is nothing to ask, or no answer would make the file readable. */
async function askForFile(
  io: ProgramIo,
  map: ColumnMap,
  { file, format, sheet }: { file: string; format: "csv" | "xlsx"; sheet: string | undefined },
): Promise<ColumnMap | undefined> {
  const names = namesOf(map);
  const head = await headOf(() => readTableHead(readBytes(io, file), format, { names, sheet }));
  const check = head === undefined ? undefined : checkHeader(head.cells, names);
  if (head === undefined || check === undefined) return undefined;
  const isAsked = check.unknown.length > 0 || (check.missing.length > 0 && check.missing.every(hasDefault));
  if (!isAsked) return undefined;
  if (check.unknown.length > 0)
    await printProblem(io, {
      en: `${file} has columns with other names. What do they mean?`,
      el: `Το ${file} έχει στήλες με άλλα ονόματα. Τι σημαίνουν;`,
    });
  let answers = await askCells(io, head, check);
  const { missing } = checkHeader(head.cells, namesOf(mergeMaps(map, answers)));
  for (const column of missing.filter((name) => !hasDefault(name))) {
    const cell = await askMissing(io, column, answers.ignore);
    if (cell === undefined) return undefined;
    answers = mergeMaps(answers, { ...EMPTY_MAP, columns: { [column]: cell } });
  }
  const defaults: ColumnMap["defaults"] = {};
  for (const column of missing.filter(hasDefault)) defaults[column] = await DEFAULTS[column](io);
  return { ...answers, defaults };
}

/** Undefined where the file cannot be read, which the run that follows reports. */
async function headOf(read: () => Promise<TableHead | undefined>): Promise<TableHead | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof AppError && error.code === "validation_failed") return undefined;
    throw error;
  }
}

async function askCells(io: ProgramIo, head: TableHead, check: HeaderCheck): Promise<ColumnMap> {
  const columns: ColumnMap["columns"] = {};
  const ignore: string[] = [];
  const places = new Map(check.places);
  for (const [order, cell] of check.unknown.entries()) {
    const suggested = suggestColumns(check.unknown.slice(order), places).get(cell.index);
    const meaning = await askMeaning(io, head, cell, { places, suggested });
    if (meaning === IGNORE) ignore.push(cell.cell);
    else {
      columns[meaning] = cell.cell;
      places.set(meaning, cell.index);
    }
  }
  return { ...EMPTY_MAP, columns, ignore };
}

function askMeaning(
  io: ProgramIo,
  { rows }: TableHead,
  { cell, index }: UnknownCell,
  known: { places: ReadonlyMap<ColumnName, number>; suggested: ColumnName | undefined },
): Promise<ColumnName | typeof IGNORE> {
  const examples = [...new Set(rows.map(({ cells }) => cells[index] ?? ""))].filter((text) => text !== "");
  const shown = examples.length === 0 ? "" : ` (${examples.join(", ").slice(0, EXAMPLES_CHARACTERS_MAX)})`;
  const free = FILE_COLUMNS.filter((column) => !known.places.has(column));
  const choices = free.map((value) => ({ value, name: columnLabel(value) }));
  const leftOut = { en: "nothing: leave it out", el: "τίποτα: παραλείπεται" };
  return askWhich<ColumnName | typeof IGNORE>(io, [...choices, { value: IGNORE, name: leftOut }], {
    flag: "--column",
    message: { en: `Column "${cell}"${shown}`, el: `Στήλη «${cell}»${shown}` },
    initial: known.suggested ?? IGNORE,
  });
}

const EXAMPLES_CHARACTERS_MAX = 60;

/** `quantity`, or `Ποσότητα (quantity)` */
function columnLabel(column: ColumnName): Text {
  const { en, el } = FIELDS[column].words;
  return { en: `${column}: ${en}`, el: `${el} (${column})` };
}

/** Which of the columns `left` out is `column`; undefined for none of them. */
async function askMissing(
  io: ProgramIo,
  column: ColumnName,
  left: readonly string[],
): Promise<string | undefined> {
  if (left.length === 0) return undefined;
  const { en, el } = FIELDS[column].words;
  const none = { value: IGNORE, name: { en: "none of them", el: "καμία από αυτές" } };
  const choices = left.map((cell) => ({ value: cell, name: sameInBoth(cell) }));
  const answer = await askWhich(io, [none, ...choices], {
    flag: "--column",
    message: {
      en: `Which column is the ${en}? Documents need it`,
      el: `Ποια στήλη είναι: ${el}; Χρειάζεται στα παραστατικά`,
    },
  });
  return answer === IGNORE ? undefined : answer;
}

/** What all rows may have in common, where the file has no column for it. Each document has its own of the others. */
const DEFAULTS = {
  type(io: ProgramIo) {
    const message = {
      en: "The file has no type. What are its documents?",
      el: "Το αρχείο δεν έχει τύπο. Τι είναι τα παραστατικά του;",
    };
    return askWhich(io, TYPES, { flag: "--default type=11.1", message });
  },
  quantity(io: ProgramIo) {
    const message = {
      en: "The file has no quantity. Which one do all lines have?",
      el: "Το αρχείο δεν έχει ποσότητα. Ποια έχουν όλες οι γραμμές;",
    };
    const check = (answer: string) => checkValue("quantity", answer);
    return askText(io, { flag: "--default quantity=1", message, initial: "1", check });
  },
  vat_category(io: ProgramIo) {
    const message = {
      en: "The file has no VAT rate. Which one do all lines have?",
      el: "Το αρχείο δεν έχει ΦΠΑ. Ποιον συντελεστή έχουν όλες οι γραμμές;",
    };
    return askWhich(io, VAT_CHOICES, { flag: "--default vat_category=24%", message });
  },
};

function hasDefault(column: ColumnName): column is keyof typeof DEFAULTS {
  return Object.hasOwn(DEFAULTS, column);
}

const TYPES = Object.entries(TYPE_WORDS).map(([value, { en, el }]) => ({
  value,
  name: { en: `${value} ${en}`, el: `${value} ${el}` },
}));
