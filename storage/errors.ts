/** Storage that cannot be opened or used as it is: another program's file, a newer schema, a wrong key, no space. */
export class StorageError extends Error {
  override readonly name = "StorageError";
}

/** No master key of this process is the one that the database is sealed with. */
export class MasterKeyError extends StorageError {
  constructor() {
    super(
      "The master key is not the one that this database was made with; give the right one. Where it was replaced while " +
        "this process ran, restart the process with the new one",
    );
  }
}

/** The schema is newer than this program: brought up by another one, before this one began or while it ran. */
export class NewerSchemaError extends StorageError {
  constructor(file = "") {
    super(
      `The database ${file === "" ? "" : `${file} `}was written by a newer fiscal; install that version or a newer one`,
    );
  }
}

/** The database that is open is no longer the file at its path. */
export class MissingDatabaseError extends StorageError {
  constructor() {
    super("The database is no longer where it was opened: it was moved, deleted or replaced");
  }
}

interface SqliteFailure {
  code: string;
}

/** `SQLITE_FULL` and the like; undefined for errors that are not SQLite's. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error as unknown as SqliteFailure;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/** The file, or one beside it, could not be opened: its place or its permissions, not what is in it. */
export function isUnopenable(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code);
}

/** Another connection holds the write lock: waiting helps. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_LOCKED"));
}

/** The database itself failed (disk full, I/O, corruption): nothing that a caller did. */
export function isStorageFailure(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && !code.startsWith("SQLITE_CONSTRAINT");
}

/** The disk has no room for what was to be written. */
export function isOutOfSpace(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === "SQLITE_FULL" || code === "SQLITE_IOERR_SHMSIZE";
}

/**
 * Nothing can be written for now, and what was to be written was not: the disk is full, fails or was made read-only, or
 * another process holds the lock; or the file was taken away. The same may be tried again, unlike with a damaged file.
 */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof StorageError) return error instanceof MissingDatabaseError || isBusy(error.cause);
  const code = sqliteCode(error);
  return code !== undefined && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM|NOMEM|BUSY|LOCKED)/.test(code);
}
