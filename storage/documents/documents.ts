/**
 * Documents: the large unchanging input, the small changing row, each of whose changes is guarded by the state that it starts from, so that
 * concurrent ones cannot collide, and what credits them. Lists are in document-lists.ts, due times in document-queue.ts.
 */
import { sql } from "kysely";
import { textsIn, unindexed } from "../database/dialect.ts";
import { UnreadableContentsError } from "../database/errors.ts";
import { allRows, allValues, changesRow, findRow, firstValue } from "../database/queries.ts";
import type { NewRow, Row } from "../database/schema.ts";
import { type KeyedSession, rowStatement, type Session } from "../database/session.ts";
import type { Cipher } from "../encryption/cipher.ts";
import { placeIn } from "../encryption/sealed.ts";
import type { DocumentPhase, Mode } from "../stored-values.ts";
import type { Transaction } from "../database/write.ts";

export type DocumentRow = Row<"documents">;

/** With its contents decrypted. */
export interface DocumentInputRow extends Omit<Row<"document_inputs">, "sealed"> {
  /** The canonical document, normalised, as JSON. */
  input_json: string;
}

/** What sending a document sets, as it is before. The table has the same defaults. */
const UNSENT = {
  phase: "queued",
  status: "pending",
  mark: null,
  uid: null,
  qr_url: null,
  authentication_code: null,
  provider_ref: null,
  has_filing: 0,
  error_json: null,
  cancellation_mark: null,
  cancelled_at: null,
  attempts: 0,
  polls: 0,
  absences: 0,
  stage_since: null,
  lease_owner: null,
  lease_until: null,
  asking: null,
} as const satisfies Partial<DocumentRow>;

/** A document as it is accepted. */
export type NewDocumentRow = Omit<DocumentRow, keyof typeof UNSENT | "updated_at">;

/** The rows of an accepted document, `queued` and due immediately, and its row as it is read. */
export function buildDocument(
  cipher: Cipher,
  accepted: NewDocumentRow,
  { input_json: contents, ...input }: DocumentInputRow,
): { document: NewRow<"documents">; input: NewRow<"document_inputs">; row: DocumentRow } {
  const updated_at = accepted.created_at;
  const { phase, status } = UNSENT;
  return {
    document: { ...accepted, phase, status, updated_at },
    input: { ...input, sealed: cipher.seal(placeIn("document_inputs", accepted.id), contents) },
    row: { ...accepted, ...UNSENT, updated_at },
  };
}

export const findDocumentRow = findRow("documents", ["id"]);

const selectByIds = allRows<{ ids: readonly string[] }>()((db, p) =>
  db.selectFrom("documents").selectAll().where("id", "in", textsIn(p.ids)),
);

export async function findDocumentRows(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, DocumentRow>> {
  return new Map((await selectByIds(session, { ids })).map((row) => [row.id, row]));
}

/** The documents with this MARK, possibly one in each mode. */
export const findDocumentsByMark = allRows<{ mark: string }>()((db, p) =>
  db.selectFrom("documents").selectAll().where("mark", "=", p.mark),
);

/** The id of another document with the MARK. The sandbox's invented MARKs do not count. */
export const findOtherDocumentWithMark = firstValue<{ mark: string; mode: Mode; id: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("mark", "=", p.mark)
    // The plus keeps SQLite to the index of MARKs.
    .where(unindexed<Mode>("mode"), "=", p.mode)
    .where("id", "<>", p.id)
    .where("provider", "<>", sql.lit("sandbox"))
    .limit(sql.lit(1)),
);

/** Which of the MARKs documents of either mode have. The sandbox's invented MARKs do not count. */
export const findMarksInUse = allValues<{ marks: readonly string[] }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("mark")
    .where("mark", "in", textsIn(p.marks))
    .where("provider", "<>", sql.lit("sandbox")),
);

