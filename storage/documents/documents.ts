/** Documents: the small changing row, and the large unchanging input. Lists are in document-lists.ts. */
import { placeIn } from "../encryption/sealed.ts";
import { type Insertable, type Selectable, sql } from "kysely";
import { elementsOf, textsIn, unindexed } from "../database/dialect.ts";
import { UnreadableContentsError } from "../database/errors.ts";
import type { DocumentInputTable, DocumentTable } from "../database/schema.ts";
import type { CounterKey } from "./series.ts";
import type { KeyedSession, Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Mode } from "../stored-values.ts";
import type { Cipher } from "../encryption/cipher.ts";

export type DocumentRow = Selectable<DocumentTable>;

/** With its contents decrypted. */
export interface DocumentInputRow extends Omit<Selectable<DocumentInputTable>, "sealed"> {
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
): { document: Insertable<DocumentTable>; input: Insertable<DocumentInputTable>; row: DocumentRow } {
  const updated_at = accepted.created_at;
  const { phase, status } = UNSENT;
  return {
    document: { ...accepted, phase, status, updated_at },
    input: { ...input, sealed: cipher.seal(placeIn("document_inputs", accepted.id), contents) },
    row: { ...accepted, ...UNSENT, updated_at },
  };
}

const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("documents").selectAll().where("id", "=", p.id),
);

const selectByIds = statement<{ ids: string }>()((db, p) =>
  db.selectFrom("documents").selectAll().where("id", "in", textsIn(p.ids)),
);

const selectInput = statement<{ id: string }>()((db, p) =>
  db.selectFrom("document_inputs").selectAll().where("document_id", "=", p.id),
);

const selectInputs = statement<{ ids: string }>()((db, p) =>
  db.selectFrom("document_inputs").selectAll().where("document_id", "in", textsIn(p.ids)),
);

const selectByMark = statement<{ mark: string }>()((db, p) =>
  db.selectFrom("documents").selectAll().where("mark", "=", p.mark),
);

const selectByReference = statement<{ reference: string; mode: Mode; merchantId: string }>()((db, p) =>
  db
    .selectFrom("documents")
    .selectAll()
    .where("external_reference", "=", p.reference)
    .where("mode", "=", p.mode)
    .where("merchant_id", "=", p.merchantId)
    .orderBy("id", "desc")
    .limit(1),
);

const selectWithMark = statement<{ mark: string; mode: Mode; id: string }>()((db, p) =>
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

/** The id of another document with the MARK. The sandbox's invented MARKs do not count. */
export async function findOtherDocumentWithMark(
  session: Session,
  by: { mark: string; mode: Mode; id: string },
): Promise<string | undefined> {
  return (await session.first(selectWithMark, by))?.id;
}

const selectWithMarks = statement<{ marks: string; mode: Mode }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("mark")
    .where("mark", "in", textsIn(p.marks))
    .where(unindexed<Mode>("mode"), "=", p.mode)
    .where("provider", "<>", sql.lit("sandbox")),
);

/** Which of the MARKs documents have. The sandbox's invented MARKs do not count. */
export async function findMarksInUse(
  session: Session,
  marks: readonly string[],
  mode: Mode,
): Promise<Set<string | null>> {
  if (marks.length === 0) return new Set();
  const rows = await session.all(selectWithMarks, { marks: JSON.stringify(marks), mode });
  return new Set(rows.map(({ mark }) => mark));
}

export function findDocumentRow(session: Session, id: string): Promise<DocumentRow | undefined> {
  return session.first(selectById, { id });
}

