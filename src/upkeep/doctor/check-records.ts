/** Checks the numbers and the API keys, that the logs are deleted in time, and that scheduled backups are made. */
import { instantText } from "../../foundation/clock.ts";
import { dayText } from "../../foundation/days.ts";
import { findOldestBody } from "../../../storage/upkeep/diagnosis.ts";
import { type ApiKeyRow, listKeyRows } from "../../../storage/access/keys-and-sessions.ts";
import { findWatermark } from "../../../storage/database/watermarks.ts";
import { describeHole, findHoles } from "../../numbering/audit-numbers.ts";
import { RETENTION_WATERMARK } from "../retention/retention.ts";
import {
  type Check,
  counted,
  type Found,
  notice,
  problem,
  type TableCheckInput,
  ok,
} from "./doctor-finding.ts";
import { findBackupProblem } from "../backup/backup-schedule.ts";
import { type BackupState, readBackupState } from "../../journal/backup-state.ts";
import { isHeld } from "../../journal/held.ts";
import type { Text } from "../../foundation/text.ts";

const DAY_MS = 86_400_000;

export const numberingCheck: Check<TableCheckInput> = {
  name: "numbering",
  async find({ inspection, command }) {
    const findings: Found[] = [];
    for await (const hole of findHoles(inspection.session))
      findings.push(problem(describeHole(hole), command(null, "auditNumbers"), { mode: hole.mode }));
    return findings;
  },
  ok: { en: "Every number is accounted for.", el: "Κάθε αριθμός έχει εξήγηση." },
};

/** Leaves time to hand out a new key. */
const EXPIRING_DAYS = 14;

export const keysCheck: Check<TableCheckInput> = {
  name: "keys",
  async find(input) {
    const rows = await listKeyRows(input.inspection.session);
    return rows.filter((row) => row.revoked_at === null).flatMap((row) => checkKey(input, row));
  },
  ok: {
    en: "No API key has expired or expires soon.",
    el: "Κανένα κλειδί API δεν έληξε ούτε λήγει σύντομα.",
  },
};

function checkKey({ clock, command }: TableCheckInput, row: ApiKeyRow): Found[] {
  const { id, mode, name, expires_at: expiresAt, last_used_at: lastUsedAt, last4 } = row;
  const soon = new Date(clock.nowMs() + EXPIRING_DAYS * DAY_MS).toISOString();
  if (expiresAt === null) return [];
  const isReadable = !Number.isNaN(Date.parse(expiresAt));
  if (isReadable && expiresAt >= soon) return [];
  const at = instantText(expiresAt);
  const key = { en: `The ${mode} key "${name}" (…${last4})`, el: `Το κλειδί ${mode} «${name}» (…${last4})` };
  const create = command(null, "createApiKey", mode);
  const revoke = command(null, "revokeApiKey", id);
  const replace = { en: `${create}, then ${revoke}`, el: `${create}, έπειτα ${revoke}` };
  const about = { mode, subjects: [id] };
  if (!isReadable) {
    const message = {
      en: `${key.en} has an unreadable expiry date and is refused.`,
      el: `${key.el} έχει ημερομηνία λήξης που δεν διαβάζεται και δεν γίνεται δεκτό.`,
    };
    return [problem(message, replace, about)];
  }
  if (expiresAt >= clock.now()) {
    const message = { en: `${key.en} expires at ${at.en}.`, el: `${key.el} λήγει στις ${at.el}.` };
    return [notice(message, replace, about)];
  }
  if (wasInUse(expiresAt, lastUsedAt)) {
    const message = {
      en: `${key.en} was in use until it expired at ${at.en}.`,
      el: `${key.el} ήταν σε χρήση μέχρι που έληξε στις ${at.el}.`,
    };
    return [problem(message, replace, about)];
  }
  const message = { en: `${key.en} expired at ${at.en}.`, el: `${key.el} έληξε στις ${at.el}.` };
  return [notice(message, revoke, about)];
}

