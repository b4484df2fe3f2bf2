/** The customers of merchants. Names and addresses are encrypted. */
import type { Selectable } from "kysely";
import type { CustomerTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type CustomerRow = Selectable<CustomerTable>;

/** Where a customer is. */
export type CustomerKey = Pick<CustomerRow, "merchant_id" | "mode" | "country" | "code">;

const selectRow = statement<CustomerKey>()((db, p) =>
  db
    .selectFrom("customers")
    .selectAll()
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("code", "=", p.code),
);
const selectLatest = statement<{ merchantId: string; mode: Mode; limit: number }>()((db, p) =>
  db
    .selectFrom("customers")
    .selectAll()
    .where("merchant_id", "=", p.merchantId)
    .where("mode", "=", p.mode)
    .orderBy("last_used", "desc")
    .orderBy("code", "desc")
    .limit(p.limit),
);
const upsertRow = statement<Omit<CustomerRow, "mail_id">>()((db, p) =>
  db
    .insertInto("customers")
    .values({
      merchant_id: p.merchant_id,
      mode: p.mode,
      country: p.country,
      code: p.code,
      sealed: p.sealed,
      last_used: p.last_used,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["merchant_id", "mode", "country", "code"])
        .doUpdateSet({ sealed: p.sealed, last_used: p.last_used }),
    ),
);
const updateMail = statement<CustomerKey & { mailId: string }>()((db, p) =>
  db
    .updateTable("customers")
    .set({ mail_id: p.mailId })
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("code", "=", p.code),
);
const deleteRow = statement<CustomerKey>()((db, p) =>
  db
    .deleteFrom("customers")
    .where("merchant_id", "=", p.merchant_id)
    .where("mode", "=", p.mode)
    .where("country", "=", p.country)
    .where("code", "=", p.code),
);

export function findCustomerRow(session: Session, by: CustomerKey): Promise<CustomerRow | undefined> {
  return session.first(selectRow, by);
}

/** The customers used last come first. */
export function findCustomerRows(
  session: Session,
  by: { merchantId: string; mode: Mode; limit: number },
): Promise<CustomerRow[]> {
  return session.all(selectLatest, by);
}

export async function upsertCustomerRow(trx: Transaction, row: Omit<CustomerRow, "mail_id">): Promise<void> {
  await trx.run(upsertRow, row);
}

/** Stores the newest mail to a customer. Does nothing if the customer is not remembered. */
export async function setCustomerMail(trx: Transaction, key: CustomerKey, mailId: string): Promise<void> {
  await trx.run(updateMail, { ...key, mailId });
}

/** Returns false if there was none. */
export async function deleteCustomerRow(trx: Transaction, by: CustomerKey): Promise<boolean> {
  return (await trx.run(deleteRow, by)) > 0;
}

function findKeysOf(session: Session, codes: readonly string[]): Promise<CustomerKey[]> {
  return session.query((db) =>
    db.selectFrom("customers").select(["merchant_id", "mode", "country", "code"]).where("code", "in", codes),
  );
}

/** The number of customers with any of the numbers, of all merchants, countries and modes. */
export async function countCustomers(session: Session, codes: readonly string[]): Promise<number> {
  return (await findKeysOf(session, codes)).length;
}

/** Deletes the customers with any of the numbers; returns how many. */
export async function deleteCustomers(trx: Transaction, codes: readonly string[]): Promise<number> {
  const keys = await findKeysOf(trx, codes);
  for (const key of keys) await trx.run(deleteRow, key);
  return keys.length;
}