/** The documents with these ids. */
export async function findDocumentRows(
  session: Session,
  ids: readonly string[],
): Promise<Map<string, DocumentRow>> {
  const rows = await session.all(selectByIds, { ids: JSON.stringify(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The only place that opens the contents of a document. Throws UnreadableContentsError if no key opens them. */
export async function findDocumentInput(
  session: KeyedSession,
  id: string,
): Promise<DocumentInputRow | undefined> {
  const row = await session.first(selectInput, { id });
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
  { sealed, ...input }: Selectable<DocumentInputTable>,
): DocumentInputRow | undefined {
  const contents = session.cipher.open(placeIn("document_inputs", input.document_id), sealed);
  return contents === undefined ? undefined : { ...input, input_json: contents.toString("utf8") };
}

/** What was accepted under each of the documents, without those that cannot be decrypted. */
export async function findReadableInputs(
  session: KeyedSession,
  ids: readonly string[],
): Promise<Map<string, DocumentInputRow>> {
  const rows = await session.all(selectInputs, { ids: JSON.stringify(ids) });
  const inputs = rows.flatMap((row) => openInput(session, row) ?? []);
  return new Map(inputs.map((input) => [input.document_id, input]));
}

/** The documents with this MARK, possibly one in each mode. */
export function findDocumentsByMark(session: Session, mark: string): Promise<DocumentRow[]> {
  return session.all(selectByMark, { mark });
}

/** The newest document of the merchant with this external reference. */
export function findDocumentRowByReference(
  session: Session,
  by: { reference: string; mode: Mode; merchantId: string },
): Promise<DocumentRow | undefined> {
  return session.first(selectByReference, by);
}

const numberInUse = statement<CounterKey & { number: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("id")
    .where("supplier", "=", p.supplier)
    .where("branch", "=", p.branch)
    .where("type", "=", p.type)
    .where("series", "=", p.series)
    .where("mode", "=", p.mode)
    .where("number", "=", p.number)
    .where("provider_numbered", "=", sql.lit(0)),
);

/** The id of the document of the counter that has the number. */
export async function findDocumentIdByNumber(
  session: Session,
  key: CounterKey,
  number: number,
): Promise<string | undefined> {
  return (await session.first(numberInUse, { ...key, number }))?.id;
}

const numbersInUse = statement<CounterKey & { first: number; last: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("number")
    .where("supplier", "=", p.supplier)
    .where("branch", "=", p.branch)
    .where("type", "=", p.type)
    .where("series", "=", p.series)
    .where("mode", "=", p.mode)
    .where("number", ">=", p.first)
    .where("number", "<=", p.last)
    .where("provider_numbered", "=", sql.lit(0)),
);

/** The numbers from `first` through `last` that documents of the counter have. */
export async function findNumbersInUse(
  session: Session,
  key: CounterKey,
  first: number,
  last: number,
): Promise<Set<number | null>> {
  const rows = await session.all(numbersInUse, { ...key, first, last });
  return new Set(rows.map(({ number }) => number));
}

/** A number that a request gives to its document. */
export interface GivenNumber {
  key: CounterKey;
  number: number;
}

/** Which of the numbers a document has, or had and lost for good: they must not be used again. By their places in `given`. */
export async function findUnusableNumbers(
  session: Session,
  given: readonly GivenNumber[],
): Promise<Set<number>> {
  if (given.length === 0) return new Set();
  const numbers = given.map(({ key: { supplier, branch, type, series, mode }, number }, place) => [
    supplier,
    branch,
    type,
    series,
    mode,
    number,
    place,
  ]);
  const rows = await session.all(unusableNumbers, { numbers: JSON.stringify(numbers) });
  return new Set(rows.map(({ place }) => place));
}

const unusableNumbers = statement<{ numbers: string }>()((db, p) => {
  const isCounterOf = (table: "documents" | "series") => sql`
    ${sql.ref(`${table}.supplier`)} = value ->> 0 and ${sql.ref(`${table}.branch`)} = cast(value ->> 1 as bigint)
    and ${sql.ref(`${table}.type`)} = value ->> 2 and ${sql.ref(`${table}.series`)} = value ->> 3
    and ${sql.ref(`${table}.mode`)} = value ->> 4`;
  return {
    compile: () =>
      sql<{ place: number }>`
        select cast(value ->> 6 as bigint) as place from ${elementsOf(p.numbers)} cross join documents
        where ${isCounterOf("documents")} and documents.number = cast(value ->> 5 as bigint) and provider_numbered = 0
        union
        select cast(value ->> 6 as bigint) from ${elementsOf(p.numbers)} cross join series cross join numbers
        where ${isCounterOf("series")} and series_id = series.id and numbers.number <= cast(value ->> 5 as bigint)
          and through >= cast(value ->> 5 as bigint) and state <> 'released' and document_id is not null`.compile(
        db,
      ),
  };
});
