/** Idempotency records, one for each mode, operation and key (docs/contract.md#idempotency-records). */
import type { Insertable, Selectable } from "kysely";
import type { IdempotencyTable } from "../database/schema.ts";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

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

const upsertRow = statement<Insertable<IdempotencyTable> & { replaced: string }>()((db, p) =>
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
      conflict
        .columns(["mode", "operation", "key"])
        .doUpdateSet({
          fingerprint: p.fingerprint,
          event_id: p.event_id,
          answer: p.answer,
          lease_until: p.lease_until,
          created_at: p.created_at,
        })
        .where("idempotency.lease_until", "=", p.replaced),
    ),
);

const releaseRow = statement<{ mode: Mode; operation: string; key: string; leaseUntil: string }>()((db, p) =>
  db
    .deleteFrom("idempotency")
    .where("mode", "=", p.mode)
    .where("operation", "=", p.operation)
    .where("key", "=", p.key)
    .where("lease_until", "=", p.leaseUntil),
);

/** Deletes the record of a key in progress, unless another request has taken it over since. */
export async function releaseIdempotency(
  trx: Transaction,
  mark: { mode: Mode; operation: string; key: string; leaseUntil: string },
): Promise<void> {
  await trx.run(releaseRow, mark);
}

/**
 * Inserts the record, or replaces one in progress whose lease ends at `replaced`. Returns false if there is another one, which
 * somebody else stored since the caller looked.
 */
export async function upsertIdempotency(
  trx: Transaction,
  row: IdempotencyRow,
  replaced: string | null,
): Promise<boolean> {
  return (await trx.run(upsertRow, { ...row, replaced: replaced ?? "" })) === 1;
}
