/** The column map that is remembered for a merchant: later files of the merchant are read with it. */
import { deleteColumnMapRow, findColumnMapRow, keepColumnMapRow } from "../../storage/column-maps.ts";
import type { Context } from "../journal/context.ts";
import { readJson } from "../foundation/json.ts";
import { type ColumnMap, parseColumnMap } from "./column-map.ts";

export interface KeptMap {
  map: ColumnMap;
  /** When it was remembered: an instant in UTC. */
  updated: string;
}

/** Undefined where none is remembered. Throws `validation_failed` where an older version knew columns that this one does not. */
export async function findKeptMap(context: Context, merchantId: string): Promise<KeptMap | undefined> {
  const row = await findColumnMapRow(context.store.read, merchantId);
  if (row === undefined) return undefined;
  return { map: parseColumnMap(readJson<Record<string, unknown>>(row.map_json)), updated: row.updated_at };
}

/** Remembers `map` for the merchant, in the place of an older one. */
export async function keepMap(context: Context, merchantId: string, map: ColumnMap): Promise<void> {
  await context.store.write((trx) =>
    keepColumnMapRow(trx, { merchant_id: merchantId, map_json: JSON.stringify(map), updated_at: trx.now }),
  );
}

/** Forgets the merchant's map; false where there was none. */
export function forgetMap(context: Context, merchantId: string): Promise<boolean> {
  return context.store.write((trx) => deleteColumnMapRow(trx, merchantId));
}
