/** The sandbox's ledger of filed documents. As at the authority, the same uid can be filed more than once. */
import type { Insertable, Selectable } from "kysely";
import type { SandboxFilingTable } from "./schema.ts";
import { sortById } from "./lists.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type SandboxFilingRow = Selectable<SandboxFilingTable>;

const insertRow = statement<Omit<Insertable<SandboxFilingTable>, "id">>()((db, p) =>
  db
    .insertInto("sandbox_filings")
    .values({
      uid: p.uid,
      document_id: p.document_id,
      filed_at: p.filed_at,
      mark_at: p.mark_at,
      cancelled_at: p.cancelled_at,
    })
    .returningAll(),
);
const selectByUid = statement<{ uid: string }>()((db, p) =>
  db.selectFrom("sandbox_filings").selectAll().where("uid", "=", p.uid),
);
const selectById = statement<{ id: number }>()((db, p) =>
  db.selectFrom("sandbox_filings").selectAll().where("id", "=", p.id),
);
const cancelRow = statement<{ id: number; at: string }>()((db, p) =>
  db
    .updateTable("sandbox_filings")
    .set({ cancelled_at: p.at })
    .where("id", "=", p.id)
    .where("cancelled_at", "is", null),
);

export async function insertSandboxFiling(
  trx: Transaction,
  filing: Omit<SandboxFilingRow, "id" | "cancelled_at">,
): Promise<SandboxFilingRow> {
  const row = await trx.first(insertRow, { ...filing, cancelled_at: null });
  if (row === undefined) throw new Error("A filing was not stored");
  return row;
}

/** The filings of a uid, oldest first. */
export async function findSandboxFilings(session: Session, uid: string): Promise<SandboxFilingRow[]> {
  return sortById(await session.all(selectByUid, { uid }));
}

export function findSandboxFiling(session: Session, id: number): Promise<SandboxFilingRow | undefined> {
  return session.first(selectById, { id });
}

/** Returns false if it was cancelled before. */
export async function cancelSandboxFiling(trx: Transaction, id: number, at: string): Promise<boolean> {
  return (await trx.run(cancelRow, { id, at })) === 1;
}
