/** Copies every table of a database file into an empty database in PostgreSQL, in one transaction, and compares the two. */
import { createHash, type Hash } from "node:crypto";
import Database from "better-sqlite3";
import type { Client } from "pg";
import { isBusy, StorageError } from "../database/errors.ts";
import { distrustSchema } from "../sqlite/examine.ts";
import { migratePostgres, OWN_TABLES } from "./postgres-schema.ts";
import { readAddress } from "./postgres-address.ts";
import { checkServer, connect, drop } from "./postgres-connection.ts";
import { explainFailure } from "./postgres-errors.ts";

/** Values as SQLite has them: text, integers that fit a number, bytes and null. */
type Value = string | number | Uint8Array | null;

/** For a write of another process. */
const MOVE_WAIT_MS = 10_000;

/** Opens `file` and holds the appliance in it, in a transaction. `now` is recorded as the time of the copy. */
function openSource(file: string, now: string): Database.Database {
  const database = new Database(file, { fileMustExist: true, timeout: MOVE_WAIT_MS });
  try {
    distrustSchema(database);
    database.pragma("synchronous = FULL");
    database.exec("begin immediate");
    database
      .prepare("update appliance set backup_at = ?, state = 'held' where id = 1 and state = 'active'")
      .run(now);
    return database;
  } catch (error) {
    database.close();
    throw isBusy(error) ? new StorageError(inUse(file), { cause: error }) : error;
  }
}

/** The rows of a table, in the order of its key. Finish one table before the next. */
function rowsOf(source: Database.Database, { name, columns, key }: Table): Iterable<Value[]> {
  const names = list(columns.map((column) => column.name));
  return source
    .prepare<[], Value[]>(`select ${names} from ${quote(name)} order by ${list(key)}`)
    .raw()
    .iterate();
}

/** The highest number that the table gave to a row, also to one that was deleted; 0 if it numbers none. */
function lastNumberOf(source: Database.Database, table: string): number {
  const select = source.prepare<[string], number>("select seq from sqlite_sequence where name = ?");
  return select.pluck().get(table) ?? 0;
}

/** A name in SQL; `columns` and tables are names from a schema. */
function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function list(names: readonly string[]): string {
  return names.map(quote).join(", ");
}

function inUse(file: string) {
  return {
    en: `Another process keeps writing to the database ${file}; stop it and try again`,
    el: `Άλλη διεργασία γράφει συνεχώς στη βάση ${file}· σταματήστε την και δοκιμάστε ξανά`,
  };
}

export interface CopiedTable {
  table: string;
  rows: number;
}

export interface CopyOrder {
  /** Absolute path of the database file. Its schema is that of this program. */
  database: string;
  /** `postgres://…`, which may contain a password. */
  url: string;
  nowMs: number;
  onProgress(rows: number): void;
}

interface Column {
  name: string;
  /** As PostgreSQL calls it: `text`, `int8` or `bytea`. */
  type: string;
  isIdentity: number;
}

interface Table {
  name: string;
  columns: Column[];
  key: string[];
}

/** A batch of rows ends at either. */
const ROWS_MAX = 500;
const BYTES_MAX = 4 * 1024 * 1024;

/**
 * Copies the database, which is held and committed before the copy is, so that the two are never both active. Throws a StorageError if
 * another process keeps writing to it, if the other database has an appliance, and if the copy differs; then neither is changed.
 */
export async function copyTables({ database, url, nowMs, onProgress }: CopyOrder): Promise<CopiedTable[]> {
  const source = openSource(database, new Date(nowMs).toISOString());
  try {
    const address = readAddress(url);
    const client = await connect(address);
    try {
      await checkServer(client, address);
      await migratePostgres(client);
      await client.query("begin; lock table appliance in exclusive mode");
      await requireEmpty(client);
      const copied: CopiedTable[] = [];
      let done = 0;
      for (const table of await readTables(client)) {
        const rows = await copyTable(client, source, table, (count) => onProgress(done + count));
        done += rows;
        copied.push({ table: table.name, rows });
      }
      source.exec("commit");
      await client.query("commit");
      return copied;
    } finally {
      drop(client);
    }
  } catch (error) {
    throw explainFailure(error);
  } finally {
    source.close();
  }
}

