/** Column maps for a merchant's import files; each merchant has at most one. */
import type { Selectable } from "kysely";
import type { ColumnMapTable } from "../database/schema.ts";
import { changeRows, changesRow, firstRow } from "../database/queries.ts";

export type ColumnMapRow = Selectable<ColumnMapTable>;

export const findColumnMapRow = firstRow<{ merchantId: string }>()((db, p) =>
  db.selectFrom("column_maps").selectAll().where("merchant_id", "=", p.merchantId),
);

/** Inserts the merchant's map, or replaces it. */
export const upsertColumnMapRow = changeRows<ColumnMapRow>()((db, p) =>
  db
    .insertInto("column_maps")
    .values({ merchant_id: p.merchant_id, map_json: p.map_json, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column("merchant_id").doUpdateSet({ map_json: p.map_json, updated_at: p.updated_at }),
    ),
);

/** Returns false if the merchant had none. */
export const deleteColumnMapRow = changesRow<{ merchantId: string }>()((db, p) =>
  db.deleteFrom("column_maps").where("merchant_id", "=", p.merchantId),
);
