/**
 * A look at the database file before and after SQLite has tried it: which file, why not, and what next. It asks the file
 * system for names and sizes only: a file that is opened and closed beside SQLite loses SQLite's locks (POSIX).
 */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { sqliteCode, StorageError } from "./errors.ts";
import { describeSystemError } from "./system-errors.ts";

/** Every database of ours has pages of this size, SQLite's default. */
const PAGE_BYTES = 4096;
/** A file is empty for a moment while it is made: no longer than this. */
const MAKING_MS_MAX = 30_000;

const RESTORE = "put the whole file back, or restore the last good backup";

/**
 * Throws StorageError where `file` cannot be the database that it is taken for: no file, one that this user may not use, an
 * empty one, one that was cut, one whose log is gone. A file that is not there is none of these.
 */
export function examineFile(file: string): void {
  const found = statOf(file);
  if (found === undefined) return;
  if (!found.isFile()) {
    const what = found.isDirectory() ? "a folder" : "no ordinary file";
    throw new StorageError(`The database ${file} is ${what}; name the right one in storage.database`);
  }
  requireAccess(file, "The database");
  const walBytes = statOf(`${file}-wal`)?.size;
  if (walBytes !== undefined) requireAccess(`${file}-wal`, "The write-ahead log");
  if (found.size === 0) {
    if (Date.now() - found.mtimeMs < MAKING_MS_MAX) return;
    throw new StorageError(
      `The database ${file} is empty: ${RESTORE}, or delete it if nothing was ever kept in it`,
    );
  }
  // With a log the file may be anything between two checkpoints: what counts is in the log.
  if ((walBytes ?? 0) === 0 && found.size % PAGE_BYTES !== 0)
    throw new StorageError(`The database ${file} was cut: a part of its last page is missing; ${RESTORE}`);
  if (walBytes === undefined) requireLog(file);
}

/** SQLite removes the index of the log before the log itself: an index alone is left of a copy, or of a deletion. */
function requireLog(file: string): void {
  if (statOf(`${file}-shm`) === undefined || statOf(`${file}-wal`) !== undefined) return;
  throw new StorageError(
    `The log ${file}-wal is missing, and the last writes with it: put it back, or restore the last good backup; ` +
      `if the database was closed in order before it was copied, delete ${file}-shm`,
  );
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new StorageError(`${file} cannot be looked at: ${describeSystemError(error)}; ${OTHER_USER}`, {
      cause: error,
    });
  }
}

const OTHER_USER = "run this as the user whose it is, or name another place with --data-dir";

/** Throws StorageError where this user may not read and write `path`; `what` begins the sentence. */
export function requireAccess(path: string, what: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StorageError(
      `${what} ${path} cannot be written: ${describeSystemError(error)}; ${OTHER_USER}`,
      {
        cause: error,
      },
    );
  }
}

/** What SQLite met while `file` was opened, as a sentence with the next step. */
export function explainOpening(file: string, error: unknown): StorageError {
  return new StorageError(reasonOf(file, error), { cause: error });
}

function reasonOf(file: string, error: unknown): string {
  const code = sqliteCode(error) ?? "";
  if (code.startsWith("SQLITE_NOTADB"))
    return `${file} is not a database of fiscal; name the right one in storage.database, or ${RESTORE}`;
  if (code.startsWith("SQLITE_CORRUPT")) return `The database ${file} is damaged; ${RESTORE}`;
  if (code.startsWith("SQLITE_FULL") || code === "SQLITE_IOERR_SHMSIZE" || code === "SQLITE_IOERR_WRITE")
    return `The database ${file} cannot be opened: its disk is full (${freeText(file)}); make room there, and start again`;
  if (
    code.startsWith("SQLITE_READONLY") ||
    code.startsWith("SQLITE_CANTOPEN") ||
    code.startsWith("SQLITE_PERM")
  )
    return `The database ${file} cannot be opened: this user may not write it or its folder; ${OTHER_USER}`;
  if (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"))
    return `The database ${file} cannot be opened: another process holds it; end that one, or try again`;
  return `The database ${file} cannot be opened: ${error instanceof Error ? error.message : String(error)}`;
}

/** `12 MB free`, of the disk that `file` lies on. */
function freeText(file: string): string {
  const { bavail, bsize } = statfsSync(dirname(file));
  return `${Math.floor((bavail * bsize) / 1_048_576)} MB free`;
}