const selectInputs = allRows<{ ids: readonly string[] }>()((db, p) =>
  db.selectFrom("document_inputs").selectAll().where("document_id", "in", textsIn(p.ids)),
);

/** The only place that opens the contents of a document. Throws UnreadableContentsError if no key opens them. */
export async function findDocumentInput(
  session: KeyedSession,
  id: string,
): Promise<DocumentInputRow | undefined> {
  const [row] = await selectInputs(session, { ids: [id] });
  if (row === undefined) return undefined;
  const input = openInput(session, row);
  if (input === undefined) throw new UnreadableContentsError(id);
  return input;
}

/** Of a document that is known to exist. */
export async function getDocumentInput(session: KeyedSession, id: string): Promise<DocumentInputRow> {
  const input = await findDocumentInput(session, id);
  if (input === undefined) throw new Error(`The input of document ${id} is missing`);
  return input;
}

/** Undefined if the contents cannot be decrypted. */
function openInput(
  session: KeyedSession,
  { sealed, ...input }: Row<"document_inputs">,
): DocumentInputRow | undefined {
  const contents = session.cipher.open(placeIn("document_inputs", input.document_id), sealed);
  return contents === undefined ? undefined : { ...input, input_json: contents.toString("utf8") };
}

/** What was accepted under each of the documents, without those that cannot be decrypted. */
export async function findReadableInputs(
  session: KeyedSession,
  ids: readonly string[],
): Promise<Map<string, DocumentInputRow>> {
  const inputs = (await selectInputs(session, { ids })).flatMap((row) => openInput(session, row) ?? []);
  return new Map(inputs.map((input) => [input.document_id, input]));
}

/** A credit note as far as it concerns what it credits. Amounts in cents. */
export type CreditRow = Pick<
  DocumentRow,
  "id" | "status" | "net" | "vat" | "gross" | "cancelled_at" | "updated_at"
>;

/** The merchant's documents of every status that credit a MARK, oldest first. */
export const creditsOfMark = allRows<{ mark: string; merchantId: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("document_originals as o")
    .innerJoin("documents as d", "d.id", "o.document_id")
    .select(["d.id", "d.status", "d.net", "d.vat", "d.gross", "d.cancelled_at", "d.updated_at"])
    .where("o.mark", "=", p.mark)
    // The pluses keep SQLite to the index of MARKs; a merchant has far more documents.
    .where(unindexed<string>("d.merchant_id"), "=", p.merchantId)
    .where(unindexed<Mode>("d.mode"), "=", p.mode)
    .orderBy("o.document_id"),
);

/** What the documents that credit a MARK take of its lines: of all merchants, both modes and every status. */
export const creditedLinesOfMark = allRows<{ mark: string }>()((db, p) =>
  db
    .selectFrom("document_originals as o")
    .innerJoin("credited_lines as l", "l.document_id", "o.document_id")
    .selectAll("l")
    .where("o.mark", "=", p.mark),
);

/** The columns that a move sets. What is fixed when a document is accepted is never among them. */
export type Move = Partial<DocumentRow> & Pick<DocumentRow, "phase" | "updated_at">;

const moveRow = rowStatement<Partial<DocumentRow> & { id: string; from: DocumentPhase }>()(
  (db, { id, from, ...changes }) =>
    db.updateTable("documents").set(changes).where("id", "=", id).where("phase", "=", from),
);

/**
 * Moves a document from what was read in the same write. Only the columns that differ are written: SQLite updates the indexes of
 * every column that is set, even if it is the same.
 */
export async function moveDocumentRow(trx: Transaction, before: DocumentRow, move: Move): Promise<void> {
  const { id, phase: from } = before;
  const changes: Record<string, unknown> = { updated_at: move.updated_at };
  for (const column of Object.keys(move) as (keyof Move)[])
    if (move[column] !== before[column]) changes[column] = move[column];
  const moved = await trx.run(moveRow, { ...changes, id, from });
  if (moved !== 1) throw new Error(`The document ${id} moved within its own write`);
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
