/** Checks what a server does by the clock: that logs are deleted in time, and scheduled backups are made. */
import { instantText } from "../../foundation/clock.ts";
import { findOldestBody } from "../../../storage/upkeep/diagnosis.ts";
import { type Check, ok, problem, type TableCheckInput } from "./doctor-finding.ts";
import type { Text } from "../../foundation/text.ts";
import { dayText } from "../../foundation/days.ts";
import { findWatermark } from "../../../storage/upkeep/appliance-state.ts";
import { RETENTION_WATERMARK } from "../retention/retention.ts";
import { findBackupProblem } from "../backup/backup-schedule.ts";
import { isHeld, readBackupState } from "../../journal/held.ts";

const DAY_MS = 86_400_000;

/** Log bodies are deleted every night: two days late is more than one missed night. */
const LATE_DAYS = 2;

/** Reports late deletion only if something is left to delete: without a server there may be nothing. */
export const retentionCheck: Check<TableCheckInput> = {
  name: "retention",
  async *find({ inspection: { session }, clock, config: { retention }, command }) {
    const isLate = async (prefix: "rql" | "pcl", days: number) =>
      Date.parse((await findOldestBody(session, prefix)) ?? clock.now()) <
      clock.nowMs() - (days + LATE_DAYS) * DAY_MS;
    const isAnyLate =
      (await isLate("rql", retention.requestBodiesDays)) ||
      (await isLate("pcl", retention.providerBodiesDays));
    if (!isAnyLate) return;
    const day = await findWatermark(session, { name: RETENTION_WATERMARK });
    const [en, el] =
      day === undefined
        ? ["has never run", "δεν έχει τρέξει ποτέ"]
        : [`last ran on ${day}`, `έτρεξε τελευταία φορά στις ${dayText(day).el}`];
    const message = {
      en: `Logged bodies are kept beyond their retention period: the nightly deletion ${en}.`,
      el: `Καταγεγραμμένα σώματα κρατούνται πέρα από τον χρόνο διατήρησής τους: η νυχτερινή διαγραφή ${el}.`,
    };
    const serve = command(null, "serve");
    const next = {
      en: `leave the server running: ${serve}`,
      el: `αφήστε τον διακομιστή να τρέχει: ${serve}`,
    };
    yield problem(message, next);
  },
  ok: {
    en: "The logs keep nothing beyond their retention period.",
    el: "Τα αρχεία καταγραφής δεν κρατούν τίποτα πέρα από τον χρόνο διατήρησής τους.",
  },
};

export const backupCheck: Check<TableCheckInput> = {
  name: "backup",
  async *find({ inspection, config: { backup }, clock, command }) {
    // A cron job or a replica may make them.
    if (backup.schedule === "") return yield ok(NOT_SCHEDULED);
    // A held appliance makes no backups on purpose.
    if (await isHeld(inspection.session)) return;
    const state = await readBackupState(inspection.session);
    const trouble = findBackupProblem(state, backup.schedule, clock.nowMs());
    if (trouble === undefined) return yield ok(describeDone(state.done));
    const at = instantText(trouble.at);
    const message =
      trouble.kind === "failed"
        ? {
            en: `The last scheduled backup failed at ${at.en}.`,
            el: `Το τελευταίο προγραμματισμένο αντίγραφο ασφαλείας απέτυχε στις ${at.el}.`,
          }
        : {
            en: `A backup has been due since ${at.en}.`,
            el: `Αντίγραφο ασφαλείας έπρεπε να γίνει από τις ${at.el}.`,
          };
    const [manual, serve] = [command(null, "backUp"), command(null, "serve")];
    const next = {
      en: `leave the server running: ${serve}, see its log, or make one now (in ${backup.directory}): ${manual}`,
      el: `αφήστε τον διακομιστή να τρέχει: ${serve}, δείτε το αρχείο καταγραφής του ή φτιάξτε ένα τώρα (στο ${backup.directory}): ${manual}`,
    };
    yield problem(message, next);
  },
};

const NOT_SCHEDULED: Text = {
  en: "No backups are scheduled: backup.schedule is not set.",
  el: "Δεν έχουν προγραμματιστεί αντίγραφα ασφαλείας: το backup.schedule δεν έχει οριστεί.",
};

function describeDone(done: string | undefined): Text {
  return done === undefined
    ? {
        en: "The first scheduled backup is yet to come.",
        el: "Το πρώτο προγραμματισμένο αντίγραφο ασφαλείας δεν έχει γίνει ακόμη.",
      }
    : {
        en: `The last scheduled backup was made at ${done}.`,
        el: `Το τελευταίο προγραμματισμένο αντίγραφο ασφαλείας έγινε στις ${done}.`,
      };
}
