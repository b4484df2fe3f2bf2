/** The flags about files of documents, and the column map for tables: the flags, the file of `--map`, the map stored for the merchant, or none. */
import { athensDay } from "../../../src/foundation/clock.ts";
import type { Appliance } from "../../../src/appliance.ts";
import {
  type ColumnMap,
  EMPTY_MAP,
  findRememberedMap,
  mergeMaps,
  namesOf,
  parseColumnMap,
  rememberMap,
} from "../../../src/intake/column-map.ts";
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { joinTexts, sameInBoth } from "../../../src/foundation/text.ts";
import { parseToml } from "../../../src/foundation/toml.ts";
import { UsageError } from "../../exit.ts";
import { FORMATS } from "./file-format.ts";
import { choice, keyValue } from "../../options.ts";
import type { Flags } from "../../define.ts";
import { nameOf, readBytes, readText } from "../../input.ts";
import { printNote, type ProgramIo } from "../../io.ts";
import { dayText } from "../../../src/operations/view.ts";
import { askColumns, type TableFiles } from "./ask-columns.ts";
import { IGNORE } from "../../../src/intake/table-header.ts";

export interface MapOptions extends ColumnFlags {
  /** A TOML file; false for no map, undefined for the stored one. */
  map?: string | false;
  rememberMap?: boolean;
  dryRun?: boolean;
}

/** Reads a map file. Throws a usage error that names the file and each problem. */
export async function readMapFile(io: ProgramIo, file: string): Promise<ColumnMap> {
  const name = nameOf(file);
  const text = await readText(readBytes(io, file), name);
  try {
    return parseColumnMap(parseToml(text));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(joinTexts([name, error.text], ": "), { cause: error });
  }
}

/**
 * Returns the names with which tables are read: those of `--map` or, without it, of the stored map, with `--column` and
 * `--default`, and the answers about columns that are unknown then. Undefined where the person declines.
 */
export async function chooseNames(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  options: MapOptions & { given: ColumnMap | undefined; tables: TableFiles },
): Promise<ForeignNames | undefined> {
  const { given, tables } = options;
  const base = given ?? (await storedMap(io, appliance, merchant, options)) ?? EMPTY_MAP;
  const map = mergeMaps(base, mapOfFlags(options) ?? EMPTY_MAP);
  if (options.rememberMap === true) await storeMap(io, appliance, merchant, map, options);
  const answered = await askColumns(io, appliance, merchant, map, tables);
  return answered === undefined ? undefined : namesOf(answered);
}

/** The map remembered for the merchant, which is printed. */
async function storedMap(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  { map }: MapOptions,
): Promise<ColumnMap | undefined> {
  if (map === false) return undefined;
  const stored = await findRememberedMap(appliance, merchant.id);
  if (stored === undefined) return undefined;
  const since = dayText(athensDay(Date.parse(stored.updated)));
  await printNote(io, {
    en: `Using the column map remembered for ${merchant.external_id} (${since.en}); --no-map ignores it.`,
    el: `Χρησιμοποιείται η αντιστοίχιση στηλών που κρατήθηκε για την ${merchant.external_id} (${since.el})· η --no-map διαβάζει χωρίς αυτή.`,
  });
  return stored.map;
}

async function storeMap(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  map: ColumnMap,
  options: MapOptions,
): Promise<void> {
  if (options.dryRun === true)
    return printNote(io, {
      en: "The column map is not remembered, because a dry run stores nothing.",
      el: "Η αντιστοίχιση στηλών δεν κρατείται: μια δοκιμή δεν αποθηκεύει τίποτα.",
    });
  await rememberMap(appliance, merchant.id, map);
  await printNote(io, {
    en: `The column map is remembered for ${merchant.external_id} and used for later files.`,
    el: `Η αντιστοίχιση στηλών κρατήθηκε για την ${merchant.external_id}: με αυτή διαβάζονται τα επόμενα αρχεία.`,
  });
}

interface ColumnFlags {
  /** Pairs of a name in the file and our column, or `ignore`. */
  column?: [theirs: string, ours: string][];
  /** Values by our column. */
  default?: Record<string, string>;
}

/** Parses `Περιγραφή=description`; the flag may be repeated. */
const readColumnFlag = Object.assign(
  (value: string, previous: [string, string][] = []): [string, string][] => {
    const split = value.lastIndexOf("=");
    const [theirs, ours] = [value.slice(0, split).trim(), value.slice(split + 1).trim()];
    if (split > 0 && theirs !== "" && ours !== "") return [...previous, [theirs, ours]];
    throw new UsageError({
      en: `--column takes "name in the file=our column", or =${IGNORE} for a column to leave out`,
      el: `η --column δέχεται "όνομα στο αρχείο=δική μας στήλη", ή =${IGNORE} για στήλη που παραλείπεται`,
    });
  },
  { isRepeatable: true },
);

/** The map of the flags; undefined without any. Throws a usage error that names what is wrong. */
function mapOfFlags({ column = [], default: defaults }: ColumnFlags): ColumnMap | undefined {
  if (column.length === 0 && defaults === undefined) return undefined;
  const columns: Record<string, string[]> = {};
  for (const [theirs, ours] of column) if (ours !== IGNORE) (columns[ours] ??= []).push(theirs);
  const ignore = column.filter(([, ours]) => ours === IGNORE).map(([theirs]) => theirs);
  try {
    return parseColumnMap({ columns, ignore, defaults: defaults ?? {} });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(joinTexts([sameInBoth("--column, --default"), error.text], ": "), { cause: error });
  }
}

const formats = FORMATS.join(", ");

export const FILE_FLAGS: Flags = {
  "--format <format>": {
    en: `${formats}; by default from the file's name`,
    el: `${formats}· αλλιώς από το όνομα του αρχείου`,
    read: choice(FORMATS),
  },
  "--sheet <name>": {
    en: "the sheet of a workbook; by default the first",
    el: "το φύλλο ενός βιβλίου εργασίας· αλλιώς το πρώτο",
  },
  "--map <file>": {
    en: "TOML file that says what the columns and values of .csv and .xlsx files mean",
    el: "αρχείο TOML: τι σημαίνουν οι στήλες και οι τιμές αρχείων .csv και .xlsx",
  },
  "--column <name=column>": {
    en: `what a column means: "Item=description", or =${IGNORE} to leave it out; may be repeated`,
    el: `τι σημαίνει μια στήλη: "Είδος=description", ή =${IGNORE} για να παραλειφθεί· επαναλαμβάνεται`,
    read: () => readColumnFlag,
  },
  "--default <column=value>": {
    en: "value where the file has none: type=11.1; may be repeated",
    el: "τιμή όπου το αρχείο δεν έχει: type=11.1· επαναλαμβάνεται",
    read: keyValue,
  },
  "--no-map": {
    en: "ignore the map that is stored for the merchant",
    el: "διαβάζει χωρίς την αντιστοίχιση που κρατήθηκε για την επιχείρηση",
  },
};
