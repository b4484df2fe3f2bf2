/**
 * Notices that writes which were acknowledged are lost, because an asynchronous standby took over, an older copy was put in place, or
 * somebody cut off the newest events (docs/contract.md#lost-writes). The state that this machine saw last is in a file beside the master key.
 */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hexOf } from "../journal/event-chain.ts";
import { hold } from "../upkeep/appliance-state.ts";
import { codeOf, StorageError } from "./errors.ts";
import { msOfIdBody } from "./ids.ts";
import type { Row } from "./schema.ts";
import type { Transaction } from "./write.ts";

export interface StoredProgress {
  /** When the appliance was created. */
  createdAt: string;
  /** When its last hold ended; null if there was none. */
  resumedAt: string | null;
  lastId: string;
  /** The newest event in the chain, or its note, and its link in hexadecimal digits; empty without one. */
  linkId: string;
  link: string;
}

export function progressOf(
  row: Pick<Row<"appliance">, "created_at" | "resumed_at" | "last_id" | "chain_id" | "chain">,
): StoredProgress {
  return {
    createdAt: row.created_at,
    resumedAt: row.resumed_at,
    lastId: row.last_id,
    linkId: row.chain_id,
    link: hexOf(row.chain),
  };
}

export interface MemoryOptions {
  /** Where this machine remembers how far the database had come. */
  stateFile: string;
  /** Called when the appliance is held because writes were lost. */
  onLostWrites(): void;
  /** Called when `stateFile` cannot be written; only a loss before the next write to it goes unnoticed. */
  onStateFileFailure(error: unknown): void;
}

export interface Memory {
  /** Whether the database is now behind what was seen. Never for another appliance, or after a later `resume`. */
  isLost(stored: StoredProgress): boolean;
  /** `seen` is committed, or the database is held because of it. */
  remember(seen: StoredProgress): void;
  /** Holds the appliance in the transaction, unless it is held: what was sent since is unknown here, as after a restored backup. */
  holdAfterLoss(trx: Transaction, stored: StoredProgress): Promise<void>;
  /** Writes what is not yet in the file. */
  close(): void;
}

/** A loss within this time before the process is killed goes unnoticed, unless another process sees it. */
const SAVE_MS = 1000;

/** Throws a StorageError if `file` cannot be read. Calls `onStateFileFailure` with the error if it cannot be written. */
export function createMemory({ stateFile: file, onLostWrites, onStateFileFailure }: MemoryOptions): Memory {
  let seen = readProgress(file);
  let timer: NodeJS.Timeout | undefined;

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    if (seen === undefined) return;
    try {
      writeProgress(file, seen);
    } catch (error) {
      onStateFileFailure(error);
    }
  }

  return {
    isLost: (stored) => seen !== undefined && isBefore(stored, seen),
    remember(progress) {
      if (seen !== undefined && isSame(seen, progress)) return;
      seen = progress;
      timer ??= setTimeout(save, SAVE_MS).unref();
    },
    async holdAfterLoss(trx, { lastId }) {
      if (trx.isHeld) return;
      await hold(trx, { backupAt: new Date(msOfIdBody(lastId)).toISOString() });
      onLostWrites();
    },
    close() {
      if (timer !== undefined) save();
    },
  };
}

function isSame(one: StoredProgress, other: StoredProgress): boolean {
  return (
    one.lastId === other.lastId &&
    one.link === other.link &&
    one.resumedAt === other.resumedAt &&
    one.createdAt === other.createdAt
  );
}

function isBefore(stored: StoredProgress, seen: StoredProgress): boolean {
  if (stored.createdAt !== seen.createdAt) return false;
  const [storedHold, seenHold] = [stored.resumedAt ?? "", seen.resumedAt ?? ""];
  if (storedHold !== seenHold) return storedHold < seenHold;
  if (stored.lastId < seen.lastId || stored.linkId < seen.linkId) return true;
  return stored.linkId === seen.linkId && stored.link !== seen.link;
}

/** The state file of a data directory. */
export const stateFileIn = (dataDir: string) => join(dataDir, "database-state.json");

/** What a machine remembered last in its file. Undefined if there is none yet. Throws a StorageError. */
export function readProgress(file: string): StoredProgress | undefined {
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
