/**
 * Makes a backup: copies the database while it is in use, checks and describes the copy, and renames it in one step. A backup
 * never contains the master key.
 */
import { appendFile, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { copyDatabase, finishCopy } from "../../../storage/sqlite/copy.ts";
import { makePath } from "../../../storage/files/folder.ts";
import type { ReadMasterKeys } from "../../../storage/encryption/key-ring.ts";
import { openStore } from "../../../storage/sqlite/open-sqlite.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema-version.ts";
import { examineDatabase, hashFile } from "./backup-content.ts";
import { encrypt } from "./encryption.ts";
import {
  newDraftPath,
  exists,
  explainFullDisk,
  fileExists,
  moveIntoPlace,
  removeDraft,
  removeStaleDrafts,
  syncFile,
  writeDraft,
} from "./backup-files.ts";
import { type Manifest, buildTrailer } from "./manifest.ts";

export interface BackupOrder {
  /** Absolute path of the database. */
  database: string;
  /** Returns all available keys, 32 bytes each. One must be the database's. Called twice, because a rotation may be running. */
  readMasterKeys: ReadMasterKeys;
  /** Absolute path of the backup; its folder is created if it is missing. */
  target: string;
  /** Replaces an existing file. */
  force: boolean;
  /** Encrypts the backup unless it is null. */
  passphrase: string | null;
  /** The version of this program. */
  program: string;
  nowMs: number;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Backup {
  manifest: Manifest;
  /** Absolute path. */
  file: string;
  bytes: number;
  encrypted: boolean;
  /** SHA-256 of the whole file, as `sha256sum` prints it. */
  sha256: string;
}

/**
 * Throws `already_exists` if the file exists and `force` is false, ConfigurationError if the database is damaged or the key is
 * wrong, and the system's error if the folder cannot be written. After an error, `target` is as before.
 */
export async function makeBackup(order: BackupOrder): Promise<Backup> {
  const { target, passphrase } = order;
  if (!order.force && (await exists(target))) throw fileExists(target);
  const folder = dirname(target);
  makePath(folder);
  // The plain draft of an encrypted backup is written beside the database, never in the folder of the backup.
  const clear = passphrase === null ? folder : dirname(order.database);
  for (const used of new Set([folder, clear])) await removeStaleDrafts(used);
  const drafts = [newDraftPath(clear)];
  try {
    let draft = drafts[0]!;
    const manifest = await describeCopy(order, draft);
    await appendFile(draft, buildTrailer(manifest));
    if (passphrase !== null) {
      const sealed = newDraftPath(folder);
      drafts.push(sealed);
      await writeDraft(encrypt(createReadStream(draft), passphrase), sealed);
      draft = sealed;
    }
    await syncFile(draft);
    const [sha256, { size: bytes }] = [await hashFile(draft), await stat(draft)];
    await moveIntoPlace(draft, target, order.force);
    return { manifest, file: target, bytes, encrypted: passphrase !== null, sha256 };
  } catch (error) {
    throw explainFullDisk(error, folder);
  } finally {
    for (const draft of drafts) await removeDraft(draft);
  }
}

/** Copies the database, opens the copy as a start would, and reads every page of it. */
async function describeCopy(order: BackupOrder, draft: string): Promise<Manifest> {
  const { database, readMasterKeys, nowMs, program } = order;
  const keysBefore = readMasterKeys();
  // Created before SQLite does, so that only its owner can read it.
  await writeDraft([], draft);
  await copyDatabase(database, draft, order.onProgress);
  // A rotation may have begun or ended during the copy, so its key is one of those before or after.
  const masterKeys = [...keysBefore, ...readMasterKeys()];
  const copy = { kind: "copy", database } as const;
  const { schema } = await examineDatabase(draft, copy, masterKeys);
  if (schema === SCHEMA_VERSION)
    await (await openStore({ file: draft, masterKey: () => masterKeys, nowMs: () => nowMs })).close();
  finishCopy(draft);
  // Read again after the last write.
  const content = await examineDatabase(draft, copy, masterKeys);
  const { size: bytes } = await stat(draft);
  return {
    object: "backup",
    format: 1,
    program,
    created: new Date(nowMs).toISOString(),
    bytes,
    sha256: await hashFile(draft),
    ...content,
  };
}
