/** The flags about files of documents, the column map that they choose for tables, and `fiscal documents map` for the stored one. */
import * as operations from "../../../src/operations/remembered.ts";
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
import { type ForeignNames, NO_FOREIGN_NAMES } from "../../../src/intake/table-columns.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { parseToml } from "../../../src/foundation/toml.ts";
import { UsageError } from "../../exit.ts";
import { FORMATS, hasTable } from "./file-format.ts";
import { choice, keyValue, repeated } from "../../options.ts";
import { type Flags, noun, type OptionsOf } from "../../define.ts";
import { nameOf, readBytes, readText } from "../../input-files.ts";
import { printNote, type ProgramIo, write } from "../../io.ts";
import { dayText } from "../../../src/operations/view.ts";
import { askColumns, type TableFiles } from "./ask-columns.ts";
import { IGNORE } from "../../../src/intake/table-header.ts";
import { stringify } from "smol-toml";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { questionAbout } from "../../confirmation.ts";
import { printJson } from "../../ui/json.ts";
import type { Given } from "../../flags.ts";
import { verbOf } from "../../verb.ts";

const formats = FORMATS.join(", ");

export const FILE_FLAGS = {
  "--merchant <merchant>": {
    en: "merchant of documents that do not name one: id or external id",
    el: "η επιχείρηση όσων παραστατικών δεν ορίζουν: id ή εξωτερικό id",
  },
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
    read: () => repeated(readColumnFlag),
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
} satisfies Flags;

/** Without `map`, the stored map applies. */
export type MapOptions = OptionsOf<typeof FILE_FLAGS> & { rememberMap?: true; dryRun?: true };

/** `Περιγραφή=description` */
function readColumnFlag(value: string): [theirs: string, ours: string][] {
  const split = value.lastIndexOf("=");
  const [theirs, ours] = [value.slice(0, split).trim(), value.slice(split + 1).trim()];
  if (split > 0 && theirs !== "" && ours !== "") return [[theirs, ours]];
  throw new UsageError({
    en: `--column takes "name in the file=our column", or =${IGNORE} for a column to leave out`,
    el: `η --column δέχεται "όνομα στο αρχείο=δική μας στήλη", ή =${IGNORE} για στήλη που παραλείπεται`,
  });
}

/** Reads the file of `--map`. Throws a usage error that names the file and each problem. */
export async function readMapFile(io: ProgramIo, { map }: MapOptions): Promise<ColumnMap | undefined> {
  if (typeof map !== "string") return undefined;
  const name = nameOf(map);
  const text = await readText(readBytes(io, map), name);
  return explaining(name, () => parseColumnMap(parseToml(text)));
}

/** Puts the name of the input before what is wrong with it. */
function explaining(name: Text, parse: () => ColumnMap): ColumnMap {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(joinTexts([name, error.text], ": "), { cause: error });
  }
}

/** What `--column` and `--default` say. Throws a usage error that names what is wrong. */
function mapOfFlags({ column = [], default: defaults = {} }: MapOptions): ColumnMap {
  const columns: Record<string, string[]> = {};
  for (const [theirs, ours] of column) if (ours !== IGNORE) (columns[ours] ??= []).push(theirs);
  const ignore = column.filter(([, ours]) => ours === IGNORE).map(([theirs]) => theirs);
  return explaining(sameInBoth("--column, --default"), () => parseColumnMap({ columns, ignore, defaults }));
}

/**
 * Returns the names with which tables are read: those of the `given` map or, without one, of the stored map, with `--column` and
 * `--default`, and the answers about columns that are unknown then. Undefined where the person declines.
 */
export async function chooseNames(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject | undefined,
  options: MapOptions & TableFiles & { given: ColumnMap | undefined },
): Promise<ForeignNames | undefined> {
  if (merchant === undefined || !hasTable(options.files, options.format)) return NO_FOREIGN_NAMES;
  const base = options.given ?? (await storedMap(io, appliance, merchant, options)) ?? EMPTY_MAP;
  const map = mergeMaps(base, mapOfFlags(options));
  if (options.rememberMap === true) await storeMap(io, appliance, merchant, map, options);
  const answered = await askColumns(io, appliance, merchant, map, options);
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

export const defineMap = noun(
  {
    show: verbOf(operations.getColumnMap, { print: printMap }),
    forget: verbOf(operations.forgetColumnMap, {
      async confirm({ appliance, params }) {
        const { id, name } = await getMerchant(appliance, params["id"] ?? "");
        await operations.requireMap(appliance, id);
        return questionAbout(
          { en: "Forget the column map", el: "Να ξεχαστεί η αντιστοίχιση στηλών" },
          [name],
          { en: "Later files are read without it.", el: "Τα επόμενα αρχεία διαβάζονται χωρίς αυτή." },
        );
      },
      async notes(_forgotten, { appliance, params }) {
        const { external_id: shown } = await getMerchant(appliance, params["id"] ?? "");
        return [
          {
            en: `The column map of ${shown} is forgotten.`,
            el: `Η αντιστοίχιση στηλών της ${shown} ξεχάστηκε.`,
          },
        ];
      },
    }),
  },
  "fiscal documents map show --merchant shop",
);

async function printMap(object: ColumnMap, { context }: Given): Promise<void> {
  if (context.options.json === true) return printJson(context.io, object);
  const { ignore, columns, values, defaults } = object;
  // In TOML a plain value must come before the tables.
  await write(context.io.stdout, `${stringify({ ignore, columns, values, defaults })}\n`);
}
