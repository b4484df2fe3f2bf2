/**
 * Checks the database file before SQLite opens it, and explains why opening it failed. It reads names and sizes only, since
 * opening and closing a file that SQLite has open would release SQLite's POSIX locks.
 */
import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { explainSystemError, sqliteCode, StorageError, type StorageText } from "../database/errors.ts";
import type Database from "better-sqlite3";

/** SQLite's default page size, which all our databases have. */
const PAGE_BYTES = 4096;
/** A new file is empty while it is being created, for no longer than this. */
const CREATION_MS_MAX = 30_000;

const RESTORE: StorageText = {
  en: "put the whole file back, or restore the last good backup",
  el: "επαναφέρετε ολόκληρο το αρχείο ή το τελευταίο καλό αντίγραφο ασφαλείας",
};
const OTHER_USER = {
  en: "run this as the user who owns it, or name another place",
  el: "εκτελέστε το ως ο χρήστης στον οποίο ανήκει ή δώστε άλλη θέση",
  next: { operation: "chooseDataFolder" },
} as const satisfies StorageText;
const NAME_ANOTHER: StorageText = {
  en: "name the right one in storage.database",
  el: "δώστε το σωστό στο storage.database",
};

/**
 * Throws a StorageError if `file` cannot be our database: not a file, no access, empty, truncated, or without its log.
 * A missing file is fine.
 */
export function examineFile(file: string): void {
  const found = statOf(file);
  if (found === undefined) return;
  if (!found.isFile()) throw notAFile(file, found.isDirectory());
  requireAccess(file, DATABASE);
  const walBytes = statOf(`${file}-wal`)?.size;
  if (walBytes !== undefined) requireAccess(`${file}-wal`, WRITE_AHEAD_LOG);
  if (found.size === 0) {
    if (Date.now() - found.mtimeMs < CREATION_MS_MAX) return;
    throw new StorageError({
      en: `The database ${file} is empty: ${RESTORE.en}, or delete it if nothing was ever kept in it`,
      el: `Η βάση ${file} είναι κενή: ${RESTORE.el}, ή διαγράψτε την αν δεν περιείχε ποτέ τίποτα`,
    });
  }
  // With a log, the file alone may be in any state between two checkpoints.
  if ((walBytes ?? 0) === 0 && found.size % PAGE_BYTES !== 0)
    throw new StorageError({
      en: `The database ${file} was cut off: a part of its last page is missing; ${RESTORE.en}`,
      el: `Η βάση ${file} είναι κομμένη: λείπει μέρος της τελευταίας της σελίδας· ${RESTORE.el}`,
    });
  if (walBytes === undefined) requireLog(file);
}

const DATABASE: StorageText = { en: "The database", el: "Η βάση" };
const WRITE_AHEAD_LOG: StorageText = { en: "The write-ahead log", el: "Το αρχείο καταγραφής" };

function notAFile(file: string, isFolder: boolean): StorageError {
  return new StorageError({
    en: `The database ${file} is ${isFolder ? "a folder" : "not an ordinary file"}; ${NAME_ANOTHER.en}`,
    el: `Η βάση ${file} ${isFolder ? "είναι φάκελος" : "δεν είναι κανονικό αρχείο"}· ${NAME_ANOTHER.el}`,
  });
}

/** SQLite removes the log's index (-shm) before the log: an index alone means that the log was lost or not copied. */
function requireLog(file: string): void {
  if (statOf(`${file}-shm`) === undefined || statOf(`${file}-wal`) !== undefined) return;
  throw new StorageError({
    en:
      `The log ${file}-wal is missing, and the last writes with it: put it back, or restore the last good backup; ` +
      `if the database was closed properly before it was copied, delete ${file}-shm`,
    el:
      `Λείπει το αρχείο καταγραφής ${file}-wal και μαζί του οι τελευταίες εγγραφές: επαναφέρετέ το ή επαναφέρετε το ` +
      `τελευταίο καλό αντίγραφο ασφαλείας· αν η βάση είχε κλείσει κανονικά πριν αντιγραφεί, διαγράψτε το ${file}-shm`,
  });
}

