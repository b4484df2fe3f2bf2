/** Changes a document's row. Each change is guarded by the state that it starts from, so that concurrent ones cannot collide. */
import { changesRow } from "../database/queries.ts";
import { rowStatement } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";
import type { DocumentPhase } from "../stored-values.ts";
import type { DocumentRow } from "./documents.ts";

/** Columns that a move does not write: those fixed at acceptance, and those of a cancellation. */
const UNMOVED = [
  "mode",
  "merchant_id",
  "provider",
  "connection_id",
  "type",
  "issue_date",
  "net",
  "vat",
  "gross",
  "supplier",
  "branch",
  "number_given",
  "provider_numbered",
  "classification_source",
  "warnings_json",
  "external_reference",
  "metadata_json",
  "created_at",
  "cancellation_mark",
  "cancelled_at",
] as const satisfies readonly (keyof DocumentRow)[];

const unmoved: ReadonlySet<string> = new Set(UNMOVED);

type Move = Partial<Omit<DocumentRow, (typeof UNMOVED)[number]>> & { id: string; from: DocumentPhase };

const moveRow = rowStatement<Move>()((db, { id, from, ...changes }) =>
  db.updateTable("documents").set(changes).where("id", "=", id).where("phase", "=", from),
);

/**
 * Writes the row that a move leads to, if the document is still in the phase of `before`; returns false if it is not. Only the
 * columns that differ are written: SQLite updates the indexes of every column that is set, even if it is the same.
 */
export async function moveDocumentRow(
  trx: Transaction,
  before: DocumentRow,
  after: DocumentRow,
): Promise<boolean> {
  const { id, updated_at } = after;
  const move: Record<string, unknown> = { id, updated_at, from: before.phase };
  for (const column of Object.keys(after) as (keyof DocumentRow)[])
    if (after[column] !== before[column] && !unmoved.has(column)) move[column] = after[column];
  return (await trx.run(moveRow, move as Move)) === 1;
}

/** Removes the number of a failed document. Returns false if it is not failed or has none. */
export const clearFailedNumber = changesRow<{ id: string; at: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ number: null, uid: null, updated_at: p.at })
    .where("id", "=", p.id)
    .where("phase", "=", "failed")
    .where("number", "is not", null),
);

/** Records a cancellation. Returns false if the document is not issued, or cancelled already. */
export const cancelDocumentRow = changesRow<{ id: string; cancellationMark: string; at: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ cancellation_mark: p.cancellationMark, cancelled_at: p.at, updated_at: p.at })
    .where("id", "=", p.id)
    .where("phase", "=", "issued")
    .where("cancellation_mark", "is", null),
);
