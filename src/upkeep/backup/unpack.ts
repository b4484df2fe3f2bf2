/** Reads a backup: decrypts it, verifies its checksum, then reads every page of the database in it. */
import { createReadStream } from "node:fs";
import { type FileHandle, open, stat, truncate } from "node:fs/promises";
import { copyDatabase } from "../../../storage/sqlite/copy.ts";
import { isStorageFailure, StorageError } from "../../../storage/database/errors.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { type Content, examineDatabase, hashFile, refuseHalfRotated } from "./backup-content.ts";
import { decrypt, isEncrypted, UnreadableBackup, type Manifest, readTrailer } from "./backup-format.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import { exists, explainUnreadable, writeDraft } from "./backup-files.ts";

export interface Source {
  /** Absolute path of the backup. */
  file: string;
  /** For encrypted backups; null if none was given. */
  passphrase: string | null;
  /** Accepts a plain database file that another tool copied, which has no checksum. */
  withoutChecksum: boolean;
  /** If null, it is not checked whether one of them is the right key. */
  masterKeys: readonly Uint8Array[] | null;
}

export interface Unpacked {
  content: Content;
  /** Null for a copy by another tool. */
  manifest: Manifest | null;
  encrypted: boolean;
}

/**
 * Writes the database in the backup to the new file `draft`, readable only by its owner, verifies its checksum, and reads all of
 * it. Throws ConfigurationError if anything is wrong with the file.
 */
export async function unpack(source: Source, draft: string): Promise<Unpacked> {
  const { file } = source;
  const encrypted = await startsEncrypted(file);
  const whole = encrypted ? draft : file;
  if (encrypted) await writeDecrypted(source, draft);
  const manifest = await readManifest(whole, source, encrypted);
  if (manifest === null) await copyWithLog(file, draft);
  else if (encrypted) await truncate(draft, manifest.bytes);
  else await writeDraft(createReadStream(file, { end: manifest.bytes - 1 }), draft);
  // Verifies the draft rather than the source, which may change, or be read wrongly once.
  if (manifest !== null && (await hashFile(draft)) !== manifest.sha256) throw changed(file);
  const content = await examineDatabase(draft, { kind: "backup", name: sameInBoth(file) }, source.masterKeys);
  if (source.masterKeys !== null) await refuseHalfRotated(draft, file, source.masterKeys);
  if (manifest !== null && !isSame(content, manifest)) throw changed(file);
  return { content, manifest, encrypted };
}

/** Throws ConfigurationError if `file` does not exist or cannot be read. */
export async function requireBackupFile(file: string): Promise<void> {
  await startsEncrypted(file);
}

async function startsEncrypted(file: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    throw unreadable(file, explainUnreadable(error), error);
  }
  try {
    if (!(await handle.stat()).isFile())
      throw unreadable(file, { en: "it is not a file", el: "δεν είναι αρχείο" });
    const start = Buffer.alloc(16);
    await handle.read(start, 0, start.length, 0);
    return isEncrypted(start);
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, reason: Text, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    {
      en: `The backup ${file} cannot be read: ${reason.en}`,
      el: `Το αντίγραφο ${file} δεν διαβάζεται: ${reason.el}`,
    },
    { cause },
  );
}

async function writeDecrypted({ file, passphrase }: Source, draft: string): Promise<void> {
  if (passphrase === null) {
    throw new ConfigurationError({
      en: `${file} is encrypted; name the file of its passphrase in backup.passphrase_file`,
      el: `Το ${file} είναι κρυπτογραφημένο· δώστε το αρχείο του συνθηματικού στο backup.passphrase_file`,
      next: { operation: "givePassphrase" },
    });
  }
  try {
    await writeDraft(decrypt(createReadStream(file), passphrase), draft);
  } catch (error) {
    if (!(error instanceof UnreadableBackup)) throw error;
    throw new ConfigurationError(
      {
        en: `${file} cannot be decrypted: the passphrase is wrong, or the file is damaged`,
        el: `Το ${file} δεν αποκρυπτογραφείται: το συνθηματικό είναι λάθος ή το αρχείο έχει φθαρεί`,
      },
      { cause: error },
    );
  }
}

async function readManifest(
  whole: string,
  { file, withoutChecksum }: Source,
  encrypted: boolean,
): Promise<Manifest | null> {
  const handle = await open(whole, "r");
  try {
    const trailer = await readTrailer(handle);
    if (trailer.kind === "manifest") return trailer.manifest;
    if (trailer.kind === "newer")
      throw new ConfigurationError({
        en: `${file} was made by a newer fiscal, in a form that this one cannot read; install that version or a newer one`,
        el: `Το ${file} έγινε από νεότερη έκδοση του fiscal, σε μορφή που αυτή δεν διαβάζει· εγκαταστήστε εκείνη ή νεότερη`,
      });
    if (trailer.kind === "broken" || encrypted) throw changed(file);
    if (withoutChecksum) return null;
  } finally {
    await handle.close();
  }
  throw new ConfigurationError({
    en:
      `${file} does not end like a backup of fiscal: it is truncated, or another tool made it; only a copy made ` +
      "in another way may be accepted without a checksum",
    el:
      `Το ${file} δεν τελειώνει όπως ένα αντίγραφο του fiscal: έχει κοπεί ή το έφτιαξε άλλο εργαλείο· μόνο αντίγραφο ` +
      "που έγινε με άλλον τρόπο μπορεί να γίνει δεκτό χωρίς άθροισμα ελέγχου",
    next: { operation: "acceptWithoutChecksum" },
  });
}

/** Copies a plain database together with its log, if it has one or is in use: the log contains the latest writes. */
async function copyWithLog(file: string, draft: string): Promise<void> {
  if (!(await hasLog(file))) return writeDraft(createReadStream(file), draft);
  // Created before SQLite does, so that only its owner can read it.
  await writeDraft([], draft);
  try {
    await copyDatabase(file, draft);
  } catch (error) {
    if (!(error instanceof StorageError) && !isStorageFailure(error)) throw error;
    throw new ConfigurationError(
      {
        en: `${file} cannot be read together with the log beside it; copy both into a writable folder, and try again`,
        el: `Το ${file} δεν διαβάζεται μαζί με το αρχείο καταγραφής δίπλα του· αντιγράψτε και τα δύο σε φάκελο με δικαίωμα εγγραφής και δοκιμάστε ξανά`,
      },
      { cause: error },
    );
  }
}

async function hasLog(file: string): Promise<boolean> {
  for (const log of [`${file}-wal`, `${file}-journal`])
    if ((await exists(log)) && (await stat(log)).size > 0) return true;
  return false;
}

function isSame(content: Content, manifest: Manifest): boolean {
  const { schema, counts, last_event } = manifest;
  return (
    content.schema === schema &&
    content.last_event === last_event &&
    Object.entries(content.counts).every(([table, rows]) => counts[table] === rows)
  );
}

function changed(file: string): ConfigurationError {
  return new ConfigurationError({
    en: `${file} has changed since it was made: its checksum is wrong; use another backup`,
    el: `Το ${file} έχει αλλάξει από τότε που έγινε: το άθροισμα ελέγχου του είναι λάθος· χρησιμοποιήστε άλλο αντίγραφο`,
  });
}
