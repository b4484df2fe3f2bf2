/** Reads the documents of a period to compare them with their provider, and the connections to ask. */
import type { DocumentRow } from "./documents.ts";
import type { ConnectionRow } from "../merchants/connections.ts";
import type { Session } from "../database/session.ts";
import type { Mode } from "../stored-values.ts";

const COLUMNS = [
  "id",
  "merchant_id",
  "provider",
  "type",
  "phase",
  "mark",
  "uid",
  "issue_date",
  "series",
  "number",
  "net",
  "vat",
  "gross",
  "cancellation_mark",
  "provider_numbered",
  "updated_at",
] as const satisfies readonly (keyof DocumentRow)[];

/** A document without what a comparison does not need. */
export type ComparedRow = Pick<DocumentRow, (typeof COLUMNS)[number]>;

/** Up to `limit` documents of all merchants after `after`, in the order of issue date and id; as `findExportPage`. */
export function findComparedPage(
  session: Session,
  { mode, from, through }: { mode: Mode; from: string; through: string },
  { after, limit }: { after: ComparedRow | undefined; limit: number },
): Promise<ComparedRow[]> {
  return session.query((db) => {
    let query = db
      .selectFrom("documents")
      .select(COLUMNS)
      .where("mode", "=", mode)
      .where("issue_date", "<=", through);
    query =
      after === undefined
        ? query.where("issue_date", ">=", from)
        : query.where((eb) => eb(eb.refTuple("issue_date", "id"), ">", eb.tuple(after.issue_date, after.id)));
    return query.orderBy("issue_date").orderBy("id").limit(limit);
  });
}

/** The connections of a mode that are not disconnected, of one merchant or of all. */
export function findConnectionsInUse(
  session: Session,
  { mode, merchantId }: { mode: Mode; merchantId: string | undefined },
): Promise<ConnectionRow[]> {
  return session.query((db) => {
    const query = db
      .selectFrom("connections")
      .selectAll()
      .where("mode", "=", mode)
      .where("status", "<>", "disconnected")
      .orderBy("id");
    return merchantId === undefined ? query : query.where("merchant_id", "=", merchantId);
  });
}
