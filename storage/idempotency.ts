/** Idempotency keys: one row for each mode, operation and key. */
import type { Insertable, Selectable } from "kysely";
import type { IdempotencyTable } from "./schema.ts";
import type { Mode } from "./stored-values.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

export type IdempotencyRow = Selectable<IdempotencyTable>;

const selectRow = statement<{ mode: Mode; operation: string; key: string }>()((db, p) =>
  db
    .selectFrom("idempotency")
    .selectAll()
    .where("mode", "=", p.mode)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key),
);

export function findIdempotency(
  session: Session,
  by: { mode: Mode; operation: string; key: string },
): Promise<IdempotencyRow | undefined> {
  return session.first(selectRow, by);
}

/** A row whose lease has run out is taken over: the process that made it is gone. */
const upsertRow = statement<Insertable<IdempotencyTable>>()((db, p) =>
  db
    .insertInto("idempotency")
    .values({
      mode: p.mode,
      operation: p.operation,
      key: p.key,
      fingerprint: p.fingerprint,
      event_id: p.event_id,
      answer: p.answer,
      lease_until: p.lease_until,
      created_at: p.created_at,
    })
    .onConflict((conflict) =>
      conflict.columns(["mode", "operation", "key"]).doUpdateSet({
        fingerprint: p.fingerprint,
        event_id: p.event_id,
        answer: p.answer,
        lease_until: p.lease_until,
        created_at: p.created_at,
      }),
    ),
);

const dropRow = statement<{ mode: Mode; operation: string; key: string; leaseUntil: string }>()((db, p) =>
  db
    .deleteFrom("idempotency")
    .where("mode", "=", p.mode)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key)
    .where("lease_until", "=", p.leaseUntil),
);

/** Frees a key that was marked as in progress until `leaseUntil`, unless somebody else has taken it over. */
export async function releaseIdempotency(
  trx: Transaction,
  mark: { mode: Mode; operation: string; key: string; leaseUntil: string },
): Promise<void> {
  await trx.run(dropRow, mark);
}

/** Keeps the row, over one that stood there in progress: the caller has looked whose it was. */
export async function upsertIdempotency(trx: Transaction, row: IdempotencyRow): Promise<void> {
  await trx.run(upsertRow, row);
}
