/**
 * The columns encrypted with the master key, and their rows in portions, for rotating the key. The key check and the
 * audit key of the appliance are not among them: the check determines which key seals, and both are replaced first.
 */
import { type RawBuilder, sql } from "kysely";
import { type Place, placeOf } from "./cipher.ts";
import { refs, updateRow } from "../database/queries.ts";
import type { Session } from "../database/session.ts";
import type { Transaction } from "../database/write.ts";

/** A column of encrypted values, and the primary key of its table. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly key: readonly [string, ...string[]];
}

/** Secrets come first, so that a rotation that is stopped early has finished them. */
export const SEALED_COLUMNS = [
  { table: "connections", column: "credentials", key: ["id"] },
  { table: "webhook_endpoints", column: "secrets", key: ["id"] },
  { table: "idempotency", column: "answer", key: ["mode", "operation", "key"] },
  { table: "tax_answers", column: "sealed", key: ["country", "hash"] },
  { table: "customers", column: "sealed", key: ["merchant_id", "mode", "country", "hash"] },
  { table: "deliveries", column: "attempts", key: ["id"] },
  { table: "document_inputs", column: "sealed", key: ["document_id"] },
  { table: "filings", column: "sealed", key: ["document_id"] },
  { table: "provider_pdfs", column: "sealed", key: ["document_id"] },
  { table: "mails", column: "sealed", key: ["id"] },
  { table: "bodies", column: "sealed", key: ["id"] },
] as const satisfies readonly SealedColumn[];

type Known = (typeof SEALED_COLUMNS)[number];
type Texts<Names extends readonly string[]> = { readonly [Index in keyof Names]: string };
type KeyOf<Table> = Texts<Extract<Known, { table: Table }>["key"]>;

const COLUMNS: ReadonlyMap<string, string> = new Map(SEALED_COLUMNS.map((one) => [one.table, one.column]));

/** The place of the sealed value of a row, from the values of its key columns in the order of `SEALED_COLUMNS`. */
export function placeIn<Table extends Known["table"]>(table: Table, ...key: KeyOf<Table>): Place {
  return placeOf(table, COLUMNS.get(table)!, key);
}

/** The values of a row's key columns, in the order of `SealedColumn.key`. */
export type RowKey = readonly string[];

const KEY_NAME_BYTES = 4;

/** A condition: the value is encrypted with a key other than `keyName`. */
function isOther({ column }: SealedColumn, keyName: string): RawBuilder<unknown> {
  const value = sql.ref(column);
  return sql`${value} is not null and substr(${value}, 1, ${sql.lit(KEY_NAME_BYTES)}) <> ${Buffer.from(keyName, "hex")}`;
}

function isRow({ key }: SealedColumn, values: RowKey): RawBuilder<unknown> {
  return sql`(${refs(key)}) = (${sql.join(values)})`;
}

export async function countSealedWithOtherKeys(
  session: Session,
  sealed: SealedColumn,
  keyName: string,
): Promise<number> {
  const count = sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(sealed.table)} where ${isOther(sealed, keyName)}`;
  const [row] = await session.query(() => count);
  return row?.rows ?? 0;
}

/** The first rows after `after` with values encrypted with another key, and the size of each value. */
export async function findSealedWithOtherKeys(
  session: Session,
  sealed: SealedColumn,
  { keyName, after, limit }: { keyName: string; after: RowKey | undefined; limit: number },
): Promise<{ key: RowKey; bytes: number }[]> {
  const behind = after === undefined ? sql`` : sql`and (${refs(sealed.key)}) > (${sql.join(after)})`;
  const found = sql<Record<string, string> & { sealed_bytes: number }>`
    select ${refs(sealed.key)}, length(${sql.ref(sealed.column)}) as sealed_bytes
    from ${sql.table(sealed.table)} where ${isOther(sealed, keyName)} ${behind}
    order by ${refs(sealed.key)} limit ${limit}`;
  const rows = await session.query(() => found);
  return rows.map((row) => ({ key: sealed.key.map((column) => row[column] ?? ""), bytes: row.sealed_bytes }));
}

/** The value of a row; null if it has none, undefined if the row was deleted. */
export async function findSealedValue(
  session: Session,
  sealed: SealedColumn,
  key: RowKey,
): Promise<Uint8Array | null | undefined> {
  const found = sql<{ value: Uint8Array | null }>`
    select ${sql.ref(sealed.column)} as value from ${sql.table(sealed.table)} where ${isRow(sealed, key)}`;
  return (await session.query(() => found))[0]?.value;
}

export async function replaceSealedValue(
  trx: Transaction,
  sealed: SealedColumn,
  key: RowKey,
  value: Uint8Array,
): Promise<void> {
  const { table, column } = sealed;
  await trx.query(
    () => sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${isRow(sealed, key)}`,
  );
}

/** Replaces the key check and the audit key of the appliance. From the next write on, every process seals with their key. */
export const changeSealingKey = updateRow("appliance", ["id"], ["key_check", "audit_key"]);
