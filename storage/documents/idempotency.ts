/** Idempotency records, one for each mode, operation and key (docs/contract.md#idempotency-records). */
import { type Selectable, sql } from "kysely";
import { elementsOf } from "../database/dialect.ts";
import type { IdempotencyTable } from "../database/schema.ts";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type IdempotencyRow = Selectable<IdempotencyTable>;

/** Where a record is. */
export type IdempotencyPlace = Pick<IdempotencyRow, "mode" | "operation" | "key">;

const selectRows = statement<{ places: string }>()((db, p) => ({
  compile: () =>
    sql<IdempotencyRow>`
      select idempotency.* from ${elementsOf(p.places)} cross join idempotency
      where idempotency.mode = value ->> 0 and operation = value ->> 1 and idempotency.key = value ->> 2`.compile(
      db,
    ),
}));

/** The records at the places that have one. */
export async function findIdempotencyRows(
  session: Session,
  places: readonly IdempotencyPlace[],
): Promise<IdempotencyRow[]> {
  if (places.length === 0) return [];
  const values = places.map(({ mode, operation, key }) => [mode, operation, key]);
  return session.all(selectRows, { places: JSON.stringify(values) });
}

export async function findIdempotency(
  session: Session,
  place: IdempotencyPlace,
): Promise<IdempotencyRow | undefined> {
  return (await findIdempotencyRows(session, [place]))[0];
}

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
