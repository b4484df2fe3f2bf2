/**
 * Notices that a database has lost writes that were acknowledged: an asynchronous standby took over, or the database was recovered
 * to an earlier time (docs/contract.md#lost-writes). What this machine saw last is in a file beside the master key.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { StorageError } from "../database/errors.ts";
import { codeOf } from "../database/system-errors.ts";
import type { StoredProgress } from "../database/transactions.ts";

export interface Memory {
  /** Whether the database is now behind what was seen. Never for another appliance, or after a later `resume`. */
  isLost(stored: StoredProgress): boolean;
  /** `seen` is committed, or the database is held because of it. */
  remember(seen: StoredProgress): void;
  /** Writes what is not yet in the file. */
  close(): void;
}

/** A loss within this time before the process is killed goes unnoticed, unless another process sees it. */
const SAVE_MS = 1000;

/** Throws a StorageError if `file` cannot be read. Calls `onFailure` with the error if it cannot be written. */
export function createMemory(file: string, onFailure: (error: unknown) => void): Memory {
  let seen = readProgress(file);
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    if (seen === undefined) return;
    try {
      writeProgress(file, seen);
    } catch (error) {
      onFailure(error);
    }
  }

  return {
    isLost: (stored) => seen !== undefined && isBefore(stored, seen),
    remember(progress) {
      if (seen !== undefined && isSame(seen, progress)) return;
      seen = progress;
      timer ??= setTimeout(save, SAVE_MS).unref();
    },
    close() {
      if (timer !== undefined) save();
    },
  };
}

function isSame(one: StoredProgress, other: StoredProgress): boolean {
  return (
    one.lastId === other.lastId && one.resumedAt === other.resumedAt && one.createdAt === other.createdAt
  );
}

function isBefore(stored: StoredProgress, seen: StoredProgress): boolean {
  if (stored.createdAt !== seen.createdAt) return false;
  const [storedHold, seenHold] = [stored.resumedAt ?? "", seen.resumedAt ?? ""];
  return storedHold === seenHold ? stored.lastId < seen.lastId : storedHold < seenHold;
}

/** Undefined if there is none yet. Throws a StorageError. */
function readProgress(file: string): StoredProgress | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as StoredProgress;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new StorageError(
      {
        en: `The file ${file}, which shows whether the database lost writes, cannot be read; delete it if you know that none were lost`,
        el: `Το αρχείο ${file}, που δείχνει αν η βάση έχασε εγγραφές, δεν διαβάζεται· διαγράψτε το αν ξέρετε ότι δεν χάθηκε καμία`,
      },
      { cause: error },
    );
  }
}

/** Not synced: it is needed when the database is lost, not when this machine is. Several processes may write it. */
function writeProgress(file: string, progress: StoredProgress): void {
  const written = readProgress(file);
  if (written !== undefined && isBefore(progress, written)) return;
  const draft = `${file}.${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${JSON.stringify(progress)}\n`, { mode: 0o600 });
  renameSync(draft, file);
}
