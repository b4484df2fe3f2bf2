/** Describes errors of the operating system in words. */
import type { StorageText } from "./errors.ts";

const NOT_PERMITTED: StorageText = {
  en: "this user may not do that",
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
