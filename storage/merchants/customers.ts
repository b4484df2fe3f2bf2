/**
 * The customers of merchants, and what the EU registry answers about their numbers: cached answers, and lookups of the numbers of
 * documents (docs/contract.md#numbers-of-eu-customers). Numbers, names and addresses are encrypted; numbers are found by keyed hashes.
 */
import { sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import { changeRows, deleteRow, findRow, updateRow, upsertRow } from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { KeyedSession, Session } from "../database/session.ts";
import { workTable } from "../database/work.ts";
import type { SharesRow } from "../documents/dated-documents.ts";
import { type AuditKey, findAuditKey } from "../encryption/key-ring.ts";
import type { Mode } from "../stored-values.ts";

export type CustomerRow = Row<"customers">;

export type CustomerKey = Pick<CustomerRow, (typeof CUSTOMER_KEY)[number]>;

const CUSTOMER_KEY = ["merchant_id", "mode", "country", "hash"] as const;

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

/** Stores the newest mail to a customer. Does nothing if the customer is not remembered. */
export const setCustomerMail = updateRow("customers", CUSTOMER_KEY, ["mail_id"]);

export const deleteCustomerRow = deleteRow("customers", CUSTOMER_KEY);

export const findCustomerRow = findRow("customers", CUSTOMER_KEY);

/** The customers of one merchant or of all; those used last come first. */
export function findCustomerRows(
  session: Session,
  { merchantId, mode, limit }: { merchantId?: string | undefined; mode: Mode; limit: number },
): Promise<CustomerRow[]> {
  return session.query((db) => {
    const query = db.selectFrom("customers").selectAll().where("mode", "=", mode).limit(limit);
    return merchantId === undefined
      ? query.orderBy("last_used", "desc")
      : query.where("merchant_id", "=", merchantId).orderBy("last_used", "desc").orderBy("hash", "desc");
  });
}

export const upsertCustomerRow = upsertRow("customers", CUSTOMER_KEY);

/** Deletes the customers with any of the hashes, of all merchants, countries and modes; returns how many. */
export const deleteCustomers = changeRows<{ hashes: readonly string[] }>()((db, p) =>
  db.deleteFrom("customers").where("hash", "in", textsIn(p.hashes)),
);

type TaxAnswerRow = Row<"tax_answers">;

const findAnswer = findRow("tax_answers", ["country", "hash"]);

export async function findTaxAnswer(
  session: KeyedSession,
  by: { country: string; code: string },
): Promise<TaxAnswerRow | undefined> {
  const hash = hashNumber(await findAuditKey(session), by);
  return findAnswer(session, { country: by.country, hash });
}

export const upsertTaxAnswer = upsertRow("tax_answers", ["country", "hash"]);

/** Deletes up to `limit` answers given before `before`; returns how many. */
export const deleteTaxAnswersBefore = changeRows<{ before: string; limit: number }>()((db, p) =>
  db
    .deleteFrom("tax_answers")
    .where(
      sql<boolean>`(country, hash) in (select country, hash from tax_answers where checked_at < ${p.before} order by checked_at limit ${p.limit})`,
    ),
);

/** Deletes the answers about numbers with any of the hashes; returns how many. Reads all, which are those of a day. */
export const deleteTaxAnswers = changeRows<{ hashes: readonly string[] }>()((db, p) =>
  db.deleteFrom("tax_answers").where("hash", "in", textsIn(p.hashes)),
);

export type ViesCheckRow = Row<"vies_checks">;

export const viesCheckWork = workTable<ViesCheckRow>("vies_checks", { key: ["document_id"] });

/** Undefined for a document whose customer's number is not looked up. */
export const findViesCheck = findRow("vies_checks", ["document_id"]);

/** Issued documents that are not cancelled, counted by merchant and customer, to numbers that the registry calls invalid. */
export function countInvalidNumbers(
  session: Session,
  { mode, from, through }: { mode: Mode; from: string; through: string },
): Promise<InvalidNumber[]> {
  return session.query((db) =>
    db
      .selectFrom("vies_checks")
      .innerJoin("documents", "documents.id", "vies_checks.document_id")
      .select("merchant_id")
      .select(sql<string | null>`customer_country || customer_hash`.as("customer"))
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("valid", "=", sql.lit(0))
      .where("mode", "=", mode)
      .where("issue_date", ">=", from)
      .where("issue_date", "<=", through)
      .where("status", "=", "issued")
      .where("cancelled_at", "is", null)
      .groupBy(["merchant_id", "customer_country", "customer_hash"]),
  );
}

export type InvalidNumber = Pick<SharesRow, "merchant_id" | "customer"> & { count: number };
