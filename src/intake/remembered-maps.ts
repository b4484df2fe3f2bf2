/** Stores one column map per merchant, with which its later files are read. */
import {
  deleteColumnMapRow,
  findColumnMapRow,
  upsertColumnMapRow,
} from "../../storage/merchants/column-maps.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { type ColumnMap, parseColumnMap } from "./column-map.ts";

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
