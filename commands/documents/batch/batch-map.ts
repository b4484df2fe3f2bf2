/** Chooses the column map for tables: the file of `--map`, the map stored for the merchant, or none. */
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
import { joinTexts } from "../../../src/foundation/text.ts";
import { parseToml } from "../../../src/foundation/toml.ts";
import { UsageError } from "../../exit.ts";
import { nameOf, readBytes, readText } from "../../input.ts";
import { type ProgramIo, printNote } from "../../io.ts";
import { dayText } from "../../../src/operations/view.ts";
import { askColumns, type TableFiles } from "./ask-columns.ts";
import { type ColumnFlags, mapOfFlags } from "./column-flags.ts";

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
