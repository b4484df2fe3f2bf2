/** Idempotency records, one for each mode, operation and key (docs/contract.md#idempotency-records). */
import { sql } from "kysely";
import { elementsOf } from "../database/dialect.ts";
import { allRows, changeRows, hasValues } from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";

export type IdempotencyRow = Row<"idempotency">;

export type IdempotencyPlace = Pick<IdempotencyRow, (typeof PLACE)[number]>;

const PLACE = ["mode", "operation", "key"] as const;

const selectRows = allRows<{ places: readonly (readonly string[])[] }>()(
  (_, p) => sql<IdempotencyRow>`
    select idempotency.* from ${elementsOf(p.places)} cross join idempotency
    where idempotency.mode = value ->> 0 and operation = value ->> 1 and idempotency.key = value ->> 2`,
);

export async function findIdempotencyRows(
  session: Session,
  places: readonly IdempotencyPlace[],
): Promise<IdempotencyRow[]> {
  if (places.length === 0) return [];
  return selectRows(session, { places: places.map(({ mode, operation, key }) => [mode, operation, key]) });
}

export async function findIdempotency(
  session: Session,
  place: IdempotencyPlace,
): Promise<IdempotencyRow | undefined> {
  return (await findIdempotencyRows(session, [place]))[0];
}

/** Deletes the record of a key in progress, unless another request has taken it over since. */
export const releaseIdempotency = changeRows<IdempotencyPlace & { leaseUntil: string }>()((db, p) =>
  db.deleteFrom("idempotency").where(hasValues(p, PLACE)).where("lease_until", "=", p.leaseUntil),
);

/** The records of completed requests after one of them, in the order of mode, operation and key. */
export const findKeysAfter = allRows<Record<keyof IdempotencyPlace, string> & { limit: number }>()((db, p) =>
  db
    .selectFrom("idempotency")
    .select(["mode", "operation", "key", "answer"])
    .where(sql<boolean>`(mode, operation, key) > (${p.mode}, ${p.operation}, ${p.key})`)
    // A request in progress finds its record by its key.
    .where("lease_until", "is", null)
    .orderBy("mode")
    .orderBy("operation")
    .orderBy("key")
    .limit(p.limit),
);

const replaceKeyRow = changeRows<IdempotencyPlace & NewKey>()((db, p) =>
  db.updateTable("idempotency").set({ key: p.newKey, answer: p.answer }).where(hasValues(p, PLACE)),
);

const noteErasedKeys = changeRows()((db) =>
  db.updateTable("appliance").set({ erased_keys: 1 }).where("id", "=", 1),
);

interface NewKey {
  newKey: string;
  answer: Uint8Array | null;
}

/** Replaces the key of a record. From now on, lookups that find no record also look for a replaced key. */
export async function replaceKey(trx: Transaction, place: IdempotencyPlace, by: NewKey): Promise<void> {
  await noteErasedKeys(trx);
  await replaceKeyRow(trx, { ...place, ...by });
}

/** Deletes up to `limit` idempotency records created before `before`, except those of documents; returns how many. */
export const deleteIdempotencyKeys = changeRows<{ before: string; now: string; limit: number }>()(
  // The operations as in the index, which otherwise would not apply.
  (_, p) => sql`
    delete from idempotency where (mode, operation, key) in (
      select mode, operation, key from idempotency where operation not in ('issueDocument', 'creditDocument')
        and created_at < ${p.before} and (lease_until is null or lease_until < ${p.now})
      limit ${p.limit} + 0)`,
);
