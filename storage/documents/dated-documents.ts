/**
 * Reads documents by issue date, in pages so that memory holds only one: for exports, for the books, and to compare them with
 * their provider, whose lists are stored so that an interrupted comparison does not ask for them again.
 */
import { sql } from "kysely";
import type { Builder } from "../database/dialect.ts";
import {
  allRows,
  changeRows,
  deleteRow,
  firstRow,
  type RowOf,
  updateRow,
  upsertRow,
} from "../database/queries.ts";
import type { Session } from "../database/session.ts";
import type { DocumentStatus, Mode } from "../stored-values.ts";
import type { DocumentRow } from "./documents.ts";

/** `from` and `through` are days, both inclusive. */
interface Days {
  mode: Mode;
  from: string;
  through: string;
}

interface DayPage {
  after: Pick<DocumentRow, "issue_date" | "id"> | undefined;
  limit: number;
}

/**
 * Documents after `after`, in the order of issue date and id. After the first page, `from` must not be a condition: SQLite would
 * then scan the index from the first day again, instead of from the beginning of the page.
 */
function inDays(db: Builder, { mode, from, through }: Days, { after, limit }: DayPage) {
  const query = db
    .selectFrom("documents")
    .where("documents.mode", "=", mode)
    .where("documents.issue_date", "<=", through)
    .orderBy("documents.issue_date")
    .orderBy("documents.id")
    .limit(limit);
  if (after === undefined) return query.where("documents.issue_date", ">=", from);
  return query.where((eb) =>
    eb(eb.refTuple("documents.issue_date", "documents.id"), ">", eb.tuple(after.issue_date, after.id)),
  );
}

export interface ExportFilters extends Days {
  statuses: readonly DocumentStatus[];
  merchantId?: string | undefined;
  type?: string | undefined;
}

/** What an export needs of a document, without its input: a page of inputs could exceed the memory of a small machine. */
export type ExportRow = RowOf<typeof findExportPage>;

export function findExportPage(session: Session, filters: ExportFilters, page: DayPage) {
  const { statuses, merchantId, type } = filters;
  return session.query((db) => {
    let query = inDays(db, filters, page)
      .innerJoin("merchants", "merchants.id", "documents.merchant_id")
      .select(["documents.id", "documents.merchant_id", "merchants.external_id as merchant_external_id"])
      .select(["documents.provider", "documents.type", "documents.status", "documents.issue_date"])
      .select(["documents.net", "documents.vat", "documents.gross"])
      .select(["documents.supplier", "documents.branch", "documents.series", "documents.number"])
      .select(["documents.mark", "documents.uid", "documents.cancelled_at", "documents.cancellation_mark"])
      .select(["documents.external_reference"])
      .where("documents.status", "in", statuses);
    if (merchantId !== undefined) query = query.where("documents.merchant_id", "=", merchantId);
    if (type !== undefined) query = query.where("documents.type", "=", type);
    return query;
  });
}

/** What an issued document adds to the books (`documents.shares_json`). */
export interface SharesRow extends Pick<DocumentRow, "id" | "issue_date" | "merchant_id" | "shares_json"> {
  /** Any text, the same for the same customer; null without one. */
  customer: string | null;
}

/** Issued documents that are not cancelled. */
export function findSharesPage(
  session: Session,
  { merchantId, ...days }: Days & { merchantId?: string | undefined },
  page: DayPage,
): Promise<SharesRow[]> {
  return session.query((db) => {
    const query = inDays(db, days, page)
      .select(["id", "issue_date", "merchant_id", "shares_json"])
      .select(sql<string | null>`customer_country || customer_hash`.as("customer"))
      .where("status", "=", sql.lit("issued"))
      .where("cancelled_at", "is", null);
    return merchantId === undefined ? query : query.where("merchant_id", "=", merchantId);
  });
}

/** Documents with ids above `after` that an earlier version accepted, which stored no shares. */
export const findWithoutShares = allRows<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("documents")
    .select(["id", "mode", "merchant_id"])
    .where("shares_json", "is", null)
    .where("id", ">", p.after)
    .orderBy("id")
    .limit(p.limit),
);

export const setShares = updateRow("documents", ["id"], ["shares_json"]);

/** A document without what a comparison with its provider does not need. */
export type ComparedRow = RowOf<typeof findComparedPage>;

export function findComparedPage(session: Session, days: Days, page: DayPage) {
  return session.query((db) =>
    inDays(db, days, page)
      .select(["id", "merchant_id", "provider", "type", "phase", "mark", "uid", "issue_date", "series"])
      .select(["number", "net", "vat", "gross", "cancellation_mark", "provider_numbered", "updated_at"]),
  );
}

export const storeListingWindow = upsertRow("listing_windows", ["name"]);

/** The window, if it was read at `since` or later. */
export const findListingWindow = firstRow<{ name: string; since: string }>()((db, p) =>
  db
    .selectFrom("listing_windows")
    .select(["content_json", "read_at"])
    .where("name", "=", p.name)
    .where("read_at", ">=", p.since),
);

export const deleteListingWindow = deleteRow("listing_windows", ["name"]);

export const deleteListingWindowsBefore = changeRows<{ before: string }>()((db, p) =>
  db.deleteFrom("listing_windows").where("read_at", "<", p.before),
);

export const findListingWindowsAfter = allRows<{ after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("listing_windows")
    .select(["name", "content_json"])
    .where("name", ">", p.after)
    .orderBy("name")
    .limit(p.limit),
);
