/** Column maps for a merchant's import files; each merchant has at most one. */
import type { Selectable } from "kysely";
import type { ColumnMapTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type ColumnMapRow = Selectable<ColumnMapTable>;

const selectRow = statement<{ merchantId: string }>()((db, p) =>
  db.selectFrom("column_maps").selectAll().where("merchant_id", "=", p.merchantId),
);
const upsertRow = statement<ColumnMapRow>()((db, p) =>
  db
    .insertInto("column_maps")
    .values({ merchant_id: p.merchant_id, map_json: p.map_json, updated_at: p.updated_at })
    .onConflict((conflict) =>
      conflict.column("merchant_id").doUpdateSet({ map_json: p.map_json, updated_at: p.updated_at }),
    ),
);
const deleteRow = statement<{ merchantId: string }>()((db, p) =>
  db.deleteFrom("column_maps").where("merchant_id", "=", p.merchantId),
);

export function findColumnMapRow(session: Session, merchantId: string): Promise<ColumnMapRow | undefined> {
  return session.first(selectRow, { merchantId });
}

/** Inserts the merchant's map, or replaces it. */
export async function upsertColumnMapRow(trx: Transaction, row: ColumnMapRow): Promise<void> {
  await trx.run(upsertRow, row);
}

/** Returns false if the merchant had none. */
export async function deleteColumnMapRow(trx: Transaction, merchantId: string): Promise<boolean> {
  return (await trx.run(deleteRow, { merchantId })) > 0;
}
