/** Looking whether a backup could be restored, without touching the database in use. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { draftIn, removeDraft, removeStaleDrafts } from "./backup-files.ts";
import { masterKeysOf } from "./backup-places.ts";
import { type Source, unpack, type Unpacked } from "./unpack.ts";

export interface Verified extends Unpacked {
  /** False where this machine has no master key to try. */
  keyTried: boolean;
}

/** Throws ConfigurationError that says what is wrong with the backup. */
export async function verifyBackup(config: Config, source: Omit<Source, "masterKeys">): Promise<Verified> {
  const hasKey = config.security.masterKey !== null || existsSync(config.security.masterKeyFile);
  const masterKeys = hasKey ? masterKeysOf(config) : null;
  const unpacked = await withRoom(dirname(config.storage.database), (draft) =>
    unpack({ ...source, masterKeys }, draft),
  );
  return { ...unpacked, keyTried: hasKey };
}

/** Beside the database, where it lies in clear anyway; on another machine in a folder that goes away again. */
async function withRoom<T>(folder: string, work: (draft: string) => Promise<T>): Promise<T> {
  if (!existsSync(folder)) {
    const own = await mkdtemp(join(tmpdir(), "fiscal-verify-"));
    try {
      return await work(draftIn(own));
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  }
  await removeStaleDrafts(folder);
  const draft = draftIn(folder);
  try {
    return await work(draft);
  } finally {
    await removeDraft(draft);
  }
}
