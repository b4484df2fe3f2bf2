/** The log of API requests: one row each; bodies through storage/calls.ts. */
import type { Insertable, Selectable } from "kysely";
import type { RequestTable } from "./schema.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type RequestRow = Selectable<RequestTable>;

const insertRow = statement<Insertable<RequestTable>>()((db, p) =>
  db.insertInto("requests").values({
    id: p.id,
    request_id: p.request_id,
    mode: p.mode,
    source: p.source,
    method: p.method,
    path: p.path,
    operation_id: p.operation_id,
    status: p.status,
    duration_ms: p.duration_ms,
    idempotency_key: p.idempotency_key,
    merchant_id: p.merchant_id,
    document_id: p.document_id,
    created_at: p.created_at,
    bodies_purged_at: p.bodies_purged_at,
  }),
);

export async function insertRequest(trx: Transaction, row: RequestRow): Promise<void> {
  await trx.run(insertRow, row);
}
