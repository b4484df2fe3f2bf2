/** Cached answers of the EU registry, encrypted because they contain names and addresses. */
import type { Insertable, Selectable } from "kysely";
import type { TaxAnswerTable } from "../database/schema.ts";
import { findAuditKey } from "../journal/audit-key.ts";
import type { KeyedSession, Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import { changeRows } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";
import { hashNumber } from "./customers.ts";

export type TaxAnswerRow = Selectable<TaxAnswerTable>;

/** Where an answer is. */
type AnswerKey = Pick<TaxAnswerRow, "country" | "hash">;

const selectRow = statement<AnswerKey>()((db, p) =>
  db.selectFrom("tax_answers").selectAll().where("country", "=", p.country).where("hash", "=", p.hash),
);

export async function findTaxAnswer(
  session: KeyedSession,
  by: { country: string; code: string },
): Promise<TaxAnswerRow | undefined> {
  const hash = hashNumber(await findAuditKey(session), by);
  return session.first(selectRow, { country: by.country, hash });
}

/** Inserts an answer, or replaces an older one about the same number. */
export const upsertTaxAnswer = changeRows<Insertable<TaxAnswerTable>>()((db, p) =>
  db
    .insertInto("tax_answers")
    .values({ country: p.country, hash: p.hash, sealed: p.sealed, checked_at: p.checked_at })
    .onConflict((conflict) =>
      conflict.columns(["country", "hash"]).doUpdateSet({ sealed: p.sealed, checked_at: p.checked_at }),
    ),
);

const selectOld = statement<{ before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("tax_answers")
    .select(["country", "hash"])
    .where("checked_at", "<", p.before)
    .orderBy("checked_at")
    .limit(p.limit),
);
const deleteRow = statement<AnswerKey>()((db, p) =>
  db.deleteFrom("tax_answers").where("country", "=", p.country).where("hash", "=", p.hash),
);

/** Deletes up to `limit` answers given before `before`; returns how many. */
export async function deleteTaxAnswersBefore(
  trx: Transaction,
  before: string,
  limit: number,
): Promise<number> {
  const rows = await trx.all(selectOld, { before, limit });
  for (const row of rows) await trx.run(deleteRow, row);
  return rows.length;
}

/** The keys of the answers about any of the numbers. Reads the keys of all, which are those of a day. */
async function findKeysOf(session: Session, hashes: readonly string[]): Promise<AnswerKey[]> {
  const keys = await session.query((db) => db.selectFrom("tax_answers").select(["country", "hash"]));
  return keys.filter(({ hash }) => hashes.includes(hash));
}

/** The number of answers about numbers with any of the hashes. */
export async function countTaxAnswers(session: Session, hashes: readonly string[]): Promise<number> {
  return (await findKeysOf(session, hashes)).length;
}

/** Deletes the answers about numbers with any of the hashes; returns how many. */
export async function deleteTaxAnswers(trx: Transaction, hashes: readonly string[]): Promise<number> {
  const rows = await findKeysOf(trx, hashes);
  for (const row of rows) await trx.run(deleteRow, row);
  return rows.length;
}