/** Whether it was used in its last week: its user is now refused. */
function wasInUse(expiresAt: string, lastUsedAt: string | null): boolean {
  return lastUsedAt !== null && Date.parse(lastUsedAt) >= Date.parse(expiresAt) - 7 * DAY_MS;
}

/** Log bodies are deleted every night: two days late is more than one missed night. */
const LATE_DAYS = 2;

const DAYS = { one: { en: "day", el: "ημέρα" }, many: { en: "days", el: "ημέρες" } };

/** Reports late deletion only if something is left to delete: without a server there may be nothing. */
export const retentionCheck: Check<TableCheckInput> = {
  name: "retention",
  async find({ inspection: { session }, clock, config: { retention }, command }) {
    const kinds = [
      { prefix: "rql", what: { en: "requests", el: "αιτημάτων" }, days: retention.requestBodiesDays },
      {
        prefix: "pcl",
        what: { en: "provider calls", el: "κλήσεων προς παρόχους" },
        days: retention.providerBodiesDays,
      },
    ] as const;
    const lastRun = describeLastRun(await findWatermark(session, RETENTION_WATERMARK));
    const serve = command(null, "serve");
    const next = {
      en: `leave the server running: ${serve}`,
      el: `αφήστε τον διακομιστή να τρέχει: ${serve}`,
    };
    const findings: Found[] = [];
    for (const { prefix, what, days } of kinds) {
      const oldest = await findOldestBody(session, prefix);
      const limit = new Date(clock.nowMs() - (days + LATE_DAYS) * DAY_MS).toISOString();
      if (oldest === undefined || oldest >= limit) continue;
      const { en, el } = counted(days, DAYS);
      const message = {
        en: `Bodies of ${what.en} are kept beyond ${en}: the nightly deletion ${lastRun.en}.`,
        el: `Σώματα ${what.el} κρατούνται πάνω από ${el}: η νυχτερινή διαγραφή ${lastRun.el}.`,
      };
      findings.push(problem(message, next));
    }
    return findings;
  },
  ok: {
    en: "The logs keep nothing beyond its retention period.",
    el: "Τα αρχεία καταγραφής δεν κρατούν τίποτα πέρα από τον χρόνο διατήρησής του.",
  },
};

function describeLastRun(day: string | undefined) {
  return day === undefined
    ? { en: "has never run", el: "δεν έχει τρέξει ποτέ" }
    : { en: `last ran on ${day}`, el: `έτρεξε τελευταία φορά στις ${dayText(day).el}` };
}

export const backupCheck: Check<TableCheckInput> = {
  name: "backup",
  async find({ inspection, config, clock, command }) {
    const { schedule, directory } = config.backup;
    // A held appliance makes no backups on purpose.
    if (schedule !== "" && (await isHeld(inspection.session))) return [];
    const state = schedule === "" ? undefined : await readBackupState(inspection.session);
    const trouble = state && findBackupProblem(state, schedule, clock.nowMs());
    const manual = command(null, "backUp");
    if (trouble?.kind === "failed") {
      const at = instantText(trouble.at);
      const message = {
        en: `The last scheduled backup failed at ${at.en}.`,
        el: `Το τελευταίο προγραμματισμένο αντίγραφο ασφαλείας απέτυχε στις ${at.el}.`,
      };
      const next = {
        en: `see why: ${manual} (to ${directory}), and the server's log`,
        el: `δείτε γιατί: ${manual} (στο ${directory}), και το αρχείο καταγραφής του διακομιστή`,
      };
      return [problem(message, next)];
    }
    if (trouble?.kind === "overdue") {
      const since = instantText(trouble.since);
      const message = {
        en: `A backup has been due since ${since.en}.`,
        el: `Αντίγραφο ασφαλείας έπρεπε να γίνει από τις ${since.el}.`,
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