async function requireEmpty(client: Client): Promise<void> {
  const { rowCount } = await client.query("select 1 from appliance");
  if (rowCount !== 0)
    throw new StorageError({
      en: "The other database already has an appliance; name an empty one",
      el: "Η άλλη βάση έχει ήδη εγκατάσταση του fiscal· δώστε μια άδεια",
    });
}

/** Ours, not those of another tool, in the order of their creation, in which no table comes before one that it refers to. */
async function readTables(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; oid: number }>(
    "select relname as name, oid::bigint as oid from pg_class where relkind = 'r' and relname <> 'schema_version'" +
      " and relnamespace = current_schema()::regnamespace and relname <> all ($1) order by oid",
    [OWN_TABLES],
  );
  const tables: Table[] = [];
  for (const { name, oid } of rows) {
    const columns = await client.query<Column>(
      `select a.attname as name, t.typname as type, a.attidentity <> '' as "isIdentity" from pg_attribute a` +
        " join pg_type t on t.oid = a.atttypid where a.attrelid = $1 and a.attnum > 0 and not a.attisdropped order by a.attnum",
      [oid],
    );
    const key = await client.query<{ name: string }>(
      "select a.attname as name from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (attnum, place)" +
        " join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum" +
        " where i.indrelid = $1 and i.indisprimary order by k.place",
      [oid],
    );
    tables.push({ name, columns: columns.rows, key: key.rows.map((column) => column.name) });
  }
  return tables;
}

async function copyTable(
  client: Client,
  source: Database.Database,
  table: Table,
  onProgress: (rows: number) => void,
): Promise<number> {
  const names = table.columns.map(({ name }) => name);
  const digest = createHash("sha256");
  let count = 0;
  let highest = lastNumberOf(source, table.name);
  const numbered = table.columns.findIndex(({ isIdentity }) => isIdentity === 1);
  for (const batch of batchesOf(rowsOf(source, table))) {
    await insert(client, table, batch);
    for (const row of batch) {
      addRow(digest, row);
      if (numbered !== -1) highest = Math.max(highest, Number(row[numbered]));
    }
    count += batch.length;
    onProgress(count);
  }
  if (numbered !== -1 && highest > 0)
    await client.query("select setval(pg_get_serial_sequence($1, $2), $3)", [
      quote(table.name),
      names[numbered],
      highest,
    ]);
  if (digest.digest("hex") !== (await digestOf(client, table))) throw differs(table.name);
  return count;
}

function* batchesOf(rows: Iterable<Value[]>): Generator<Value[][]> {
  let batch: Value[][] = [];
  let bytes = 0;
  for (const row of rows) {
    batch.push(row);
    for (const value of row) bytes += value === null || typeof value === "number" ? 8 : value.length;
    if (batch.length < ROWS_MAX && bytes < BYTES_MAX) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** One array for each column: a statement with a parameter for each value would have too many of them. */
async function insert(client: Client, { name, columns }: Table, batch: readonly Value[][]): Promise<void> {
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(", ");
  await client.query(
    `insert into ${quote(name)} (${list(columns.map((column) => column.name))}) select * from unnest(${arrays})`,
    columns.map((_column, at) => batch.map((row) => row[at])),
  );
}

/** Of what was stored, read back in the order of the keys. */
async function digestOf(client: Client, { name, columns, key }: Table): Promise<string> {
  const names = list(columns.map((column) => column.name));
  await client.query(
    `declare stored no scroll cursor for select ${names} from ${quote(name)} order by ${list(key)}`,
  );
  const digest = createHash("sha256");
  for (;;) {
    const { rows } = await client.query<Value[]>({ text: "fetch 100 from stored", rowMode: "array" });
    if (rows.length === 0) break;
    for (const row of rows) addRow(digest, row);
  }
  await client.query("close stored");
  return digest.digest("hex");
}

function addRow(digest: Hash, row: readonly Value[]): void {
  for (const value of row) {
    if (value === null) digest.update("null;");
    else if (typeof value === "number") digest.update(`${value};`);
    else if (typeof value === "string") digest.update(`text ${Buffer.byteLength(value)};`).update(value);
    else digest.update(`bytes ${value.length};`).update(value);
  }
}

function differs(table: string): StorageError {
  return new StorageError({
    en: `The copy of the table ${table} differs from the original; nothing was moved`,
    el: `Το αντίγραφο του πίνακα ${table} διαφέρει από το πρωτότυπο· τίποτα δεν μεταφέρθηκε`,
  });
}
