/** The sandbox's ledger of filed documents. As at the authority, the same uid can be filed more than once. */
import type { Selectable } from "kysely";
import { textsIn } from "../database/dialect.ts";
import type { SandboxCreditTable, SandboxFilingTable } from "../database/schema.ts";
import { sortById } from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type SandboxFilingRow = Selectable<SandboxFilingTable>;

type NewFiling = Omit<SandboxFilingRow, "id" | "cancelled_at">;

const insertRow = rowStatement<NewFiling>()((db, row) => db.insertInto("sandbox_filings").values(row));
const insertReturningId = rowStatement<NewFiling>()((db, row) =>
  db.insertInto("sandbox_filings").values(row).returning("id"),
);
const insertCredit = rowStatement<SandboxCreditTable>()((db, row) =>
  db.insertInto("sandbox_credits").values(row),
);
const selectByUids = statement<{ uids: string }>()((db, p) =>
  db.selectFrom("sandbox_filings").selectAll().where("uid", "in", textsIn(p.uids)),
);
const selectById = statement<{ id: number }>()((db, p) =>
  db.selectFrom("sandbox_filings").selectAll().where("id", "=", p.id),
);
const selectCredits = statement<{ mark: string }>()((db, p) =>
  db
    .selectFrom("sandbox_credits as c")
    .innerJoin("sandbox_filings as f", "f.id", "c.filing_id")
    .select(["f.id", "f.uid", "f.net"])
    .where("c.mark", "=", p.mark)
    .where("f.cancelled_at", "is", null)
    .orderBy("c.filing_id"),
);
const selectCreditedMarks = statement<{ id: number }>()((db, p) =>
  db.selectFrom("sandbox_credits").select("mark").where("filing_id", "=", p.id).orderBy("mark"),
);
const cancelRow = statement<{ id: number; at: string }>()((db, p) =>
  db
    .updateTable("sandbox_filings")
    .set({ cancelled_at: p.at })
    .where("id", "=", p.id)
    .where("cancelled_at", "is", null),
);

/** `originalMarks` are the MARKs that it credits; they must be distinct. */
export async function insertSandboxFiling(
  trx: Transaction,
  filing: NewFiling,
  originalMarks: readonly string[],
): Promise<void> {
  // With RETURNING, SQLite would copy every page before it changes it, which takes longer than the insert.
  if (originalMarks.length === 0) return void (await trx.run(insertRow, filing));
  const row = await trx.first(insertReturningId, filing);
  if (row === undefined) throw new Error("A filing was not stored");
  for (const mark of originalMarks) await trx.run(insertCredit, { mark, filing_id: row.id });
}

/** The filings of these uids, oldest first. */
export async function findSandboxFilings(
  session: Session,
  uids: readonly string[],
): Promise<SandboxFilingRow[]> {
  return sortById(await session.all(selectByUids, { uids: JSON.stringify(uids) }));
}

export function findSandboxFiling(session: Session, id: number): Promise<SandboxFilingRow | undefined> {
  return session.first(selectById, { id });
}

/** The filings that credit the MARK and are not cancelled, oldest first. */
export function findSandboxCredits(
  session: Session,
  mark: string,
): Promise<Pick<SandboxFilingRow, "id" | "uid" | "net">[]> {
  return session.all(selectCredits, { mark });
}

/** The MARKs that a filing credits. */
export async function findCreditedMarks(session: Session, id: number): Promise<string[]> {
  return (await session.all(selectCreditedMarks, { id })).map(({ mark }) => mark);
}

/** Returns false if it was cancelled before. */
export async function cancelSandboxFiling(trx: Transaction, id: number, at: string): Promise<boolean> {
  return (await trx.run(cancelRow, { id, at })) === 1;
}

/** A filing with what the sandbox shows of its document. */
export interface ListedFiling {
  id: number;
  uid: string;
  document_id: string;
  cancelled_at: string | null;
  issue_date: string;
  series: string | null;
  number: number | null;
  net: number;
  vat: number;
  gross: number;
}

const selectBetween = statement<{
  from: string;
  through: string;
  now: string;
  after: number;
  limit: number;
}>()((db, p) =>
  db
    .selectFrom("sandbox_filings")
    .innerJoin("documents", "documents.id", "sandbox_filings.document_id")
    .select(["sandbox_filings.id", "sandbox_filings.uid", "sandbox_filings.document_id"])
    .select(["sandbox_filings.cancelled_at", "documents.issue_date", "documents.series", "documents.number"])
    .select(["documents.net", "documents.vat", "documents.gross"])
    .where("sandbox_filings.id", ">", p.after)
    .where("sandbox_filings.mark_at", "<=", p.now)
    .where("documents.issue_date", ">=", p.from)
    .where("documents.issue_date", "<=", p.through)
    .orderBy("sandbox_filings.id")
    .limit(p.limit),
);

/** Filings that have a MARK at `now`, of documents with issue dates from `from` through `through`, oldest first. */
export function findSandboxFilingsBetween(
  session: Session,
  by: { from: string; through: string; now: string; after: number; limit: number },
): Promise<ListedFiling[]> {
  return session.all(selectBetween, by);
}
