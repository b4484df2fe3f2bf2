/** Settings of merchants by mode, read together with the merchant; letterheads, each content stored once and never changed; and column maps. */
import { sql, type Selectable } from "kysely";
import { perEngine } from "../database/dialect.ts";
import type { MerchantRow } from "./merchants.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { firstRow, changeRows, changesRow } from "../database/queries.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";
import type { ColumnMapTable } from "../database/schema.ts";

/** A merchant with its settings and letterhead of one mode. Both are null until there are some. */
export type IssuingMerchantRow = MerchantRow & {
  settings_json: string | null;
  letterhead_id: number | null;
};

const upsert = statement<{ merchantId: string; mode: Mode; settingsJson: string }>()((db, p) =>
  db
    .insertInto("merchant_settings")
    .values({
      merchant_id: p.merchantId,
      mode: p.mode,
      settings_json: p.settingsJson,
      letterhead_id: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["merchant_id", "mode"])
        .doUpdateSet({ settings_json: p.settingsJson, letterhead_id: null }),
    ),
);
const clearLetterheads = statement<{ merchantId: string }>()((db, p) =>
  db.updateTable("merchant_settings").set({ letterhead_id: null }).where("merchant_id", "=", p.merchantId),
);

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

/** Replaces the merchant's settings for the mode; the next document gets a new letterhead. */
export async function saveSettings(
  trx: Transaction,
  settings: { merchantId: string; mode: Mode; settingsJson: string },
): Promise<void> {
  trx.outdate();
  await trx.run(upsert, settings);
}

/** Gives the next document of either mode a new letterhead. */
export async function outdateLetterheads(trx: Transaction, merchantId: string): Promise<void> {
  trx.outdate();
  await trx.run(clearLetterheads, { merchantId });
}

const ON_ISSUE = perEngine({
  sqlite: sql<string | null>`settings_json ->> '$.on_issue'`,
  postgres: sql<string | null>`settings_json::json ->> 'on_issue'`,
});

/** The ids of merchants whose documents are mailed when they are issued. Needed for every document, and so remembered. */
export function findMailingMerchants(trx: Transaction, mode: Mode): Promise<ReadonlySet<string>> {
  return trx.remember(`mailing ${mode}`, async () => {
    const rows = await trx.query((db) =>
      db
        .selectFrom("merchant_settings")
        .select("merchant_id")
        .where("mode", "=", mode)
        .where(ON_ISSUE, "=", "mail"),
    );
    return new Set(rows.map(({ merchant_id: id }) => id));
  });
}

const CLOSED_UNTIL = perEngine({
  sqlite: sql<string | null>`settings_json ->> '$.closed_until'`,
  postgres: sql<string | null>`settings_json::json ->> 'closed_until'`,
});

/** The days until which merchants have closed their books, by their ids. */
export async function findClosedDays(session: Session, mode: Mode): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query((db) =>
    db
      .selectFrom("merchant_settings")
      .select(["merchant_id", CLOSED_UNTIL.as("closed")])
      .where("mode", "=", mode),
  );
  return new Map(rows.flatMap(({ merchant_id: id, closed }) => (closed === null ? [] : [[id, closed]])));
}

const insertRow = statement<{ digest: Uint8Array; contentJson: string }>()((db, p) =>
  db
    .insertInto("letterheads")
    .values({ digest: p.digest, content_json: p.contentJson })
    .onConflict((conflict) => conflict.column("digest").doNothing()),
);
const selectByDigest = statement<{ digest: Uint8Array }>()((db, p) =>
  db.selectFrom("letterheads").select("id").where("digest", "=", p.digest),
);
const selectContent = statement<{ id: number }>()((db, p) =>
  db.selectFrom("letterheads").select("content_json").where("id", "=", p.id),
);
const setCurrent = statement<{ merchantId: string; mode: Mode; letterheadId: number }>()((db, p) =>
  db
    .insertInto("merchant_settings")
    .values({ merchant_id: p.merchantId, mode: p.mode, settings_json: "{}", letterhead_id: p.letterheadId })
    .onConflict((conflict) =>
      conflict.columns(["merchant_id", "mode"]).doUpdateSet({ letterhead_id: p.letterheadId }),
    ),
);

/** Inserts `contentJson` if it is new, makes it the merchant's current letterhead in the mode, and returns its id. */
export async function insertLetterhead(
  trx: Transaction,
  letterhead: { merchantId: string; mode: Mode; digest: Uint8Array; contentJson: string },
): Promise<number> {
  const { merchantId, mode, digest } = letterhead;
  await trx.run(insertRow, letterhead);
  const row = await trx.first(selectByDigest, { digest });
  if (row === undefined) throw new Error("A letterhead that was just stored is not there");
  trx.outdate();
  await trx.run(setCurrent, { merchantId, mode, letterheadId: row.id });
  return row.id;
}

/** The content as JSON text. */
export async function findLetterhead(session: Session, id: number): Promise<string | undefined> {
  return (await session.first(selectContent, { id }))?.content_json;
}

type ColumnMapRow = Selectable<ColumnMapTable>;

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
