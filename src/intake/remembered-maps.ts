/** Stores one column map per merchant, with which its later files are read, and adds answers to it. */
import {
  deleteColumnMapRow,
  findColumnMapRow,
  upsertColumnMapRow,
} from "../../storage/merchants/merchant-settings.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { type ColumnMap, parseColumnMap } from "./column-map.ts";
import type { ColumnName } from "./table-fields.ts";
import { foldName } from "./table-columns.ts";

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
