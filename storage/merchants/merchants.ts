/** Inserts, updates, finds and lists merchants. */
import type { Insertable, Selectable } from "kysely";
import { type Slice, applySlice } from "../database/lists.ts";
import type { MerchantTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import { allRows, firstRow } from "../database/queries.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type MerchantRow = Selectable<MerchantTable>;

const insertRow = rowStatement<Insertable<MerchantTable>>()((db, row) =>
  db.insertInto("merchants").values(row).returningAll(),
);
const updateRow = rowStatement<MerchantRow>()((db, { id, ...changes }) =>
  db.updateTable("merchants").set(changes).where("id", "=", id),
);

const selectConnection = statement<{ id: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("connections")
    .select("id")
    .where("merchant_id", "=", p.id)
    .where("mode", "=", p.mode)
    .limit(1),
);
const selectDocument = statement<{ id: string; mode: Mode }>()((db, p) =>
  db.selectFrom("documents").select("id").where("merchant_id", "=", p.id).where("mode", "=", p.mode).limit(1),
);

/** Inserts a merchant and returns its row; the columns left out are null. */
export async function insertMerchant(trx: Transaction, row: Insertable<MerchantTable>): Promise<MerchantRow> {
  trx.outdate();
  return (await trx.first(insertRow, row))!;
}

export async function updateMerchantRow(trx: Transaction, row: MerchantRow): Promise<void> {
  trx.outdate();
  await trx.run(updateRow, row);
}

export const findMerchantRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("merchants").selectAll().where("id", "=", p.id),
);

/** `folded` is the external id with its letter case folded. */
export const findMerchantRowByExternalId = firstRow<{ folded: string }>()((db, p) =>
  db.selectFrom("merchants").selectAll().where("external_id_folded", "=", p.folded),
);

/** Up to `limit` merchants with the tax number, oldest first. */
export const findMerchantRowsByTaxId = allRows<{ taxId: string; limit: number }>()((db, p) =>
  db.selectFrom("merchants").selectAll().where("tax_id", "=", p.taxId).orderBy("id").limit(p.limit),
);

/** Whether the merchant ever had a connection or a document in the mode. */
export async function isUsedInMode(session: Session, id: string, mode: Mode): Promise<boolean> {
  const connection = await session.first(selectConnection, { id, mode });
  return connection !== undefined || (await session.first(selectDocument, { id, mode })) !== undefined;
}

export interface MerchantFilters {
  externalIdFolded?: string | undefined;
  taxId?: string | undefined;
  archived?: boolean | undefined;
}

export function findMerchantSlice(
  session: Session,
  filters: MerchantFilters,
  slice: Slice,
): Promise<MerchantRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("merchants").selectAll();
    if (filters.externalIdFolded !== undefined)
      query = query.where("external_id_folded", "=", filters.externalIdFolded);
    if (filters.taxId !== undefined) query = query.where("tax_id", "=", filters.taxId);
    if (filters.archived !== undefined) query = query.where("archived", "=", filters.archived ? 1 : 0);
    return applySlice(query, slice);
  });
}
