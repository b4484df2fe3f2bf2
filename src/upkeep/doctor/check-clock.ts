/**
 * Checks the clock, on which numbers, leases and issue dates depend, and what a server does by it: that logs are deleted in time and
 * scheduled backups are made.
 */
import { createClock, instantText } from "../../foundation/clock.ts";
import { findAppliance, findOldestBody } from "../../../storage/upkeep/diagnosis.ts";
import { msOfIdBody } from "../../../storage/database/ids.ts";
import type { Text } from "../../foundation/text.ts";
import {
  type Check,
  type CheckInput,
  counted,
  type Found,
  notice,
  ok,
  problem,
  type TableCheckInput,
} from "./doctor-finding.ts";
import { dayText } from "../../foundation/days.ts";
import { findWatermark } from "../../../storage/upkeep/appliance-state.ts";
import { RETENTION_WATERMARK } from "../retention/retention.ts";
import { findBackupProblem } from "../backup/backup-schedule.ts";
import { type BackupState, isHeld, readBackupState } from "../../journal/held.ts";

const SYNCHRONISE: Text = {
  en: "set the clock and keep it by NTP: timedatectl set-ntp true",
  el: "ρυθμίστε το ρολόι και κρατήστε το με NTP: timedatectl set-ntp true",
};
const COMPARE: Text = {
  en: "nothing, if the clock is right now; compare it with the authority's",
  el: "τίποτα, αν το ρολόι είναι τώρα σωστό· συγκρίνετέ το με της ΑΑΔΕ",
  next: { operation: "compareClock" },
};
/** A second or two between processes is harmless, and a server corrects nothing below ten. */
const BACK_MS_MAX = 10_000;

/**
 * Ids contain their time: if the newest is in the future, the clock ran ahead and was set back since. So it was if the latest
 * time at a commit is: a server makes due what waits, and then that time is today's again.
 */
export const clockCheck: Check<TableCheckInput> = {
  name: "clock",
  async find({ clock, inspection }) {
    const appliance = await findAppliance(inspection.session);
    const newestMs = appliance === undefined ? 0 : msOfIdBody(appliance.last_id);
    const latestMs = Date.parse(appliance?.clock_at ?? "") || 0;
    const backMs = Math.max(newestMs, latestMs) - clock.nowMs();
    if (backMs <= BACK_MS_MAX) return checkTimeZone();
    const isCorrected = latestMs - clock.nowMs() <= BACK_MS_MAX;
    return [...checkTimeZone(), notice(describeSetBack(backMs, newestMs, isCorrected), COMPARE)];
  },
  ok: ({ clock }) => {
    const { en, el } = instantText(clock.now());
    return { en: `The clock says ${en} in Athens.`, el: `Το ρολόι λέει ${el} στην Αθήνα.` };
  },
};

function describeSetBack(backMs: number, newestMs: number, isCorrected: boolean): Text {
  const seconds = Math.round(backMs / 1000);
  const until = instantText(new Date(newestMs).toISOString());
  return isCorrected
    ? {
        en: `The clock ran ahead and was set back by about ${seconds} seconds. What had been put off until then is due again; new rows are dated ${until.en} until the clock passes it.`,
        el: `Το ρολόι πήγαινε μπροστά και γύρισε πίσω κατά ${seconds} δευτερόλεπτα περίπου. Όσα είχαν αναβληθεί γι' αυτό εκτελούνται πάλι στην ώρα τους· οι νέες εγγραφές έχουν ώρα ${until.el}, μέχρι να την περάσει το ρολόι.`,
      }
    : {
        en: `The clock ran ahead and was set back by about ${seconds} seconds. Once a server runs, documents and webhooks wait no longer than their schedules say.`,
        el: `Το ρολόι πήγαινε μπροστά και γύρισε πίσω κατά ${seconds} δευτερόλεπτα περίπου. Μόλις τρέξει ο διακομιστής, τα παραστατικά και τα webhook περιμένουν μόνο όσο ορίζει το πρόγραμμά τους.`,
      };
}

