/** Cached answers of the EU registry, encrypted because they contain names and addresses. */
import type { Insertable, Selectable } from "kysely";
import type { TaxAnswerTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type TaxAnswerRow = Selectable<TaxAnswerTable>;

const selectRow = statement<{ country: string; code: string }>()((db, p) =>
  db.selectFrom("tax_answers").selectAll().where("country", "=", p.country).where("code", "=", p.code),
);
const upsertRow = statement<Insertable<TaxAnswerTable>>()((db, p) =>
  db
    .insertInto("tax_answers")
    .values({ country: p.country, code: p.code, sealed: p.sealed, checked_at: p.checked_at })
    .onConflict((conflict) =>
      conflict.columns(["country", "code"]).doUpdateSet({ sealed: p.sealed, checked_at: p.checked_at }),
    ),
);

export function findTaxAnswer(
  session: Session,
  by: { country: string; code: string },
): Promise<TaxAnswerRow | undefined> {
  return session.first(selectRow, by);
}

/** Inserts an answer, or replaces an older one about the same number. */
export async function upsertTaxAnswer(trx: Transaction, row: TaxAnswerRow): Promise<void> {
  await trx.run(upsertRow, row);
}

const selectOld = statement<{ before: string; limit: number }>()((db, p) =>
  db
    .selectFrom("tax_answers")
    .select(["country", "code"])
    .where("checked_at", "<", p.before)
    .orderBy("checked_at")
    .limit(p.limit),
);
const deleteRow = statement<{ country: string; code: string }>()((db, p) =>
  db.deleteFrom("tax_answers").where("country", "=", p.country).where("code", "=", p.code),
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

/** The keys of the answers for whose code `isSearched` returns true. Reads the keys of all, which are those of a day. */
async function findKeysOf(
  session: Session,
  isSearched: (code: string) => boolean,
): Promise<{ country: string; code: string }[]> {
  const keys = await session.query((db) => db.selectFrom("tax_answers").select(["country", "code"]));
  return keys.filter(({ code }) => isSearched(code));
}

/** The number of answers for whose code `isSearched` returns true. */
export async function countTaxAnswers(
  session: Session,
  isSearched: (code: string) => boolean,
): Promise<number> {
  return (await findKeysOf(session, isSearched)).length;
}

/** Deletes the answers for whose code `isSearched` returns true; returns how many. */
export async function deleteTaxAnswers(
  trx: Transaction,
  isSearched: (code: string) => boolean,
): Promise<number> {
  const rows = await findKeysOf(trx, isSearched);
  for (const row of rows) await trx.run(deleteRow, row);
  return rows.length;
}
