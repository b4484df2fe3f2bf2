/** The sandbox's ledger of filed documents. As at the authority, the same uid can be filed more than once. */
import { textsIn } from "../database/dialect.ts";
import { sortById } from "../database/lists.ts";
import { allRows, allValues, changesRow, findRow, insertRow } from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";

export type SandboxFilingRow = Row<"sandbox_filings">;

type NewFiling = Omit<SandboxFilingRow, "id" | "cancelled_at">;

const insertReturning = insertRow("sandbox_filings");

/** `originalMarks` are the MARKs that it credits; they must be distinct. */
export async function insertSandboxFiling(
  trx: Transaction,
  filing: NewFiling,
  originalMarks: readonly string[],
): Promise<void> {
  // With RETURNING, SQLite would copy every page before it changes it, which takes longer than the insert.
  if (originalMarks.length === 0) return trx.insertRows({ sandbox_filings: [filing] });
  const { id } = await insertReturning(trx, filing);
  await trx.insertRows({ sandbox_credits: originalMarks.map((mark) => ({ mark, filing_id: id })) });
}

const selectByUids = allRows<{ uids: readonly string[] }>()((db, p) =>
  db.selectFrom("sandbox_filings").selectAll().where("uid", "in", textsIn(p.uids)),
);

export async function findSandboxFilings(
  session: Session,
  uids: readonly string[],
): Promise<SandboxFilingRow[]> {
  return sortById(await selectByUids(session, { uids }));
}

export const findSandboxFiling = findRow("sandbox_filings", ["id"]);

/** The filings that credit the MARK and are not cancelled, oldest first. */
export const findSandboxCredits = allRows<{ mark: string }>()((db, p) =>
  db
    .selectFrom("sandbox_credits as c")
    .innerJoin("sandbox_filings as f", "f.id", "c.filing_id")
    .select(["f.id", "f.uid", "f.net"])
    .where("c.mark", "=", p.mark)
    .where("f.cancelled_at", "is", null)
    .orderBy("c.filing_id"),
);

export const findCreditedMarks = allValues<{ id: number }>()((db, p) =>
  db.selectFrom("sandbox_credits").select("mark").where("filing_id", "=", p.id).orderBy("mark"),
);

/** Returns false if it was cancelled before. */
export const cancelSandboxFiling = changesRow<{ id: number; at: string }>()((db, p) =>
  db
    .updateTable("sandbox_filings")
    .set({ cancelled_at: p.at })
    .where("id", "=", p.id)
    .where("cancelled_at", "is", null),
);

interface ListedRange {
  from: string;
  through: string;
  now: string;
  after: number;
  limit: number;
}

/** Filings that have a MARK at `now`, of documents with issue dates from `from` through `through`, oldest first. */
export const findSandboxFilingsBetween = allRows<ListedRange>()((db, p) =>
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
