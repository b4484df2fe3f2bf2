/** Backups: whether there are any, and whether those of the schedule are made. */
import { findBackupTrouble } from "../backup/backup-schedule.ts";
import { readBackupState } from "../../journal/backup-state.ts";
import { isHeld } from "../../journal/held.ts";
import { type Finding, findingsOf, type OpenPatient } from "./doctor-finding.ts";

const { ok, problem } = findingsOf("backup");

export async function checkBackup({ inspection, config, clock, command }: OpenPatient): Promise<Finding[]> {
  const { schedule, directory } = config.backup;
  const byHand = command(null, "backup");
  // Some are made by other means: a cron job of the machine, a replica.
  if (schedule === "") return [ok("No backups are scheduled: backup.schedule is not set.")];
  // Its backups are not made on purpose.
  if (await isHeld(inspection.session)) return [];
  const state = await readBackupState(inspection.session);
  const trouble = findBackupTrouble(state, schedule, clock.nowMs());
  if (trouble?.kind === "failed") {
    return [
      problem(`The last scheduled backup failed at ${trouble.at}.`, {
        next: `see why: ${byHand} (to ${directory}), and the server's log`,
      }),
    ];
  }
  if (trouble?.kind === "overdue") {
    const next = `leave the server running: ${command(null, "serve")}, or make one now: ${byHand}`;
    return [problem(`A backup has been due since ${trouble.since}.`, { next })];
  }
  if (state.done === undefined) return [ok("The first scheduled backup is yet to come.")];
  return [ok(`The last scheduled backup was made at ${state.done}.`)];
}
