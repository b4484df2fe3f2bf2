/** Encrypted bodies of provider calls and API requests, in their own table. */
import type { Selectable } from "kysely";
import type { BodyTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type BodyRow = Selectable<BodyTable>;

const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("bodies").selectAll().where("id", "=", p.id),
);

export function findBody(session: Session, id: string): Promise<BodyRow | undefined> {
  return session.first(selectById, { id });
}

const updateRow = statement<{ id: string; sealed: Uint8Array }>()((db, p) =>
  db.updateTable("bodies").set({ sealed: p.sealed }).where("id", "=", p.id),
);

export async function replaceBody(trx: Transaction, id: string, sealed: Uint8Array): Promise<void> {
  await trx.run(updateRow, { id, sealed });
}

const deleteRow = statement<{ id: string }>()((db, p) => db.deleteFrom("bodies").where("id", "=", p.id));

export async function deleteBody(trx: Transaction, id: string): Promise<void> {
  await trx.run(deleteRow, { id });
}
