/** Gives lists with several filters their own indexes (document-lists.ts). */
import { type Kysely, sql } from "kysely";

export const STATEMENTS = [
  // These two have taken the place of two with one filter each.
  "create index documents_by_kind on documents (mode, type, provider, status, id)",
  "create index documents_by_merchant_kind on documents (merchant_id, mode, type, provider, status, id)",
  "drop index documents_by_type",
  "drop index documents_by_provider",
  "create index requests_by_operation_status on requests (mode, operation_id, status, id) where operation_id is not null",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
