/** Backups by the clock: when one is due, and who makes it. */
import { Cron } from "croner";
import type { Context } from "../../journal/context.ts";
import { isHeld } from "../../journal/held.ts";
import { type BackupState, noteBackup, readBackupState } from "../../journal/backup-state.ts";

/** The days of the schedule are those of Athens, as everywhere here. */
const TIME_ZONE = "Europe/Athens";
/** One that failed, or whose process ended, is tried again. */
const RETRY_MS = 3_600_000;
/** A backup of a large database takes its time; later than this it is overdue. */
const LATE_MS = 2 * 3_600_000;

function createSchedule(pattern: string): Cron {
  return new Cron(pattern, { paused: true, timezone: TIME_ZONE });
}

/** The first instant of `pattern` behind `after`, both in milliseconds. */
function nextAfter(pattern: string, after: string): number {
  return createSchedule(pattern).nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
}

function latest(...instants: (string | undefined)[]): string | undefined {
  return instants.reduce((best, one) => (best === undefined || (one ?? "") > best ? one : best), undefined);
}

/** Servers on one database have clocks of their own. */
const AHEAD_MS = 60_000;

/** A clock that was ahead leaves instants that are yet to come: until then no backup would be due, and nobody would be told. */
function withoutFuture(state: BackupState, nowMs: number): BackupState {
  const isPast = ([, instant]: [string, string | undefined]) =>
    instant !== undefined && Date.parse(instant) <= nowMs + AHEAD_MS;
  return Object.fromEntries(Object.entries(state).filter(isPast));
}

/** Makes one backup; rejects where it could not. Aborted where the process must end now. */
export type BackUp = (signal: AbortSignal) => Promise<void>;

/** Whether one is to be begun now: its time has come, also while nothing ran, or the last try came to nothing an hour ago. */
export function isBackupDue(state: BackupState, pattern: string, nowMs: number): boolean {
  const { since, begun, done } = withoutFuture(state, nowMs);
  const reference = latest(since, done);
  if (reference === undefined || nextAfter(pattern, reference) > nowMs) return false;
  // Begun behind the last one that was made: it runs, failed, or died.
  const isTried = begun !== undefined && begun > reference;
  return !isTried || Date.parse(begun) + RETRY_MS <= nowMs;
}

export type BackupTrouble = { kind: "failed"; at: string } | { kind: "overdue"; since: string };

/** What a person should know: the last one failed, or none was made for too long. */
export function findBackupTrouble(
  state: BackupState,
  pattern: string,
  nowMs: number,
): BackupTrouble | undefined {
  const { since, done, failed } = withoutFuture(state, nowMs);
  if (failed !== undefined && failed > (done ?? "")) return { kind: "failed", at: failed };
  const reference = latest(since, done);
  if (reference === undefined) return undefined;
  const dueMs = nextAfter(pattern, reference);
  return dueMs + LATE_MS < nowMs ? { kind: "overdue", since: new Date(dueMs).toISOString() } : undefined;
}

/**
 * Makes a backup where one is due, by `backUp`, which rejects where it could not be made. Of several servers on one database
 * one makes it. A held appliance makes none: its backups would push out those of the one that it came from.
 */
export async function backUpWhenDue(context: Context, backUp: BackUp): Promise<void> {
  const { store, clock, log, config } = context;
  const { schedule } = config.backup;
  if (await isHeld(store.read)) return;
  const state = await readBackupState(store.read);
  if (withoutFuture(state, clock.nowMs()).since === undefined)
    await store.write((trx) => noteBackup(trx, "since", clock.now()));
  if (!isBackupDue(state, schedule, clock.nowMs())) return;
  const begun = clock.now();
  const isMine = await store.write(async (trx) => {
    if (!isBackupDue(await readBackupState(trx), schedule, clock.nowMs())) return false;
    await noteBackup(trx, "begun", begun);
    return true;
  });
  if (!isMine) return;
  try {
    await backUp(context.cut);
  } catch (error) {
    log.error(
      { error: error instanceof Error ? error.message : String(error) },
      "the scheduled backup failed",
    );
    await store.write((trx) => noteBackup(trx, "failed", clock.now()));
    return;
  }
  await store.write((trx) => noteBackup(trx, "done", begun));
  log.info({ folder: config.backup.directory }, "the scheduled backup was made");
}
