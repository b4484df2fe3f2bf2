/**
 * Makes a backup: copies the database while it is in use, checks and describes the copy, and renames it in one step. A backup
 * never contains the master key. Before a migration, which cannot be undone, one is made to go back to an older version.
 */
import { appendFile, readdir, rm, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { dirname, join } from "node:path";
import { copyDatabase, finishCopy } from "../../../storage/sqlite/file-use.ts";
import { makePath } from "../../../storage/files/folder.ts";
import type { ReadMasterKeys } from "../../../storage/encryption/key-ring.ts";
import { openStore } from "../../../storage/sqlite/open-sqlite.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema.ts";
import { examineDatabase, hashFile } from "./backup-content.ts";
import { encrypt, type Manifest, buildTrailer, readTrailer } from "./backup-format.ts";
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
  findFreePath,
  instantInName,
} from "./backup-files.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Config } from "../../config/config.ts";
import type { Log } from "../../journal/context.ts";
import { AppError, ConfigurationError } from "../../foundation/errors.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import { codeOf } from "../../../storage/database/errors.ts";
import own from "../../../package.json" with { type: "json" };

export interface BackupOrder {
  /** Absolute path of the database. */
  database: string;
  /** Returns all available keys, 32 bytes each. One must be the database's. Called twice, because a rotation may be running. */
  readMasterKeys: ReadMasterKeys;
  /** Absolute path of the backup; its folder is created if it is missing. */
  target: string;
  force: boolean;
  passphrase: string | null;
  nowMs: number;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/**
 * Throws `already_exists` if the file exists and `force` is false, ConfigurationError if the database is damaged or the key is
 * wrong, and the system's error if the folder cannot be written. After an error, `target` is as before.
 */
export async function makeBackup(order: BackupOrder) {
  const { target, passphrase } = order;
  if (!order.force && exists(target)) throw fileExists(target);
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
    // Of the whole file, as `sha256sum` prints it.
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
  const { database, readMasterKeys, nowMs } = order;
  const keysBefore = readMasterKeys();
  // Created before SQLite does, so that only its owner can read it.
  await writeDraft([], draft);
  await copyDatabase(database, draft, order.onProgress);
  // A rotation may have begun or ended during the copy, so its key is one of those before or after.
  const masterKeys = [...keysBefore, ...readMasterKeys()];
  const copy = { path: database, isCopy: true } as const;
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
    program: own.version,
    created: new Date(nowMs).toISOString(),
    bytes,
    sha256: await hashFile(draft),
    ...content,
  };
}

/**
 * Makes `backups/before-schema-N-….db` in the data directory, which is never removed automatically. Throws ConfigurationError
 * if that fails; then nothing is migrated.
 */
export async function backUpBeforeMigration(
  { config, clock, log }: { config: Config; clock: Clock; log: Log },
  readMasterKeys: ReadMasterKeys,
): Promise<void> {
  const nowMs = clock.nowMs();
  const folder = join(config.dataDir, "backups");
  try {
    const { file, manifest } = await makeBackup({
      database: config.storage.database,
      readMasterKeys,
      target: findFreePath(folder, `before-schema-${SCHEMA_VERSION}-${instantInName(nowMs)}.db`),
      force: false,
      passphrase: null,
      nowMs,
    });
    await removeDuplicates(folder, file, manifest.sha256);
    log.info({ file }, "backed up the database before migrating its schema");
  } catch (error) {
    const reason = reasonOf(error);
    throw new ConfigurationError(
      {
        en:
          `The database must be backed up before its schema is migrated, and the backup failed: ${reason.en}. Nothing was ` +
          `changed; make room in ${folder} or make it writable, then start again`,
        el:
          `Πριν αναβαθμιστεί το σχήμα της βάσης πρέπει να γίνει αντίγραφο, και το αντίγραφο απέτυχε: ${reason.el}. Δεν άλλαξε ` +
          `τίποτα· ελευθερώστε χώρο στο ${folder} ή δώστε δικαίωμα εγγραφής, και ξεκινήστε ξανά`,
      },
      { cause: error },
    );
  }
}

function reasonOf(error: unknown): Text {
  if (error instanceof AppError || error instanceof ConfigurationError) return error.text;
  return sameInBoth(error instanceof Error ? error.message : String(error));
}

/**
 * Removes backups with the same content as `file`. If a long migration is killed and started again and again, they would fill
 * the disk.
 */
async function removeDuplicates(folder: string, file: string, sha256: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (!NAME_FORM.test(name) || other === file) continue;
    try {
      const trailer = await readTrailer(other);
      if (trailer.kind === "manifest" && trailer.manifest.sha256 === sha256) await rm(other, { force: true });
    } catch (error) {
      // Another process that starts has removed it, or it is a link to a file that is not there now.
      if (codeOf(error) !== "ENOENT") throw error;
    }
  }
}

const NAME_FORM = /^before-schema-\d+-\d{8}T\d{6}Z(-\d+)?\.db$/;
