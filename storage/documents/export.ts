/** Reads documents by issue date for exports, in pages, so that memory holds only one page. */
import type { DocumentStatus, Mode, Provider } from "../stored-values.ts";
import type { Session } from "../database/session.ts";

/** `from` and `through` are days, both inclusive. All given filters apply. */
export interface ExportFilters {
  mode: Mode;
  from: string;
  through: string;
  statuses: readonly DocumentStatus[];
  merchantId?: string | undefined;
  type?: string | undefined;
}

/** What an export needs of a document, without its input: a page of inputs could exceed the memory of a small machine. */
export interface ExportRow {
  id: string;
  merchant_id: string;
  merchant_external_id: string;
  provider: Provider;
  type: string;
  status: DocumentStatus;
  issue_date: string;
  net: number;
  vat: number;
  gross: number;
  supplier: string;
  branch: number;
  series: string | null;
  number: number | null;
  mark: string | null;
  uid: string | null;
  cancelled_at: string | null;
  cancellation_mark: string | null;
  external_reference: string | null;
}

/**
 * Up to `limit` documents after `after`, in the order of issue date and id. After the first page, `from` must not be a
 * condition: SQLite would then scan the index from the first day again, instead of from the beginning of the page.
 */
export function findExportPage(
  session: Session,
  filters: ExportFilters,
  page: { after: Pick<ExportRow, "issue_date" | "id"> | undefined; limit: number },
): Promise<ExportRow[]> {
  const { after, limit } = page;
  return session.query((db) => {
    let query = db
      .selectFrom("documents")
      .innerJoin("merchants", "merchants.id", "documents.merchant_id")
      .select([
        "documents.id",
        "documents.merchant_id",
        "merchants.external_id as merchant_external_id",
        "documents.provider",
        "documents.type",
        "documents.status",
        "documents.issue_date",
        "documents.net",
        "documents.vat",
        "documents.gross",
      ])
      .select(["documents.supplier", "documents.branch", "documents.series", "documents.number"])
      .select(["documents.mark", "documents.uid", "documents.cancelled_at", "documents.cancellation_mark"])
      .select(["documents.external_reference"])
      .where("documents.mode", "=", filters.mode)
      .where("documents.issue_date", "<=", filters.through)
      .where("documents.status", "in", filters.statuses);
    query =
      after === undefined
        ? query.where("documents.issue_date", ">=", filters.from)
        : query.where((eb) =>
            eb(
              eb.refTuple("documents.issue_date", "documents.id"),
              ">",
              eb.tuple(after.issue_date, after.id),
            ),
          );
    if (filters.merchantId !== undefined)
      query = query.where("documents.merchant_id", "=", filters.merchantId);
    if (filters.type !== undefined) query = query.where("documents.type", "=", filters.type);
    return query.orderBy("documents.issue_date").orderBy("documents.id").limit(limit);
  });
}
