/**
 * Making a backup: a copy taken while the database is in use, tried, described, and put in its place in one step. The master
 * key is never in it.
 */
import { appendFile, open, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { dirname } from "node:path";
import { copyDatabase, sealCopy } from "../../../storage/copy.ts";
import { makePath } from "../../../storage/folder.ts";
import type { ReadMasterKeys } from "../../../storage/key-ring.ts";
import { openStore } from "../../../storage/open.ts";
import { SCHEMA_VERSION } from "../../../storage/schema-version.ts";
import { examine, hashFile } from "./backup-content.ts";
import { encrypt } from "./encryption.ts";
import {
  draftIn,
  exists,
  explainFull,
  isThere,
  place,
  removeDraft,
  removeStaleDrafts,
  syncFile,
} from "./backup-files.ts";
import type { Manifest } from "./manifest.ts";
import { buildTrailer } from "./trailer.ts";

export interface BackupOrder {
  /** Absolute path of the database. */
  database: string;
  /** Those that can be found, 32 bytes each: one of them is the database's. Read again where it is being replaced. */
  readMasterKeys: ReadMasterKeys;
  /** Absolute path of the backup; its folder is made when it is not there. */
  target: string;
  /** Replace a file that is there. */
  force: boolean;
  /** Encrypts the backup; null leaves it as it is. */
  passphrase: string | null;
  /** The version of this program. */
  program: string;
  nowMs: number;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface Backup {
  manifest: Manifest;
  /** Absolute. */
  file: string;
  bytes: number;
  encrypted: boolean;
  /** Of the whole file, as `sha256sum` prints it. */
  sha256: string;
}

/**
 * Throws `already_exists` where the file is there and is not to be replaced, ConfigurationError where the database is damaged
 * or its key another one, and what the system says of a folder that cannot be written. Then nothing stands in the place that
 * did not stand there before.
 */
export async function makeBackup(order: BackupOrder): Promise<Backup> {
  const { target, passphrase } = order;
  if (!order.force && (await exists(target))) throw isThere(target);
  const folder = dirname(target);
  makePath(folder);
  // What is to be encrypted stands in clear beside the database only, never where the backup goes.
  const clear = passphrase === null ? folder : dirname(order.database);
  for (const used of new Set([folder, clear])) await removeStaleDrafts(used);
  const drafts = [draftIn(clear)];
  try {
    let draft = drafts[0]!;
    const manifest = await describeCopy(order, draft);
    await appendFile(draft, buildTrailer(manifest));
    if (passphrase !== null) {
      const sealed = draftIn(folder);
      drafts.push(sealed);
      await writeEncrypted(draft, sealed, passphrase);
      draft = sealed;
    }
    await syncFile(draft);
    const [sha256, { size: bytes }] = [await hashFile(draft), await stat(draft)];
    await place(draft, target, order.force);
    return { manifest, file: target, bytes, encrypted: passphrase !== null, sha256 };
  } catch (error) {
    throw explainFull(error, folder);
  } finally {
    for (const draft of drafts) await removeDraft(draft);
  }
}

/** Copies, tries the copy as a start would, and looks at every page of it. */
async function describeCopy(order: BackupOrder, draft: string): Promise<Manifest> {
  const { database, readMasterKeys, nowMs, program } = order;
  const keysBefore = readMasterKeys();
  // Before SQLite makes it: for its owner only.
  await (await open(draft, "wx", 0o600)).close();
  await copyDatabase(database, draft, order.onProgress);
  // A rotation may have begun, or ended, since: the copy's key is among those of before or those of now.
  const masterKeys = [...keysBefore, ...readMasterKeys()];
  const name = `the copy of ${database}`;
  const { schema } = await examine(draft, name, masterKeys);
  if (schema === SCHEMA_VERSION)
    await (await openStore({ file: draft, masterKey: () => masterKeys, nowMs: () => nowMs })).close();
  sealCopy(draft);
  // Once more, as it will be found: the seal is the last that was written.
  const content = await examine(draft, name, masterKeys);
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

async function writeEncrypted(plain: string, sealed: string, passphrase: string): Promise<void> {
  const file = await open(sealed, "wx", 0o600);
  try {
    for await (const piece of encrypt(createReadStream(plain), passphrase)) await file.writeFile(piece);
  } finally {
    await file.close();
  }
}