function statOf(file: string) {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw refusal(error, { en: `${file} cannot be examined`, el: `Το ${file} δεν μπορεί να εξεταστεί` });
  }
}

/** Throws a StorageError if this user may not read and write `path`; `subject` begins the sentence. */
export function requireAccess(path: string, subject: StorageText): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw refusal(error, {
      en: `${subject.en} ${path} cannot be written`,
      el: `${subject.el} ${path} δεν επιτρέπει εγγραφή`,
    });
  }
}

function refusal(error: unknown, what: StorageText): StorageError {
  const reason = explainSystemError(error);
  return new StorageError(
    {
      en: `${what.en}: ${reason.en}; ${OTHER_USER.en}`,
      el: `${what.el}: ${reason.el}· ${OTHER_USER.el}`,
      next: OTHER_USER.next,
    },
    { cause: error },
  );
}

export function explainOpening(file: string, error: unknown): StorageError {
  return new StorageError(explain(file, error), { cause: error });
}

function explain(file: string, error: unknown): StorageText {
  const code = sqliteCode(error) ?? "";
  const isOneOf = (pattern: RegExp) => pattern.test(code);
  if (isOneOf(/^SQLITE_NOTADB/))
    return {
      en: `${file} is not a database of fiscal; ${NAME_ANOTHER.en}, or ${RESTORE.en}`,
      el: `Το ${file} δεν είναι βάση του fiscal· ${NAME_ANOTHER.el}, ή ${RESTORE.el}`,
    };
  if (isOneOf(/^SQLITE_CORRUPT/))
    return {
      en: `The database ${file} is damaged; ${RESTORE.en}`,
      el: `Η βάση ${file} έχει φθαρεί· ${RESTORE.el}`,
    };
  const words = error instanceof Error ? error.message : String(error);
  const reason: StorageText = explainUnopenable(file, isOneOf) ?? { en: words, el: words };
  return {
    ...reason,
    en: `The database ${file} cannot be opened: ${reason.en}`,
    el: `Η βάση ${file} δεν μπορεί να ανοίξει: ${reason.el}`,
  };
}

/** Windows reports both in the same way. */
const OR_OPEN =
  process.platform === "win32"
    ? { en: ", or another program has it open", el: ", ή την έχει ανοιχτή άλλο πρόγραμμα" }
    : { en: "", el: "" };

function explainUnopenable(file: string, isOneOf: (pattern: RegExp) => boolean): StorageText | undefined {
  if (isOneOf(/^SQLITE_(FULL|IOERR_SHMSIZE$|IOERR_WRITE$)/))
    return {
      en: `its disk is full (${freeMegabytes(file)} MB free); make room there, and start again`,
      el: `ο δίσκος της είναι γεμάτος (ελεύθερα ${freeMegabytes(file)} MB)· ελευθερώστε χώρο και ξεκινήστε ξανά`,
    };
  if (isOneOf(/^SQLITE_(READONLY|CANTOPEN|PERM)/))
    return {
      en: `this user may not write it or its folder${OR_OPEN.en}; ${OTHER_USER.en}`,
      el: `ο χρήστης αυτός δεν μπορεί να γράψει σε αυτήν ή στον φάκελό της${OR_OPEN.el}· ${OTHER_USER.el}`,
      next: OTHER_USER.next,
    };
  if (isOneOf(/^SQLITE_(BUSY|LOCKED)/))
    return {
      en: "another process holds it; end that one, or try again",
      el: "την κρατά άλλη διεργασία· τερματίστε την ή δοκιμάστε ξανά",
    };
  return undefined;
}

function freeMegabytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return Math.floor((bavail * bsize) / 1_048_576);
}

/**
 * Stops views, triggers, defaults and indexes of the file from calling functions with side effects. See "Untrusted SQLite
 * Database Files" in SQLite's security notes; better-sqlite3 allows such calls by default.
 */
export function distrustSchema(database: Database.Database): void {
  database.pragma("trusted_schema = OFF");
}

export function readSchemaVersion(database: Database.Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}
