/** Reading a backup: its checksum first, then every page of the database in it. */
import { createReadStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { copyDatabase } from "../../../storage/copy.ts";
import { isStorageFailure, StorageError } from "../../../storage/errors.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { type Content, examine, hashFile } from "./backup-content.ts";
import { decrypt, isEncrypted, UnreadableBackup } from "./encryption.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { exists } from "./backup-files.ts";
import { refuseHalfRotated } from "./half-rotated.ts";
import type { Manifest } from "./manifest.ts";
import { readTrailer } from "./trailer.ts";

export interface Source {
  /** Absolute path of the backup. */
  file: string;
  /** For an encrypted one; null where none was given. */
  passphrase: string | null;
  /** Takes a plain database file that another tool copied: it has no checksum of its own. */
  withoutChecksum: boolean;
  /** Null leaves it untried whether it is the right one. */
  masterKeys: readonly Uint8Array[] | null;
}

export interface Unpacked {
  content: Content;
  /** Null for a copy that another tool made. */
  manifest: Manifest | null;
  encrypted: boolean;
}

/**
 * Writes the database in the backup to the new file `draft`, for its owner only, holds it against its checksum, and looks at
 * all of it. Throws ConfigurationError that says what is wrong with the file.
 */
export async function unpack(source: Source, draft: string): Promise<Unpacked> {
  const { file } = source;
  const encrypted = await startsEncrypted(file);
  const whole = encrypted ? draft : file;
  if (encrypted) await writeDecrypted(source, draft);
  const manifest = await readManifest(whole, source, encrypted);
  if (encrypted) await cut(draft, manifest?.bytes);
  else if (manifest === null) await copyWithLog(file, draft);
  else await copyStart(file, draft, manifest.bytes);
  // What is there now, and not what it was read from: that may be written to, or be read wrong once.
  if (manifest !== null && (await hashFile(draft)) !== manifest.sha256) throw changed(file);
  const content = await examine(draft, file, source.masterKeys);
  if (source.masterKeys !== null) await refuseHalfRotated(draft, file, source.masterKeys);
  if (manifest !== null && !isSame(content, manifest)) throw changed(file);
  return { content, manifest, encrypted };
}

async function startsEncrypted(file: string): Promise<boolean> {
  let handle: FileHandle;
  try {
    handle = await open(file, "r");
  } catch (error) {
    const reason = codeOf(error) === "ENOENT" ? "there is no such file" : (codeOf(error) ?? String(error));
    throw new ConfigurationError(`The backup ${file} cannot be read: ${reason}`, { cause: error });
  }
  try {
    if (!(await handle.stat()).isFile())
      throw new ConfigurationError(`The backup ${file} cannot be read: it is no file`);
    const start = Buffer.alloc(16);
    await handle.read(start, 0, start.length, 0);
    return isEncrypted(start);
  } finally {
    await handle.close();
  }
}

async function writeDecrypted({ file, passphrase }: Source, draft: string): Promise<void> {
  if (passphrase === null) {
    throw new ConfigurationError(
      `${file} is encrypted; name the file of its passphrase with --passphrase-file or backup.passphrase_file`,
    );
  }
  try {
    await writeAll(decrypt(createReadStream(file), passphrase), draft);
  } catch (error) {
    if (!(error instanceof UnreadableBackup)) throw error;
    throw new ConfigurationError(
      `${file} does not open: its passphrase is another one, or the file is damaged`,
      { cause: error },
    );
  }
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, draft: string): Promise<void> {
  const target = await open(draft, "wx", 0o600);
  try {
    for await (const piece of pieces) await target.writeFile(piece);
  } finally {
    await target.close();
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
      throw new ConfigurationError(
        `${file} was made by a newer fiscal, in a form that this one does not know; install that version or a newer one`,
      );
    if (trailer.kind === "broken" || encrypted) throw changed(file);
    if (withoutChecksum) return null;
  } finally {
    await handle.close();
  }
  throw new ConfigurationError(
    `${file} does not end like a backup of fiscal: it is cut off, or another tool made it; ` +
      "take a copy of the database that has no checksum with --without-checksum",
  );
}

async function cut(draft: string, bytes: number | undefined): Promise<void> {
  const handle = await open(draft, "r+");
  try {
    await handle.truncate(bytes ?? (await stat(draft)).size);
  } finally {
    await handle.close();
  }
}

async function copyStart(file: string, draft: string, bytes?: number): Promise<void> {
  await writeAll(createReadStream(file, bytes === undefined ? {} : { end: bytes - 1 }), draft);
}

/**
 * A plain copy may have come with its log, or be in use: what was written last stands in the log then, and is read along.
 */
async function copyWithLog(file: string, draft: string): Promise<void> {
  if (!(await hasLog(file))) return copyStart(file, draft);
  // Before SQLite makes it: for its owner only.
  await (await open(draft, "wx", 0o600)).close();
  try {
    await copyDatabase(file, draft);
  } catch (error) {
    if (!(error instanceof StorageError) && !isStorageFailure(error)) throw error;
    throw new ConfigurationError(
      `${file} cannot be read together with the log beside it; copy both into a folder that can be written, and try again`,
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
  return new ConfigurationError(
    `${file} is not what was written: its checksum does not fit; take another backup`,
  );
}
