/** Errors of the database: it cannot be opened or used (StorageError), or SQLite itself failed. Describes errors of the operating system in words. */

/** A message in both languages; src/foundation/text.ts has the same type, which storage may not import. */
export interface StorageText {
  readonly en: string;
  readonly el: string;
  readonly next?: { readonly operation: "chooseDataFolder" | "initialise" };
}

/** The database cannot be opened or used: wrong file, wrong key, other schema, no permission, no space. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  /** `message` is its English. */
  readonly text: StorageText;

  constructor(text: StorageText, options?: ErrorOptions) {
    super(text.en, options);
    this.text = text;
  }
}

/** The database is encrypted with a master key that this process does not have. */
export class MasterKeyError extends StorageError {
  constructor() {
    super({
      en:
        "The master key is not the one that this database was made with; give the right one. If it was replaced while " +
        "this process was running, restart the process with the new one",
      el:
        "Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε αυτή η βάση· δώστε το σωστό. Αν αντικαταστάθηκε όσο " +
        "εκτελούνταν αυτή η διεργασία, ξεκινήστε την ξανά με το νέο",
    });
  }
}

/** The audit key in the database does not open: it was changed or damaged. Without it, no event can be written. */
export class AuditKeyError extends StorageError {
  constructor() {
    super({
      en:
        "The audit key in the database was changed or damaged, so nothing can be recorded; find out who changed the file, " +
        "then restore a backup (docs/audit.md)",
      el:
        "Το κλειδί ελέγχου στη βάση άλλαξε ή φθάρηκε, οπότε τίποτα δεν μπορεί να καταγραφεί· βρείτε ποιος άλλαξε το αρχείο " +
        "και έπειτα επαναφέρετε ένα αντίγραφο ασφαλείας (docs/audit.md)",
    });
  }
}

/** The contents of one document do not open. The rest of the database is not affected. */
export class UnreadableContentsError extends StorageError {
  constructor(documentId: string) {
    super({
      en: `The contents of ${documentId} cannot be decrypted: they were damaged, or encrypted with another master key`,
      el: `Το περιεχόμενο του ${documentId} δεν αποκρυπτογραφείται: έχει αλλοιωθεί ή κρυπτογραφήθηκε με άλλο κύριο κλειδί`,
    });
  }
}

/** The schema is newer than this program: another version migrated it, before this process started or since. */
export class NewerSchemaError extends StorageError {
  constructor(file = "") {
    const named = file === "" ? "" : `${file} `;
    super({
      en: `The database ${named}was written by a newer fiscal; install that version or a newer one`,
      el: `Η βάση ${named}γράφτηκε από νεότερη έκδοση του fiscal· εγκαταστήστε εκείνη ή νεότερη`,
    });
  }
}

/** The file at the database's path is no longer the one that is open. */
export class MissingDatabaseError extends StorageError {
  constructor() {
    super({
      en: "The database is no longer where it was opened: it was moved, deleted or replaced",
      el: "Η βάση δεν βρίσκεται πια εκεί όπου άνοιξε: μετακινήθηκε, διαγράφηκε ή αντικαταστάθηκε",
    });
  }
}

/** The database server cannot be reached or cannot work for now: the write was not stored, or that is not known. */
export class UnavailableDatabaseError extends StorageError {
  constructor(reason: StorageText, options?: ErrorOptions) {
    super(
      {
        en: `The database server cannot be used: ${reason.en}`,
        el: `Ο διακομιστής της βάσης δεν είναι διαθέσιμος: ${reason.el}`,
      },
      options,
    );
  }
}

/** Returns `SQLITE_FULL` and the like; undefined for errors that are not SQLite's. */
export function sqliteCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return code?.startsWith("SQLITE_") === true ? code : undefined;
}

function hasCode(error: unknown, pattern: RegExp): boolean {
  const code = sqliteCode(error);
  return code !== undefined && pattern.test(code);
}

/** Whether the path or permissions of the file, or of one next to it, prevented opening it, rather than its content. */
export function isUnopenable(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(CANTOPEN|READONLY|PERM)/);
}

/** Whether another connection holds the write lock, so that waiting helps. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(BUSY|LOCKED)/);
}

/** Whether the database itself failed (disk full, I/O, corruption), as opposed to a broken constraint. */
export function isStorageFailure(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?!CONSTRAINT)/);
}

export function isOutOfSpace(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(FULL|IOERR_SHMSIZE)$/);
}

/**
 * Whether nothing can be written for now and the failed write left nothing behind: the disk is full, failing or read-only,
 * another process holds the lock, the file was removed, or a newer program has migrated the database, for which another server may
 * answer. Retrying may succeed, unlike with a damaged file.
 */
export function isUnwritable(error: unknown): boolean {
  if (error instanceof UnavailableDatabaseError || error instanceof NewerSchemaError) return true;
  if (error instanceof StorageError) return error instanceof MissingDatabaseError || isBusy(error.cause);
  return hasCode(error, /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|PERM|NOMEM|BUSY|LOCKED)/);
}

const NOT_PERMITTED: StorageText = {
  en: "this user has no permission",
  el: "ο χρήστης αυτός δεν έχει το δικαίωμα",
};

/** Windows reports a file that another program has open in any of these ways. */
const NOT_PERMITTED_OR_OPEN: StorageText = {
  en: `${NOT_PERMITTED.en}, or another program has it open`,
  el: `${NOT_PERMITTED.el}, ή το έχει ανοιχτό άλλο πρόγραμμα`,
};
const REASONS_ON_WINDOWS: Readonly<Record<string, StorageText>> = {
  EACCES: NOT_PERMITTED_OR_OPEN,
  EPERM: NOT_PERMITTED_OR_OPEN,
  EBUSY: { en: "another program has it open", el: "το έχει ανοιχτό άλλο πρόγραμμα" },
};

const REASONS: Readonly<Record<string, StorageText>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: {
    en: "the disk is mounted for reading only",
    el: "ο δίσκος είναι προσαρτημένος μόνο για ανάγνωση",
  },
  ENOSPC: { en: "the disk is full", el: "ο δίσκος είναι γεμάτος" },
  EDQUOT: { en: "the disk quota is used up", el: "το όριο χώρου στον δίσκο εξαντλήθηκε" },
  ENOENT: { en: "no files can be created there", el: "εκεί δεν μπορούν να δημιουργηθούν αρχεία" },
  ENOTDIR: { en: "a part of its path is not a folder", el: "ένα μέρος της διαδρομής δεν είναι φάκελος" },
  EEXIST: { en: "something else is in its place", el: "στη θέση του υπάρχει κάτι άλλο" },
  ELOOP: { en: "its links lead in a circle", el: "οι σύνδεσμοί του οδηγούν σε κύκλο" },
  ENAMETOOLONG: { en: "its path is too long", el: "η διαδρομή του είναι πολύ μεγάλη" },
  EIO: { en: "the disk is failing", el: "ο δίσκος παρουσιάζει βλάβη" },
  EPIPE: { en: "nobody reads it any more", el: "δεν το διαβάζει πια κανείς" },
};

/** Returns `ENOENT`, `SQLITE_FULL` and the like; undefined for an error that has none. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** The reason for an error of the file system, without a full stop; its code if it is not one of those above. */
export function explainSystemError(error: unknown): StorageText {
  const code = codeOf(error);
  const words = error instanceof Error ? error.message : String(error);
  const reasons = process.platform === "win32" ? { ...REASONS, ...REASONS_ON_WINDOWS } : REASONS;
  return (code === undefined ? undefined : reasons[code]) ?? { en: code ?? words, el: code ?? words };
}
