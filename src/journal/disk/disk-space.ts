/**
 * Watches the free space on the disk of the database. Below `storage.min_free_mb` new documents are refused, so that the outcomes
 * of accepted ones still fit; below a quarter of it nothing is sent. A failing database is logged here once, instead of by
 * each caller, who gets a retryable `service_unavailable`.
 */
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import {
  isOutOfSpace,
  isUnwritable,
  MissingDatabaseError,
  NewerSchemaError,
  sqliteCode,
  UnavailableDatabaseError,
} from "../../../storage/database/errors.ts";
import type { Log, Space, SpaceLevel } from "../context.ts";
import { AppError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { formatBytes, MEGABYTE } from "./file-system.ts";
import type { Store } from "../../../storage/database/store.ts";

export interface SpaceOptions {
  /** Absolute path of the database; undefined with a database server, whose disk cannot be seen from here. */
  file: string | undefined;
  /** `storage.min_free_mb`; 0 refuses nothing until the disk is full. */
  minFreeMb: number;
  log: Log;
  /** A monotonic clock, in milliseconds. */
  elapsedMs(): number;
  /** Bytes that this user may still write to the disk. */
  freeBytes?(): number;
}

/** How long a measurement is used. */
const LOOK_MS = 1000;
/** Minimum interval between repeated errors. */
const REPORT_MS = 60_000;
/** Repeating a request sooner is unlikely to succeed. */
const RETRY_AFTER_SECONDS = 30;
/** The share of the reserve below which nothing is sent. */
const SENDS_SHARE = 0.25;
/** The space that a few writes need: with less the disk is full, regardless of the setting. */
const FULL_BYTES = 65_536;

interface Measurement {
  level: SpaceLevel;
  freeBytes: number;
  isMissing: boolean;
  atMs: number;
}

export function createSpace(options: SpaceOptions): Space {
  const { log, elapsedMs } = options;
  const { file } = options;
  const isInPlace = file === undefined ? () => true : createAnchor(file);
  const free =
    options.freeBytes ?? (() => (file === undefined ? Number.POSITIVE_INFINITY : freeBytesOf(file)));
  const minFreeBytes = options.minFreeMb * MEGABYTE;
  let last: Measurement | undefined;
  let failing: { failures: number; loggedMs: number } | undefined;
  let omitted = 0;

  function measure(): Measurement {
    const atMs = elapsedMs();
    if (last !== undefined && atMs - last.atMs < LOOK_MS) return last;
    const before = last?.level ?? "ample";
    // The space at another place says nothing about this one.
    if (!isInPlace()) return (last = { level: before, freeBytes: 0, isMissing: true, atMs });
    const freeBytes = free();
    const level = levelOf(freeBytes, minFreeBytes);
    last = { level, freeBytes, isMissing: false, atMs };
    if (level !== before) logLevel(level, before, freeBytes);
    return last;
  }

  function logLevel(level: SpaceLevel, before: SpaceLevel, freeBytes: number): void {
    const fields = { free: formatBytes(freeBytes), min_free: formatBytes(minFreeBytes) };
    if (level === "ample") {
      log.info({ ...fields, requests_not_logged: omitted }, "the disk has enough free space again");
      omitted = 0;
    } else if (level === "full") {
      log.error(fields, "the disk is almost full: nothing is accepted or sent until space is freed");
    } else if (before === "ample") {
      log.warn(fields, "the disk is low on space: new documents are refused until space is freed");
    }
  }

  function logFailure(error: unknown): void {
    const atMs = elapsedMs();
    if (failing !== undefined) failing.failures += 1;
    if (failing !== undefined && atMs - failing.loggedMs < REPORT_MS) return;
    failing = { failures: failing?.failures ?? 1, loggedMs: atMs };
    const room =
      error instanceof MissingDatabaseError || file === undefined ? {} : { free: formatBytes(free()) };
    log.error(
      { ...room, failures: failing.failures, error: describeFailure(error) },
      "the database cannot be written: requests get 503 until it can",
    );
  }

  return {
    level() {
      const { level, isMissing } = measure();
      return isMissing ? "full" : level;
    },
    requirePlace() {
      if (measure().isMissing) throw new MissingDatabaseError();
    },
    requireRoom() {
      const { level, freeBytes } = measure();
      if (level === "ample") return;
      if (freeBytes < FULL_BYTES) throw unavailable(fullMessage(freeBytes));
      throw unavailable(reserveMessage(formatBytes(freeBytes), formatBytes(minFreeBytes)));
    },
    explain(cause) {
      if (!isUnwritable(cause)) return undefined;
      const error = measure().isMissing ? new MissingDatabaseError() : cause;
      logFailure(error);
      return unavailable(messageOf(error, free), error);
    },
    wrote() {
      if (failing === undefined) return;
      log.info({ failures: failing.failures }, "the database can be written again");
      failing = undefined;
    },
    leftOut() {
      omitted += 1;
    },
  };
}

function levelOf(freeBytes: number, minFreeBytes: number): SpaceLevel {
  if (freeBytes < FULL_BYTES) return "full";
  if (freeBytes >= minFreeBytes) return "ample";
  return freeBytes < minFreeBytes * SENDS_SHARE ? "full" : "short";
}

function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

function unavailable(message: Text, cause?: unknown): AppError {
  return new AppError("service_unavailable", message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function messageOf(error: unknown, free: () => number): Text {
  if (error instanceof MissingDatabaseError)
    return {
      en: `${error.text.en}, and nothing was stored; put the file back or restart the server, and repeat the request`,
      el: `${error.text.el}, και τίποτα δεν αποθηκεύτηκε· επαναφέρετε το αρχείο ή επανεκκινήστε τον διακομιστή, και επαναλάβετε το αίτημα`,
    };
  if (error instanceof UnavailableDatabaseError)
    return {
      en: "The database server cannot be used at the moment; repeat the request",
      el: "Ο διακομιστής της βάσης δεν είναι διαθέσιμος αυτή τη στιγμή· επαναλάβετε το αίτημα",
    };
  if (error instanceof NewerSchemaError)
    return {
      en: "A newer version has migrated the database, and this server has stored nothing; replace the server, and repeat the request",
      el: "Νεότερη έκδοση μετέτρεψε τη βάση, και αυτός ο διακομιστής δεν αποθήκευσε τίποτα· αντικαταστήστε τον, και επαναλάβετε το αίτημα",
    };
  if (isOutOfSpace(error)) return fullMessage(free());
  const code = sqliteCode(error);
  return code === undefined || code.startsWith("SQLITE_BUSY")
    ? {
        en: "The database is locked by another process, and nothing was stored; repeat the request",
        el: "Η βάση είναι κλειδωμένη από άλλη διεργασία, και τίποτα δεν αποθηκεύτηκε· επαναλάβετε το αίτημα",
      }
    : {
        en: `The database cannot be written (${code}), and nothing was stored; check its disk, and repeat the request`,
        el: `Η βάση δεν δέχεται εγγραφές (${code}), και τίποτα δεν αποθηκεύτηκε· ελέγξτε τον δίσκο της, και επαναλάβετε το αίτημα`,
      };
}

function fullMessage(freeBytes: number): Text {
  const free = Math.floor(freeBytes / MEGABYTE);
  return {
    en: `The disk of the data directory is full (${free} MB free), and nothing was stored; free up space, and repeat the request`,
    el: `Ο δίσκος του φακέλου δεδομένων είναι γεμάτος (${free} MB ελεύθερα), και τίποτα δεν αποθηκεύτηκε· ελευθερώστε χώρο, και επαναλάβετε το αίτημα`,
  };
}

function reserveMessage(free: string, reserved: string): Text {
  return {
    en: `No new documents are accepted because the disk of the data directory is low on space (${free} free, ${reserved} are reserved for documents already accepted); free up space, and repeat the request`,
    el: `Δεν γίνονται δεκτά νέα παραστατικά, γιατί ο χώρος στον δίσκο του φακέλου δεδομένων είναι λίγος (${free} ελεύθερα, ${reserved} κρατούνται για όσα έγιναν ήδη δεκτά)· ελευθερώστε χώρο, και επαναλάβετε το αίτημα`,
  };
}

function describeFailure(error: unknown): string {
  return sqliteCode(error) ?? String(error);
}

/** Whether `error` comes from a failing database, which was already logged and needs no line of its own. */
export function isReportedAlready(error: unknown): boolean {
  return error instanceof AppError && error.code === "service_unavailable" && isUnwritable(error.cause);
}

/** Returns a check whether `file` and its log are still the files first seen; true if none was ever seen. */
function createAnchor(file: string): () => boolean {
  // The newest documents are in the log, which SQLite does not remove while one of our connections is open.
  const parts = [anchorOf(file), anchorOf(`${file}-wal`)];
  return () => parts.every((isSame) => isSame());
}

function anchorOf(file: string): () => boolean {
  let first: string | undefined;
  return () => {
    const now = identityOf(file);
    first ??= now;
    return now === first;
  };
}

/** Unique as long as the file is open. Undefined if there is no file. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // Whatever the reason, nothing written to the path can be found there.
    return undefined;
  }
}

/** Returns `store` with writes that throw `service_unavailable` while the database cannot be written. */
export function guardStore(store: Store, space: Space): Store {
  async function guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      space.requirePlace();
      const value = await work();
      space.wrote();
      return value;
    } catch (error) {
      throw space.explain(error) ?? error;
    }
  }
  return {
    ...store,
    write: (unit) => guarded(() => store.write(unit)),
    add: (kind, item) => guarded(() => store.add(kind, item)),
    defer: (kind, item) => guarded(() => store.defer(kind, item)),
    probe: () => guarded(() => store.probe()),
  };
}
