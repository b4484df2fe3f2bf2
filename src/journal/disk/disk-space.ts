/**
 * The room on the disk of the database. Below `storage.min_free_mb` new documents are refused, so that what became of the
 * accepted ones still fits; below a quarter of it nothing new is sent. Where writing fails after all, it is told here once,
 * and not by each of the thousands who meet it.
 */
import { statfsSync } from "node:fs";
import { dirname } from "node:path";
import { isOutOfSpace, isUnwritable, MissingDatabaseError, sqliteCode } from "../../../storage/errors.ts";
import type { Log } from "../context.ts";
import { AppError } from "../../foundation/errors.ts";
import { createAnchor } from "./anchor.ts";
import { formatBytes, MEGABYTE } from "./file-system.ts";
import type { Space, SpaceLevel } from "./space-level.ts";

export interface SpaceOptions {
  /** Absolute path of the database. */
  file: string;
  /** `storage.min_free_mb`; 0 lets everything go on until the disk is full. */
  minFreeMb: number;
  log: Log;
  /** Milliseconds that only grow. */
  elapsedMs(): number;
  /** Bytes that this user may still write. */
  freeBytes?(): number;
}

const LOOK_MS = 1000;
/** As often is a trouble that goes on told again. */
const TELL_MS = 60_000;
/** Clients that come back at once would only find the same. */
const RETRY_AFTER_SECONDS = 30;
const SENDS_SHARE = 0.25;
/** With less than a few writes need the disk is full, whatever is kept. What is free inside the log says nothing of the next write. */
const FULL_BYTES = 65_536;

interface Look {
  level: SpaceLevel;
  freeBytes: number;
  isMissing: boolean;
  atMs: number;
}

export function createSpace(options: SpaceOptions): Space {
  const { log, elapsedMs } = options;
  const isInPlace = createAnchor(options.file);
  const free = options.freeBytes ?? (() => freeBytesOf(options.file));
  const minFreeBytes = options.minFreeMb * MEGABYTE;
  let known: Look | undefined;
  let failing: { failures: number; toldMs: number } | undefined;
  let omitted = 0;

  function look(): Look {
    const atMs = elapsedMs();
    if (known !== undefined && atMs - known.atMs < LOOK_MS) return known;
    const before = known?.level ?? "ample";
    // Of another place nothing is told as the room of this one.
    if (!isInPlace()) return (known = { level: before, freeBytes: 0, isMissing: true, atMs });
    const freeBytes = free();
    const level = levelOf(freeBytes, minFreeBytes);
    known = { level, freeBytes, isMissing: false, atMs };
    if (level !== before) tellLevel(level, before, freeBytes);
    return known;
  }

  function tellLevel(level: SpaceLevel, before: SpaceLevel, freeBytes: number): void {
    const fields = { free: formatBytes(freeBytes), min_free: formatBytes(minFreeBytes) };
    if (level === "ample") {
      log.info({ ...fields, requests_not_logged: omitted }, "there is room on the disk again");
      omitted = 0;
    } else if (level === "full") {
      log.error(fields, "the disk is nearly full: nothing new is accepted or sent until there is room");
    } else if (before === "ample") {
      log.warn(fields, "little room is left on the disk: new documents are refused until there is more");
    }
  }

  function tellFailure(error: unknown): void {
    const atMs = elapsedMs();
    if (failing !== undefined) failing.failures += 1;
    if (failing !== undefined && atMs - failing.toldMs < TELL_MS) return;
    failing = { failures: failing?.failures ?? 1, toldMs: atMs };
    const room = error instanceof MissingDatabaseError ? {} : { free: formatBytes(free()) };
    log.error(
      { ...room, failures: failing.failures, error: describeFailure(error) },
      "the database cannot be written: requests are answered with 503 until it can",
    );
  }

  return {
    level() {
      const { level, isMissing } = look();
      return isMissing ? "full" : level;
    },
    requirePlace() {
      if (look().isMissing) throw new MissingDatabaseError();
    },
    requireRoom() {
      const { level, freeBytes } = look();
      if (level === "ample") return;
      if (freeBytes < FULL_BYTES) throw unavailable(fullMessage(freeBytes));
      throw unavailable(
        `Nothing new is accepted while so little room is left on the disk of the data directory (${formatBytes(freeBytes)} free, ` +
          `${formatBytes(minFreeBytes)} are kept for what was accepted before); make room there, and send the same again`,
      );
    },
    explain(met) {
      if (!isUnwritable(met)) return undefined;
      const error = look().isMissing ? new MissingDatabaseError() : met;
      tellFailure(error);
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

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError("service_unavailable", message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function messageOf(error: unknown, free: () => number): string {
  if (error instanceof MissingDatabaseError)
    return `${error.message}, and nothing was stored; put the file back, or restart the server, and send the same again`;
  if (isOutOfSpace(error)) return fullMessage(free());
  const code = sqliteCode(error);
  return code === undefined || code.startsWith("SQLITE_BUSY")
    ? "The database is held by another process, and nothing was stored; send the same again"
    : `The database cannot be written (${code}), and nothing was stored; look at its disk, and send the same again`;
}

function fullMessage(freeBytes: number): string {
  return `The disk of the data directory is full (${Math.floor(freeBytes / MEGABYTE)} MB free), and nothing was stored; make room there, and send the same again`;
}

function describeFailure(error: unknown): string {
  return sqliteCode(error) ?? String(error);
}

/** Whether `error` is one that was told already as what the whole database has, and needs no line of its own. */
export function isToldAlready(error: unknown): boolean {
  return error instanceof AppError && error.code === "service_unavailable" && isUnwritable(error.cause);
}
