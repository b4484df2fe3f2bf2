/**
 * Merchants, and what each of them sets: settings by mode, read together with the merchant; letterheads, each content stored once
 * and never changed; and column maps.
 */
import { sql } from "kysely";
import { perEngine } from "../database/dialect.ts";
import { fetchSlice, type Slice } from "../database/lists.ts";
import {
  allRows,
  changeRows,
  deleteRow,
  findRow,
  firstRow,
  hasRow,
  insertRow,
  insertRowOnce,
  outdating,
  upsertRow,
} from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import { rowStatement, type Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";
import type { Mode } from "../stored-values.ts";

export type MerchantRow = Row<"merchants">;

export const insertMerchant = outdating(insertRow("merchants"));

const changeRow = rowStatement<MerchantRow>()((db, { id, ...changes }) =>
  db.updateTable("merchants").set(changes).where("id", "=", id),
);

export const updateMerchantRow = outdating((trx, row: MerchantRow) => trx.run(changeRow, row));

export const findMerchantRow = findRow("merchants", ["id"]);

export const findMerchantRowByExternalId = findRow("merchants", ["external_id_folded"]);

export const findMerchantRowsByTaxId = allRows<{ taxId: string; limit: number }>()((db, p) =>
  db.selectFrom("merchants").selectAll().where("tax_id", "=", p.taxId).orderBy("id").limit(p.limit),
);

/** Whether the merchant ever had a connection or a document in the mode. */
export const isUsedInMode = hasRow<{ id: string; mode: Mode }>()(
  (
    _,
    p,
  ) => sql`select 1 where exists (select 1 from connections where merchant_id = ${p.id} and mode = ${p.mode})
    or exists (select 1 from documents where merchant_id = ${p.id} and mode = ${p.mode})`,
);

export function findMerchantSlice(
  session: Session,
  filters: {
    externalIdFolded?: string | undefined;
    taxId?: string | undefined;
    archived?: boolean | undefined;
  },
  slice: Slice,
): Promise<MerchantRow[]> {
  const { externalIdFolded, taxId, archived } = filters;
  const isArchived = archived === undefined ? undefined : Number(archived);
  const equal = { external_id_folded: externalIdFolded, tax_id: taxId, archived: isArchived };
  return fetchSlice(session, "merchants", { equal }, slice);
}

/** A merchant with its settings and letterhead of one mode. Both are null until there are some. */
export type IssuingMerchantRow = MerchantRow & {
  settings_json: string | null;
  letterhead_id: number | null;
};

export const findIssuingMerchantRow = firstRow<{ id: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("merchants")
    .leftJoin("merchant_settings as settings", (join) =>
      join.onRef("settings.merchant_id", "=", "merchants.id").on("settings.mode", "=", p.mode),
    )
    .selectAll("merchants")
    .select(["settings.settings_json", "settings.letterhead_id"])
    .where("merchants.id", "=", p.id),
);

/** Replaces the merchant's settings for the mode. Without a letterhead, the next document gets a new one. */
export const saveSettings = outdating(upsertRow("merchant_settings", ["merchant_id", "mode"]));

/** Gives the next document of either mode a new letterhead. */
export const outdateLetterheads = outdating(
  changeRows<{ merchantId: string }>()((db, p) =>
    db.updateTable("merchant_settings").set({ letterhead_id: null }).where("merchant_id", "=", p.merchantId),
  ),
);

/** A text in a merchant's settings; null without one. */
const settingNamed = (name: string) =>
  perEngine({
    sqlite: sql<string | null>`settings_json ->> ${sql.lit(`$.${name}`)}`,
    postgres: sql<string | null>`settings_json::json ->> ${sql.lit(name)}`,
  });

/** The ids of merchants whose documents are mailed when they are issued. Needed for every document, and so remembered. */
export function findMailingMerchants(trx: Transaction, mode: Mode): Promise<ReadonlySet<string>> {
  return trx.remember(`mailing ${mode}`, async () => {
    const rows = await trx.query((db) =>
      db
        .selectFrom("merchant_settings")
        .select("merchant_id")
        .where("mode", "=", mode)
        .where(settingNamed("on_issue"), "=", "mail"),
    );
    return new Set(rows.map(({ merchant_id: id }) => id));
  });
}

/** The days until which merchants have closed their books, by their ids. */
export async function findClosedDays(session: Session, mode: Mode): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query((db) =>
    db
      .selectFrom("merchant_settings")
      .select(["merchant_id", settingNamed("closed_until").as("closed")])
      .where("mode", "=", mode),
  );
  return new Map(rows.flatMap(({ merchant_id: id, closed }) => (closed === null ? [] : [[id, closed]])));
}

const insertContent = insertRowOnce("letterheads");

const findByDigest = findRow("letterheads", ["digest"]);

const setCurrent = outdating(
  changeRows<{ merchantId: string; mode: Mode; letterheadId: number }>()((db, p) =>
    db
      .insertInto("merchant_settings")
      .values({
        merchant_id: p.merchantId,
        mode: p.mode,
        settings_json: "{}",
        letterhead_id: p.letterheadId,
      })
      .onConflict((conflict) =>
        conflict.columns(["merchant_id", "mode"]).doUpdateSet({ letterhead_id: p.letterheadId }),
      ),
  ),
);

/** Inserts `contentJson` if it is new, makes it the merchant's current letterhead in the mode, and returns its id. */
export async function insertLetterhead(
  trx: Transaction,
  letterhead: { merchantId: string; mode: Mode; digest: Uint8Array; contentJson: string },
): Promise<number> {
  const { merchantId, mode, digest, contentJson } = letterhead;
  await insertContent(trx, { digest, content_json: contentJson });
  const letterheadId = (await findByDigest(trx, { digest }))?.id;
  if (letterheadId === undefined) throw new Error("A letterhead that was just stored is not there");
  await setCurrent(trx, { merchantId, mode, letterheadId });
  return letterheadId;
}

export const findLetterhead = findRow("letterheads", ["id"]);

export const findColumnMapRow = findRow("column_maps", ["merchant_id"]);

export const upsertColumnMapRow = upsertRow("column_maps", ["merchant_id"]);

export const deleteColumnMapRow = deleteRow("column_maps", ["merchant_id"]);
