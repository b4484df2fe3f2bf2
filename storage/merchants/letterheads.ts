/** Letterheads: the merchant's details printed on documents. Each content is stored once, and never changed. */
import type { Session } from "../database/session.ts";
import type { Mode } from "../stored-values.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

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
