/** `fiscal resume`: lets a restored installation send again. */
import { providerName } from "../../src/domain/document-codes.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Resumption } from "../../src/upkeep/resume.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printLine, printNote } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { type Column, countText, instantText, wordText } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { verb } from "../define.ts";
import { confirmChange, YES, type YesOption } from "../confirmation.ts";

const NOTES: Text = {
  en: `Run this only once the installation that made the backup is permanently off: two installations that send the same
documents file them twice. Before it sends a document without an outcome, or the first new documents of a series, fiscal
asks the provider whether it already has them. docs/backup.md lists what to check first.`,
  el: `Μόνο όταν η εγκατάσταση του αντιγράφου έχει σταματήσει οριστικά: δύο που στέλνουν τα ίδια παραστατικά τα υποβάλλουν δύο
φορές. Για παραστατικά χωρίς έκβαση ρωτιέται ο πάροχός τους πριν σταλεί οτιδήποτε, και το ίδιο για τα πρώτα νέα κάθε σειράς.
Το docs/backup.md λέει τι να δείτε πριν.`,
};

export const defineResume = verb({
  flags: {
    ...YES,
  },
  notes: NOTES,
  examples: ["fiscal resume", "fiscal resume --yes --json"],
  run: runResume,
});

const QUESTION: Text = {
  en: "Is the other installation permanently off, and should this one send?",
  el: "Έχει σταματήσει οριστικά η άλλη εγκατάσταση, και να στέλνει αυτή;",
};

async function runResume(context: CommandContext, options: YesOption): Promise<ExitCode> {
  const { io } = context;
  const { describeResumption, resume } = await import("../../src/upkeep/resume.ts");
  return context.withAppliance(async (appliance) => {
    const before = await describeResumption(appliance);
    if (before.held) await show(context, before, appliance.clock.nowMs());
    if (before.held && !(await confirmChange(context, options, QUESTION, STAYS))) return EXIT.failure;
    const isResumed = before.held && (await resume(appliance));
    if (context.options.json === true) await printJson(io, { ...before, held: false, resumed: isResumed });
    else await printLine(io, isResumed ? RESUMED : NOT_HELD);
    return EXIT.done;
  });
}

const STAYS: Text = { en: "It stays on hold.", el: "Μένει σε αναμονή." };

const RESUMED: Text = {
  en: "Resumed. A running server continues within a second.",
  el: "Συνεχίζει. Διακομιστής που τρέχει ξεκινά μέσα σε ένα δευτερόλεπτο.",
};

const NOT_HELD: Text = {
  en: "It is not on hold; nothing was changed.",
  el: "Δεν είναι σε αναμονή· δεν άλλαξε τίποτα.",
};

interface Line {
  mode: Mode;
  what: Text;
  count: number;
  next: Text;
}

const COLUMNS: readonly Column<Line>[] = [
  { head: { en: "mode", el: "λειτουργία" }, value: ({ mode }) => wordText(mode) },
  { head: { en: "what", el: "τι" }, value: ({ what }) => what },
  { head: { en: "count", el: "πλήθος" }, align: "right", value: ({ count }) => countText(count) },
  { head: { en: "next", el: "έπειτα" }, value: ({ next }) => next },
];

const SENT: Text = { en: "sent", el: "στέλνονται" };
const ASKED_ABOUT: Text = { en: "provider asked first", el: "ρωτιέται πρώτα ο πάροχος" };

function linesOf({ documents, deliveries }: Resumption): Line[] {
  return [
    ...documents.map(({ mode, provider, stage, documents: count, next }) => ({
      mode,
      what: {
        en: `documents ${stage}, ${providerName(provider)}`,
        el: `παραστατικά (${wordText(stage).el}), ${providerName(provider)}`,
      },
      count,
      next: next === "sent" ? SENT : ASKED_ABOUT,
    })),
    ...deliveries.map(({ mode, deliveries: count }) => ({
      mode,
      what: { en: "webhook deliveries", el: "αποστολές webhook" },
      count,
      next: { en: "posted, some possibly twice", el: "στέλνονται, κάποιες ίσως δεύτερη φορά" },
    })),
  ];
}

/** Shows what will be sent. With `--json` only the notes, on stderr. */
async function show(context: CommandContext, resumption: Resumption, nowMs: number): Promise<void> {
  const { io } = context;
  const lines = linesOf(resumption);
  if (context.options.json !== true && lines.length > 0) await printTable(io, COLUMNS, lines);
  if (lines.length === 0)
    await printNote(io, { en: "Nothing is waiting to be sent.", el: "Τίποτα δεν περιμένει να σταλεί." });
  const { backup_at: backupAt } = resumption;
  if (backupAt !== null) {
    const age = ageOf(backupAt, nowMs);
    const at = instantText(backupAt);
    await printNote(io, {
      en: `The backup was made ${age.en} ago (${at.en}).`,
      el: `Το αντίγραφο έχει ηλικία ${age.el} (${at.el}).`,
    });
  }
  await printNote(io, {
    en: "Numbers allocated since then are unknown here: raise the counters you know with `fiscal numbering set`.",
    el: "Αριθμοί που δόθηκαν από τότε δεν είναι γνωστοί εδώ: ανεβάστε τους μετρητές με `fiscal numbering set` όπου τους ξέρετε.",
  });
}

const HOUR_MS = 3_600_000;

function ageOf(instant: string, nowMs: number): Text {
  const hours = (nowMs - Date.parse(instant)) / HOUR_MS;
  if (hours < 1) {
    const minutes = Math.max(0, Math.round(hours * 60));
    return { en: `${minutes} minutes`, el: `${minutes} λεπτών` };
  }
  if (hours < 48) return { en: `${Math.round(hours)} hours`, el: `${Math.round(hours)} ωρών` };
  const days = Math.round(hours / 24);
  return { en: `${days} days`, el: `${days} ημερών` };
}
