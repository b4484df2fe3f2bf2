/**
 * Everything that is sealed with the master key, for changing the key: which columns there are, and their rows in portions.
 * The appliance's check of its key is not among them: it says which key seals, and changes first.
 */
import { type RawBuilder, sql } from "kysely";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

/** A column of sealed values, and the columns that name a row of its table. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly [string, ...string[]];
}

/** Secrets first: they are few, and a rotation that is stopped early has done them. */
export const SEALED_COLUMNS = [
  { table: "connections", column: "credentials", key: ["id"] },
  { table: "webhook_endpoints", column: "secrets", key: ["id"] },
  { table: "idempotency", column: "answer", key: ["mode", "operation", "key"] },
  { table: "tax_answers", column: "sealed", key: ["country", "code"] },
  { table: "deliveries", column: "attempts", key: ["id"] },
  { table: "bodies", column: "sealed", key: ["id"] },
] as const satisfies readonly SealedColumn[];

/** The values of a row's key columns, in their order. */
export type RowKey = readonly string[];

const KEY_NAME_BYTES = 4;

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}

/** Sealed with another key than the one of this name. */
function isOther({ column }: SealedColumn, keyName: string): RawBuilder<unknown> {
  const value = sql.ref(column);
  return sql`${value} is not null and substr(${value}, 1, ${sql.lit(KEY_NAME_BYTES)}) <> ${Buffer.from(keyName, "hex")}`;
}

function isRow({ key }: SealedColumn, values: RowKey): RawBuilder<unknown> {
  return sql`(${refs(key)}) = (${sql.join(values)})`;
}

/** How many values of the column are sealed with another key than `keyName`. */
export async function countSealedWithOtherKeys(
  session: Session,
  sealed: SealedColumn,
  keyName: string,
): Promise<number> {
  const [row] = await session.query<{ rows: number }>((db) => ({
    compile: () =>
      sql<{
        rows: number;
      }>`select count(*) as rows from ${sql.table(sealed.table)} where ${isOther(sealed, keyName)}`.compile(
        db,
      ),
  }));
  return row?.rows ?? 0;
}

/** The first rows behind `after` (undefined: of all) that are sealed with another key, and how large their values are. */
export async function findSealedWithOtherKeys(
  session: Session,
  sealed: SealedColumn,
  portion: { keyName: string; after: RowKey | undefined; limit: number },
): Promise<{ key: RowKey; bytes: number }[]> {
  const behind =
    portion.after === undefined ? sql`` : sql`and (${refs(sealed.key)}) > (${sql.join(portion.after)})`;
  const rows = await session.query<Record<string, string> & { sealed_bytes: number }>((db) => ({
    compile: () =>
      sql<Record<string, string> & { sealed_bytes: number }>`
        select ${refs(sealed.key)}, length(${sql.ref(sealed.column)}) as sealed_bytes
        from ${sql.table(sealed.table)} where ${isOther(sealed, portion.keyName)} ${behind}
        order by ${refs(sealed.key)} limit ${portion.limit}`.compile(db),
  }));
  return rows.map((row) => ({
    key: sealed.key.map((column) => row[column] ?? ""),
    bytes: row.sealed_bytes,
  }));
}

/** The value of a row; null where it has none, undefined where the row is gone. */
export async function findSealedValue(
  session: Session,
  sealed: SealedColumn,
  key: RowKey,
): Promise<Uint8Array | null | undefined> {
  const [row] = await session.query<{ value: Uint8Array | null }>((db) => ({
    compile: () =>
      sql<{ value: Uint8Array | null }>`
        select ${sql.ref(sealed.column)} as value from ${sql.table(sealed.table)} where ${isRow(sealed, key)}`.compile(
        db,
      ),
  }));
  return row?.value;
}

export async function replaceSealedValue(
  trx: Transaction,
  sealed: SealedColumn,
  key: RowKey,
  value: Uint8Array,
): Promise<void> {
  await trx.query((db) => ({
    compile: () =>
      sql`update ${sql.table(sealed.table)} set ${sql.ref(sealed.column)} = ${value} where ${isRow(sealed, key)}`.compile(
        db,
      ),
  }));
}

const selectKeyCheck = statement<object>()((db) =>
  db.selectFrom("appliance").select("key_check").where("id", "=", 1),
);
const setKeyCheck = statement<{ keyCheck: Uint8Array }>()((db, p) =>
  db.updateTable("appliance").set({ key_check: p.keyCheck }).where("id", "=", 1),
);

/** The appliance's check of the key that seals. */
export async function findKeyCheck(session: Session): Promise<Uint8Array> {
  const row = await session.first(selectKeyCheck, {});
  if (row === undefined) throw new Error("The database has no appliance row");
  return row.key_check;
}

/** From the next write on every process seals with the key of this check. */
export async function changeKeyCheck(trx: Transaction, keyCheck: Uint8Array): Promise<void> {
  await trx.run(setKeyCheck, { keyCheck });
}
