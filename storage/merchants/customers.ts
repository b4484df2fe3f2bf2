/** The customers of merchants, and cached answers of the EU registry. Numbers, names and addresses are encrypted; numbers are found by keyed hashes. */
import type { Selectable, Insertable } from "kysely";
import type { CustomerTable, TaxAnswerTable } from "../database/schema.ts";
import type { Session, KeyedSession } from "../database/session.ts";
import { type AuditKey, findAuditKey } from "../journal/audit-key.ts";
import { statement } from "../database/statement.ts";
import { changeRows, changesRow, firstRow } from "../database/queries.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type CustomerRow = Selectable<CustomerTable>;

/** Where a customer is. */
export type CustomerKey = Pick<CustomerRow, "merchant_id" | "mode" | "country" | "hash">;

const GREEK_PREFIX = "EL";
const HASH_BYTES = 16;

/**
 * The keyed hash of a tax number, the same with and without the prefix of its country. It says nothing about the number without the
 * audit key, which stays the same when the master key is replaced.
 */
export function hashNumber(auditKey: AuditKey, { country, code }: { country: string; code: string }): string {
  const prefixes = country === "GR" ? [country, GREEK_PREFIX] : [country];
  const prefix = prefixes.find((one) => code.startsWith(one) && code.length > one.length) ?? "";
  const bytes = auditKey.authenticate("tax number ", code.slice(prefix.length));
  return bytes.subarray(0, HASH_BYTES).toString("base64url");
}

const selectLatest = statement<{ merchantId: string; mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("customers")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("mode", "=", p.mode)
    .orderBy("last_used", "desc")
    .orderBy("hash", "desc")
    .limit(p.limit),
);
const selectLatestOfAll = statement<{ mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("customers")
    .selectAll()
    .where("mode", "=", p.mode)
    .orderBy("last_used", "desc")
    .limit(p.limit),
);

/** Stores the newest mail to a customer. Does nothing if the customer is not remembered. */
export const setCustomerMail = changeRows<CustomerKey & { mailId: string }>()((db, p) =>
  db
    .updateTable("customers")
    .set({ mail_id: p.mailId })
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("hash", "=", p.hash),
);

/** Returns false if there was none. */
export const deleteCustomerRow = changesRow<CustomerKey>()((db, p) =>
  db
    .deleteFrom("customers")
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("hash", "=", p.hash),
);

export const findCustomerRow = firstRow<CustomerKey>()((db, p) =>
  db
    .selectFrom("customers")
    .selectAll()
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("hash", "=", p.hash),
);

/** The customers of one merchant or of all; those used last come first. */
export function findCustomerRows(
  session: Session,
  { merchantId, mode, limit }: { merchantId?: string | undefined; mode: Mode; limit: number },
): Promise<CustomerRow[]> {
  return merchantId === undefined
    ? session.all(selectLatestOfAll, { mode, limit })
    : session.all(selectLatest, { merchantId, mode, limit });
}

export const upsertCustomerRow = changeRows<Omit<CustomerRow, "mail_id">>()((db, p) =>
  db
    .insertInto("customers")
    .values({
      merchant_id: p.merchant_id,
      mode: p.mode,
      country: p.country,
      hash: p.hash,
      sealed: p.sealed,
      last_used: p.last_used,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["merchant_id", "mode", "country", "hash"])
        .doUpdateSet({ sealed: p.sealed, last_used: p.last_used }),
    ),
);

function findKeysOf(session: Session, hashes: readonly string[]): Promise<CustomerKey[]> {
  return session.query((db) =>
    db.selectFrom("customers").select(["merchant_id", "mode", "country", "hash"]).where("hash", "in", hashes),
  );
}

/** The number of customers with any of the hashes, of all merchants, countries and modes. */
export async function countCustomers(session: Session, hashes: readonly string[]): Promise<number> {
  return (await findKeysOf(session, hashes)).length;
}

/** Deletes the customers with any of the hashes; returns how many. */
export async function deleteCustomers(trx: Transaction, hashes: readonly string[]): Promise<number> {
  const keys = await findKeysOf(trx, hashes);
  for (const key of keys) await deleteCustomerRow(trx, key);
  return keys.length;
}

type TaxAnswerRow = Selectable<TaxAnswerTable>;

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
async function findAnswerKeys(session: Session, hashes: readonly string[]): Promise<AnswerKey[]> {
  const keys = await session.query((db) => db.selectFrom("tax_answers").select(["country", "hash"]));
  return keys.filter(({ hash }) => hashes.includes(hash));
}

/** The number of answers about numbers with any of the hashes. */
export async function countTaxAnswers(session: Session, hashes: readonly string[]): Promise<number> {
  return (await findAnswerKeys(session, hashes)).length;
}

/** Deletes the answers about numbers with any of the hashes; returns how many. */
export async function deleteTaxAnswers(trx: Transaction, hashes: readonly string[]): Promise<number> {
  const rows = await findAnswerKeys(trx, hashes);
  for (const row of rows) await trx.run(deleteRow, row);
  return rows.length;
}
