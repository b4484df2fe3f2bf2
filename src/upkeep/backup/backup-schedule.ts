/** Makes scheduled backups, one per due time among all servers of a database. */
import { Cron } from "croner";
import type { Context } from "../../journal/context.ts";
import { type BackupState, isHeld, noteBackup, readBackupState } from "../../journal/held.ts";

/** Schedules use the time of Athens, like everything else. */
const TIME_ZONE = "Europe/Athens";
/** When a backup that failed, or whose process ended, is tried again. */
const RETRY_MS = 3_600_000;
/** A backup later than this is overdue. Backing up a large database takes a while. */
const LATE_MS = 2 * 3_600_000;

function createSchedule(pattern: string): Cron {
  return new Cron(pattern, { paused: true, timezone: TIME_ZONE });
}

/** Returns the first time of `pattern` after the instant `after`, in milliseconds. */
function nextAfter(pattern: string, after: string): number {
  return createSchedule(pattern).nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
}

function latest(...instants: (string | undefined)[]): string | undefined {
  return instants.reduce((best, one) => (best === undefined || (one ?? "") > best ? one : best), undefined);
}

/** Tolerated difference between the clocks of servers on one database. */
const AHEAD_MS = 60_000;

/** Ignores instants in the future, which a fast clock has left: otherwise no backup would be due until then, without a warning. */
function withoutFuture(state: BackupState, nowMs: number): BackupState {
  const isPast = ([, instant]: [string, string | undefined]) =>
    instant !== undefined && Date.parse(instant) <= nowMs + AHEAD_MS;
  return Object.fromEntries(Object.entries(state).filter(isPast));
}

/** Makes one backup, and rejects if it fails. The signal aborts it when the process must end. */
export type BackUp = (signal: AbortSignal) => Promise<void>;

/** Whether to begin a backup now: a due time has passed, and no try since then is running or failed less than an hour ago. */
export function isBackupDue(state: BackupState, pattern: string, nowMs: number): boolean {
  const { since, begun, done } = withoutFuture(state, nowMs);
  const reference = latest(since, done);
  if (reference === undefined || nextAfter(pattern, reference) > nowMs) return false;
  // A backup that began after the last finished one is running, has failed, or its process died.
  const isTried = begun !== undefined && begun > reference;
  return !isTried || Date.parse(begun) + RETRY_MS <= nowMs;
}

/** Returns a problem that needs attention: the last backup failed at an instant, or one has been due since then. */
export function findBackupProblem(
  state: BackupState,
  pattern: string,
  nowMs: number,
): { kind: "failed" | "overdue"; at: string } | undefined {
  const { since, done, failed } = withoutFuture(state, nowMs);
  if (failed !== undefined && failed > (done ?? "")) return { kind: "failed", at: failed };
  const reference = latest(since, done);
  if (reference === undefined) return undefined;
  const dueMs = nextAfter(pattern, reference);
  return dueMs + LATE_MS < nowMs ? { kind: "overdue", at: new Date(dueMs).toISOString() } : undefined;
}

/**
 * Makes a backup with `backUp` if one is due. Only one of several servers on a database does. A held appliance makes none: its
 * backups would replace those of the appliance that it was restored from.
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