/** Instants with their day in Athens, in winter and in summer time. */
const KNOWN_DAYS = [
  ["2026-01-14T21:59:59.000Z", "2026-01-14"],
  ["2026-01-14T22:00:00.000Z", "2026-01-15"],
  ["2026-07-14T20:59:59.000Z", "2026-07-14"],
  ["2026-07-14T21:00:00.000Z", "2026-07-15"],
] as const;

function checkTimeZone(): Found[] {
  const isRight = KNOWN_DAYS.every(([instant, day]) => {
    try {
      return createClock(() => Date.parse(instant)).today() === day;
    } catch (error) {
      // Node without time zone data rejects the zone's name.
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
  if (isRight) return [];
  return [
    problem(
      {
        en: "The time zone data of this Node does not know the days of Athens: issue dates would be wrong.",
        el: "Τα δεδομένα ζωνών ώρας αυτού του Node δεν ξέρουν τις ημέρες της Αθήνας: οι ημερομηνίες έκδοσης θα ήταν λάθος.",
      },
      {
        en: "use a Node with full time zone data (the official builds have it)",
        el: "χρησιμοποιήστε Node με πλήρη δεδομένα ζωνών ώρας (τα έχουν οι επίσημες εκδόσεις)",
      },
    ),
  ];
}

const ANSWER_WAIT_MS = 5000;
const APART_SECONDS_MAX = 60;

/** `--online`: compares the clock with the Date header of the authority's server. Sends no key and no document. */
export const onlineClockCheck: Check<CheckInput> = {
  name: "clock",
  async find({ config, clock }) {
    const url = config.providers.registryDirect.liveUrl;
    const { host } = new URL(url);
    let date: string | null;
    try {
      const signal = AbortSignal.timeout(ANSWER_WAIT_MS);
      date = (await fetch(url, { method: "HEAD", redirect: "manual", signal })).headers.get("date");
    } catch (error) {
      return [unreachable(host, error instanceof Error && error.name === "TimeoutError")];
    }
    const theirMs = date === null ? Number.NaN : Date.parse(date);
    if (Number.isNaN(theirMs))
      return [
        ok({
          en: `${host} answers, but does not say what time it is.`,
          el: `Το ${host} απαντά, αλλά δεν λέει τι ώρα είναι.`,
        }),
      ];
    const seconds = Math.round((clock.nowMs() - theirMs) / 1000);
    const isAhead = seconds > 0;
    const message = {
      en: `The clock is ${Math.abs(seconds)} seconds ${isAhead ? "ahead of" : "behind"} that of ${host}.`,
      el: `Το ρολόι είναι ${Math.abs(seconds)} δευτερόλεπτα ${isAhead ? "μπροστά" : "πίσω"} από εκείνο του ${host}.`,
    };
    return Math.abs(seconds) <= APART_SECONDS_MAX ? [] : [problem(message, SYNCHRONISE)];
  },
  ok: ({ config }) => {
    const { host } = new URL(config.providers.registryDirect.liveUrl);
    return {
      en: `The clock agrees with that of ${host}.`,
      el: `Το ρολόι συμφωνεί με εκείνο του ${host}.`,
    };
  },
};

function unreachable(host: string, isTimeout: boolean): Found {
  return problem(
    {
      en: `${host} cannot be reached (${isTimeout ? "no answer in time" : "no connection"}): documents could not be sent there either.`,
      el: `${isTimeout ? `Το ${host} δεν απαντά εγκαίρως` : `Δεν γίνεται σύνδεση με το ${host}`}: ούτε παραστατικά θα μπορούσαν να σταλούν εκεί.`,
    },
    {
      en: "check the network, and providers.registry_direct.live_url",
      el: "ελέγξτε το δίκτυο και το providers.registry_direct.live_url",
    },
  );
}

const DAY_MS = 86_400_000;

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
    const lastRun = describeLastRun(await findWatermark(session, { name: RETENTION_WATERMARK }));
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
