/** The problems that were reported by mail and have not ended. */
import type { Selectable } from "kysely";
import type { AlertTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type AlertRow = Selectable<AlertTable>;

const selectAll = statement<object>()((db) => db.selectFrom("alerts").selectAll().orderBy("id"));

export function findAlerts(session: Session): Promise<AlertRow[]> {
  return session.all(selectAll, {});
}

const insertRow = statement<AlertRow>()((db, p) =>
  db.insertInto("alerts").values({
    id: p.id,
    check_name: p.check_name,
    mode: p.mode,
    message_en: p.message_en,
    message_el: p.message_el,
    began_at: p.began_at,
  }),
);

const deleteRow = statement<{ id: string }>()((db, p) => db.deleteFrom("alerts").where("id", "=", p.id));

export async function insertAlert(trx: Transaction, row: AlertRow): Promise<void> {
  await trx.run(insertRow, row);
}

export async function deleteAlert(trx: Transaction, id: string): Promise<void> {
  await trx.run(deleteRow, { id });
}
