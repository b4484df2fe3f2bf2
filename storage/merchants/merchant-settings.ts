/** Settings of merchants by mode, read together with the merchant. */
import { sql } from "kysely";
import { perEngine } from "../database/dialect.ts";
import type { MerchantRow } from "./merchants.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { firstRow } from "../database/queries.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

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
