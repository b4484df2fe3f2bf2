/** Checks whether a backup can be restored, without touching the current database. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { newDraftPath, removeDraft, removeStaleDrafts } from "./backup-files.ts";
import { masterKeysOf } from "./backup-places.ts";
import { type Source, unpack, type Unpacked } from "./unpack.ts";

export interface Verified extends Unpacked {
  /** False if this machine has no master key. */
  keyTried: boolean;
}

/** Throws ConfigurationError if anything is wrong with the backup. */
export async function verifyBackup(config: Config, source: Omit<Source, "masterKeys">): Promise<Verified> {
  const hasKey = config.security.masterKey !== null || existsSync(config.security.masterKeyFile);
  const masterKeys = hasKey ? masterKeysOf(config) : null;
  const unpacked = await withDraft(dirname(config.storage.database), (draft) =>
    unpack({ ...source, masterKeys }, draft),
  );
  return { ...unpacked, keyTried: hasKey };
}

/** The draft is beside the database, which is not encrypted either; on another machine, in a temporary folder. */
async function withDraft<T>(folder: string, work: (draft: string) => Promise<T>): Promise<T> {
  if (!existsSync(folder)) {
    const own = await mkdtemp(join(tmpdir(), "fiscal-verify-"));
    try {
      return await work(newDraftPath(own));
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }
  await removeStaleDrafts(folder);
  const draft = newDraftPath(folder);
  try {
    return await work(draft);
  } finally {
    await removeDraft(draft);
  }
}
