/**
 * Gives lists with several filters their own indexes (document-lists.ts) and provider calls one write, and seals the numbers of
 * customers: `sealCustomers` fills the columns that these statements leave empty, and drops `customers_in_clear`.
 */
import { type Kysely, sql } from "kysely";
import type { Session } from "../database/session.ts";
import { MasterKeyError } from "../database/errors.ts";
import { placeOf } from "../encryption/cipher.ts";
import { type AuditKey, createKeyRing, type ReadMasterKeys } from "../encryption/key-ring.ts";
import { placeIn } from "../encryption/sealed.ts";
import { hashNumber } from "../merchants/customers.ts";

export const STATEMENTS = [
  // These two have taken the place of two with one filter each.
  "create index documents_by_kind on documents (mode, type, provider, status, id)",
  "create index documents_by_merchant_kind on documents (merchant_id, mode, type, provider, status, id)",
  "drop index documents_by_type",
  "drop index documents_by_provider",
  "create index requests_by_operation_status on requests (mode, operation_id, status, id) where operation_id is not null",
  "drop index customers_by_use",
  "drop index customers_by_code",
  "alter table customers rename to customers_in_clear",
  `create table customers (
    merchant_id text not null references merchants (id),
    mode text not null check (mode in ('test', 'live')),
    country text not null,
    hash text not null,
    sealed blob not null,
    last_used text not null,
    mail_id text references mails (id),
    primary key (merchant_id, mode, country, hash)
  ) strict, without rowid`,
  "create index customers_by_use on customers (merchant_id, mode, last_used, hash)",
  // For searching the customers of all merchants.
  "create index customers_by_mode on customers (mode, last_used)",
  // For erasing a number.
  "create index customers_by_hash on customers (hash)",
  "alter table documents add column customer_country text",
  "alter table documents add column customer_hash text",
  "create index documents_by_customer on documents (customer_hash, mode, id) where customer_hash is not null",
  // Covers the totals of a day, and those of a month by merchant.
  "drop index documents_by_day",
  `create index documents_by_day on documents (mode, issue_date, type, merchant_id, vat, cancellation_mark)
    where phase = 'issued'`,
  // Null in documents of an earlier version until the program is started.
  "alter table documents add column shares_json text",
  "create index documents_without_shares on documents (id) where shares_json is null",
  // People search by amount.
  "create index documents_by_gross on documents (mode, gross, id)",
  // The console sorts a merchant's documents.
  "create index documents_by_merchant_date on documents (merchant_id, mode, issue_date, id)",
  "create index documents_by_merchant_gross on documents (merchant_id, mode, gross, id)",
  "alter table sandbox_filings drop column customer_country",
  "alter table sandbox_filings drop column customer_code",
  // A cache.
  "drop table tax_answers",
  `create table tax_answers (
    country text not null,
    hash text not null,
    sealed blob not null,
    checked_at text not null,
    primary key (country, hash)
  ) strict, without rowid`,
  "create index tax_answers_by_age on tax_answers (checked_at)",
  // Numbers of EU customers to look up; the number itself is in the document's contents.
  `create table vies_checks (
    document_id text primary key references documents (id),
    valid integer check (valid in (0, 1)),
    checked_at text,
    due_at text,
    tries integer not null default 0,
    lease_owner text
  ) strict, without rowid`,
  "create index vies_checks_due on vies_checks (due_at) where due_at is not null",
  "create index vies_checks_invalid on vies_checks (document_id) where valid = 0",
  // A call has a row only once it has ended.
  "drop index provider_calls_open",
  "alter table provider_calls drop column open",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const ROWS = 500;

/**
 * Fills the hashes of customers' numbers from what is sealed and from the table that held the numbers in clear. Runs in the transaction of the migration. What no key opens is left without a hash, as it is without a name. Throws
 * MasterKeyError if the key of the database is missing.
 */
export async function sealCustomers(session: Session, readKeys: ReadMasterKeys | undefined): Promise<void> {
  const [head] = await session.query((db) =>
    db.selectFrom("appliance").select(["key_check", "audit_key"]).where("id", "=", 1),
  );
  if (head !== undefined) {
    if (readKeys === undefined) throw new MasterKeyError();
    const ring = createKeyRing(readKeys);
    ring.follow(head.key_check);
    const work = { session, ring, auditKey: ring.openAuditKey(head.audit_key) };
    await sealRemembered(work);
    await hashDocuments(work);
  }
  await session.query(() => sql`drop table customers_in_clear`);
}

interface Work {
  session: Session;
  ring: ReturnType<typeof createKeyRing>;
  auditKey: AuditKey;
}

interface OldRow {
  merchant_id: string;
  mode: "test" | "live";
  country: string;
  code: string;
  sealed: Uint8Array;
  last_used: string;
  mail_id: string | null;
}

async function sealRemembered({ session, ring, auditKey }: Work): Promise<void> {
  const rows = await session.query(() => sql<OldRow>`select * from customers_in_clear`);
  for (const { code, sealed, ...row } of rows) {
    const { merchant_id, mode, country } = row;
    const opened = ring.open(placeOf("customers", "sealed", [merchant_id, mode, country, code]), sealed);
    if (opened === undefined) continue;
    const details = { ...(JSON.parse(opened.toString("utf8")) as object), code };
    const hash = hashNumber(auditKey, { country, code });
    const place = placeIn("customers", merchant_id, mode, country, hash);
    const values = { ...row, hash, sealed: ring.seal(place, JSON.stringify(details)) };
    await session.query((db) =>
      db
        .insertInto("customers")
        .values(values)
        .onConflict((conflict) => conflict.doNothing()),
    );
  }
}

async function hashDocuments({ session, ring, auditKey }: Work): Promise<void> {
  let after = "";
  for (;;) {
    const rows = await session.query((db) =>
      db
        .selectFrom("document_inputs")
        .select(["document_id", "sealed"])
        .where("document_id", ">", after)
        .orderBy("document_id")
        .limit(ROWS),
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    for (const { document_id: id, sealed } of rows) {
      const opened = ring.open(placeIn("document_inputs", id), sealed);
      if (opened === undefined) continue;
      const { customer } = JSON.parse(opened.toString("utf8")) as Contents;
      if (customer === undefined) continue;
      const { country } = customer.tax_id;
      const values = { customer_country: country, customer_hash: hashNumber(auditKey, customer.tax_id) };
      await session.query((db) => db.updateTable("documents").set(values).where("id", "=", id));
    }
    after = last.document_id;
  }
}

interface Contents {
  customer?: { tax_id: { country: string; code: string } };
}
