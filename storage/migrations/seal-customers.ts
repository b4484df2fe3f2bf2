/** Fills the hashes of customers' numbers that schema 3 adds, from what is sealed and from the table that held the numbers in clear. */
import { sql } from "kysely";
import type { Session } from "../database/session.ts";
import { written } from "../database/queries.ts";
import { MasterKeyError } from "../database/errors.ts";
import { placeOf } from "../encryption/cipher.ts";
import { createKeyRing, type ReadMasterKeys } from "../encryption/key-ring.ts";
import { placeIn } from "../encryption/sealed.ts";
import type { AuditKey } from "../journal/audit-key.ts";
import { hashNumber } from "../merchants/customers.ts";

const ROWS = 500;

/**
 * Runs in the transaction of the migration. What no key opens is left without a hash, as it is without a name. Throws
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
  await session.query(written(sql`drop table customers_in_clear`));
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
  const rows = await session.query(written(sql<OldRow>`select * from customers_in_clear`));
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
