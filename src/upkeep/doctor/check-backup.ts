/** Checks that scheduled backups are made. */
import { findBackupProblem } from "../backup/backup-schedule.ts";
import { type BackupState, readBackupState } from "../../journal/backup-state.ts";
import { isHeld } from "../../journal/held.ts";
import type { Text } from "../../foundation/text.ts";
import { type Check, ok, problem, type TableCheckInput } from "./doctor-finding.ts";

export const backupCheck: Check<TableCheckInput> = {
  name: "backup",
  async find({ inspection, config, clock, command }) {
    const { schedule, directory } = config.backup;
    // A held appliance makes no backups on purpose.
    if (schedule !== "" && (await isHeld(inspection.session))) return [];
    const state = schedule === "" ? undefined : await readBackupState(inspection.session);
    const trouble = state && findBackupProblem(state, schedule, clock.nowMs());
    const manual = command(null, "backup");
    if (trouble?.kind === "failed") {
      const message = {
        en: `The last scheduled backup failed at ${trouble.at}.`,
        el: `Το τελευταίο προγραμματισμένο αντίγραφο ασφαλείας απέτυχε στις ${trouble.at}.`,
      };
      const next = {
        en: `see why: ${manual} (to ${directory}), and the server's log`,
        el: `δείτε γιατί: ${manual} (στο ${directory}), και το αρχείο καταγραφής του διακομιστή`,
      };
      return [problem(message, next)];
    }
    if (trouble?.kind === "overdue") {
      const message = {
        en: `A backup has been due since ${trouble.since}.`,
        el: `Αντίγραφο ασφαλείας έπρεπε να γίνει από τις ${trouble.since}.`,
      };
      const serve = command(null, "serve");
      const next = {
        en: `leave the server running: ${serve}, or make one now: ${manual}`,
        el: `αφήστε τον διακομιστή να τρέχει: ${serve}, ή φτιάξτε ένα τώρα: ${manual}`,
      };
      return [problem(message, next)];
    }
    return [ok(describeState(state))];
  },
};

/** `undefined`: no backups are scheduled, which is not a problem, because a cron job or a replica may make them. */
function describeState(state: BackupState | undefined): Text {
  if (state === undefined)
    return {
      en: "No backups are scheduled: backup.schedule is not set.",
      el: "Δεν έχουν προγραμματιστεί αντίγραφα ασφαλείας: το backup.schedule δεν έχει οριστεί.",
    };
  if (state.done === undefined)
    return {
      en: "The first scheduled backup is yet to come.",
      el: "Το πρώτο προγραμματισμένο αντίγραφο ασφαλείας δεν έχει γίνει ακόμη.",
    };
  return {
    en: `The last scheduled backup was made at ${state.done}.`,
    el: `Το τελευταίο προγραμματισμένο αντίγραφο ασφαλείας έγινε στις ${state.done}.`,
  };
}
