/** Which column map a run reads its tables with: that of a file, the one remembered for the merchant, or none. */
import type { Appliance } from "../../../src/appliance.ts";
import { type ColumnMap, namesOf, parseColumnMap } from "../../../src/intake/column-map.ts";
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import { findRememberedMap, rememberMap } from "../../../src/intake/remembered-maps.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { parseToml } from "../../../src/foundation/toml.ts";
import { UsageError } from "../../exit.ts";
import { nameOf, readBytes, readText } from "../../input.ts";
import { type ProgramIo, tell } from "../../io.ts";

export interface MapOptions {
  /** A TOML file; false for none at all, undefined for the remembered one. */
  map?: string | false;
  rememberMap?: boolean;
  dryRun?: boolean;
}

/** The map of `file`. What is wrong with it is a usage error that names the file and each place. */
export async function readMapFile(io: ProgramIo, file: string): Promise<ColumnMap> {
  const name = nameOf(file);
  const text = await readText(readBytes(io, file), name);
  try {
    return parseColumnMap(parseToml(text));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** `given` (of `--map`), remembered where asked to, or the map remembered for the merchant. Says which, and what is remembered. */
export async function namesFor(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  given: ColumnMap | undefined,
  options: MapOptions,
): Promise<ForeignNames | undefined> {
  if (given !== undefined) {
    if (options.rememberMap === true) await remember(io, appliance, merchant, given, options);
    return namesOf(given);
  }
  if (options.map === false) return undefined;
  const kept = await findRememberedMap(appliance, merchant.id);
  if (kept === undefined) return undefined;
  const since = kept.updated.slice(0, 10);
  await tell(
    io,
    `The column map remembered for ${merchant.external_id} (${since}) is used; --no-map reads without it.`,
  );
  return namesOf(kept.map);
}

async function remember(
  io: ProgramIo,
  appliance: Appliance,
  merchant: MerchantObject,
  map: ColumnMap,
  options: MapOptions,
): Promise<void> {
  if (options.dryRun === true) return tell(io, "The column map is not remembered: a dry run stores nothing.");
  await rememberMap(appliance, merchant.id, map);
  await tell(io, `The column map is remembered for ${merchant.external_id}: later files are read with it.`);
}
