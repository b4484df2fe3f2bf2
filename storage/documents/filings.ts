/** Stores what was sent to file a document, encrypted: one row for each document that was sent to a provider. */
import type { Insertable } from "kysely";
import type { FilingTable } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

const upsertRow = rowStatement<Insertable<FilingTable>>()((db, row) =>
  db
    .insertInto("filings")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("document_id").doUpdateSet((eb) => ({ sealed: eb.ref("excluded.sealed") })),
    ),
);

/** Replaces what an earlier send of the document stored. */
export async function upsertFiling(trx: Transaction, row: Insertable<FilingTable>): Promise<void> {
  await trx.run(upsertRow, row);
}

const selectRow = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("filings").select("sealed").where("document_id", "=", p.documentId),
);

/** The encrypted text; undefined if the document was never sent. */
export async function findSealedFiling(
  session: Session,
  documentId: string,
): Promise<Uint8Array | undefined> {
  return (await session.first(selectRow, { documentId }))?.sealed;
}

const selectId = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("filings").select("document_id").where("document_id", "=", p.documentId),
);

export async function hasFiling(session: Session, documentId: string): Promise<boolean> {
  return (await session.first(selectId, { documentId })) !== undefined;
}

const deleteRow = statement<{ documentId: string }>()((db, p) =>
  db.deleteFrom("filings").where("document_id", "=", p.documentId),
);

export async function deleteFiling(trx: Transaction, documentId: string): Promise<void> {
  await trx.run(deleteRow, { documentId });
}
