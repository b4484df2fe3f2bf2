/**
 * A program that replicates a database continuously, in the way Litestream does: it holds a read transaction, so that only itself
 * can reset the write-ahead log, and copies what is appended to the log. It opens the database as another process would.
 */
import { closeSync, copyFileSync, openSync, readFileSync, readSync, statSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";

/** The part of the log's header that changes when the log starts again. */
const HEADER_BYTES = 32;

/** `base` receives the first copy of the database. */
export function startLogReplicator(database: string, base: string) {
  const connection = new Database(database);
  // Its own checkpoint empties the log. Its own write is then the first in the log, so that its reading keeps it from being reset.
  connection.pragma("wal_checkpoint(TRUNCATE)");
  copyFileSync(database, base);
  connection.exec("create table if not exists _litestream_seq (id integer primary key, seq integer)");
  connection.exec(
    "insert into _litestream_seq values (1, 1) on conflict (id) do update set seq = seq + 1; begin",
  );
  connection.prepare("select seq from _litestream_seq").get();
  const log = `${database}-wal`;
  const header = readFileSync(log).subarray(0, HEADER_BYTES);
  let copy = Buffer.alloc(0);
  return {
    /** Copies what was appended to the log since the last call. Throws if somebody else reset the log. */
    replicate() {
      const size = statSync(log).size;
      if (size < copy.length || !readStart(log, HEADER_BYTES).equals(header))
        throw new Error("Another process reset the log");
      copy = Buffer.concat([copy, readStart(log, size).subarray(copy.length)]);
    },
    /** The length of the copied log in bytes. */
    copied: () => copy.length,
    /** Writes the replica, from the first `bytes` of the copied log, to `file` and `file-wal`. */
    restore(file: string, bytes = copy.length) {
      copyFileSync(base, file);
      writeFileSync(`${file}-wal`, copy.subarray(0, bytes));
    },
    stop: () => void connection.close(),
  };
}

export type LogReplicator = ReturnType<typeof startLogReplicator>;

function readStart(file: string, bytes: number): Buffer {
  const handle = openSync(file, "r");
  try {
    const start = Buffer.alloc(bytes);
    return start.subarray(0, readSync(handle, start, 0, bytes, 0));
  } finally {
    closeSync(handle);
  }
}
