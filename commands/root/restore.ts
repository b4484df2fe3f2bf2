/** `fiscal restore` makes a backup the database, which sends nothing until `fiscal resume`. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { EXIT } from "../exit.ts";
import { describeFileError } from "../file-errors.ts";
import { commandLine } from "../next-steps.ts";
import { printNote } from "../io.ts";
import { PASSPHRASE_FILE, unpackedFields, unpackedObject, WITHOUT_CHECKSUM } from "./backup.ts";
import { type Column, countText, instantText, type Row, wordText } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { verb } from "../define.ts";
import { confirmChange, YES } from "../confirmation.ts";
import { providerName } from "../../src/domain/document-codes.ts";
import type { Resumption } from "../../src/upkeep/resume.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";

const NOTES: Text = {
  en: `Rejects a file that is damaged, from a newer version or made with another master key, and a database that is in use. An
existing database is replaced only with --replace, and kept under a dated name. The restored database is on hold: it can be
read, but sends nothing until \`fiscal resume\`, because the installation that made the backup may still be running.`,
  el: `Δεν γίνεται δεκτό αρχείο κατεστραμμένο, νεότερης έκδοσης ή άλλου κύριου κλειδιού, ούτε βάση που χρησιμοποιείται. Βάση που
υπάρχει αντικαθίσταται μόνο με --replace, και κρατιέται με όνομα που έχει ημερομηνία. Ό,τι επανέρχεται μένει σε αναμονή:
διαβάζει, και δεν στέλνει τίποτα μέχρι τη \`fiscal resume\`, γιατί η εγκατάσταση του αντιγράφου ίσως δουλεύει ακόμη.`,
};

function nextSteps({ options }: CommandContext): Text {
  const [resume, show, set] = ["resume", "numbering show", "numbering set"].map((words) =>
    commandLine(options, words),
  );
  return {
    en: `On hold: it can be read, but sends nothing. Once the other installation is permanently off, run: ${resume}
First look at the counters (${show}): they are as old as the backup. \`${set}\` raises one.`,
    el: `Σε αναμονή: διαβάζει, και δεν στέλνει τίποτα. Όταν η άλλη εγκατάσταση έχει σταματήσει οριστικά: ${resume}
Δείτε πρώτα τους μετρητές (${show}): είναι τόσο παλιοί όσο το αντίγραφο. Η \`${set}\` ανεβάζει έναν.`,
  };
}

export const defineRestore = verb({
  argument: ["<file>", { en: "the backup", el: "το αντίγραφο" }],
  flags: {
    ...YES,
    "--replace": {
      en: "replace an existing database, which is kept under a dated name",
      el: "παίρνει τη θέση βάσης που υπάρχει· εκείνη κρατιέται με όνομα που έχει ημερομηνία",
    },
    "--passphrase-file <file>": PASSPHRASE_FILE,
    "--without-checksum": WITHOUT_CHECKSUM,
  },
  notes: NOTES,
  examples: ["fiscal restore fiscal-yesterday.db --replace --yes"],
  fields: ["object", "database", "held", "kept_aside", "backup"],
  async run(context, options, file: string) {
    const { io } = context;
    const config = await context.configuration();
    const { database } = config.storage;
    const path = resolve(io.cwd, file);
    const { requireDatabaseFile } = await import("../../src/config/addresses.ts");
    requireDatabaseFile(config.storage, { en: "restore", el: "Η restore" });
    const { requireBackupFile } = await import("../../src/upkeep/backup/restore-backup.ts");
    await requireBackupFile(path);
    const question =
      options.replace === true && existsSync(database)
        ? {
            en: `Replace ${database} with the backup? It is kept under another name.`,
            el: `Να μπει το αντίγραφο στη θέση της ${database}; Εκείνη κρατιέται με άλλο όνομα.`,
          }
        : {
            en: `Restore the backup to ${database}?`,
            el: `Να επανέλθει το αντίγραφο στη θέση ${database};`,
          };
    if (!(await confirmChange(context, options, question))) return EXIT.failure;
    const { restoreBackup } = await import("../../src/upkeep/backup/restore-backup.ts");
    const { masterKeysOf, passphraseOf } = await import("../../src/upkeep/backup/backup-places.ts");
    const { createClock } = await import("../../src/foundation/clock.ts");
    const given = options.passphraseFile && resolve(io.cwd, options.passphraseFile);
    const order = {
      file: path,
      passphrase: passphraseOf(config, given),
      withoutChecksum: options.withoutChecksum === true,
      masterKeys: masterKeysOf(config),
      database,
      replace: options.replace === true,
      dataDir: config.dataDir,
      nowMs: createClock().nowMs(),
    };
    const restored = await restoreBackup(order).catch((error: unknown) => {
      throw describeFileError(error, database);
    });
    const { keptAside } = restored;
    const backup = unpackedObject(path, restored);
    const replaced: Row[] = keptAside === null ? [] : [[{ en: "old database", el: "παλιά βάση" }, keptAside]];
    return {
      object: { object: "restoration", database, held: true, kept_aside: keptAside, backup },
      shown: [
        [{ en: "database", el: "βάση δεδομένων" }, database],
        ...replaced,
        ...unpackedFields(path, restored),
      ],
      notes: [nextSteps(context)],
    };
  },
});

const RESUMING: Text = {
  en: `Run this only once the installation that made the backup is permanently off: two installations that send the same
documents file them twice. Before it sends a document without an outcome, or the first new documents of a series, fiscal
asks the provider whether it already has them. docs/backup.md lists what to check first.`,
  el: `Μόνο όταν η εγκατάσταση του αντιγράφου έχει σταματήσει οριστικά: δύο που στέλνουν τα ίδια παραστατικά τα υποβάλλουν δύο
φορές. Για παραστατικά χωρίς έκβαση ρωτιέται ο πάροχός τους πριν σταλεί οτιδήποτε, και το ίδιο για τα πρώτα νέα κάθε σειράς.
Το docs/backup.md λέει τι να δείτε πριν.`,
};

export const defineResume = verb({
  flags: YES,
  notes: RESUMING,
  examples: ["fiscal resume", "fiscal resume --yes --json"],
  fields: ["object", "held", "backup_at", "documents", "deliveries", "resumed"],
  async run(context, options) {
    const { describeResumption, resume } = await import("../../src/upkeep/resume.ts");
    return context.withAppliance(async (appliance) => {
      const before = await describeResumption(appliance);
      if (before.held) await showBefore(context, before);
      if (before.held && !(await confirmChange(context, options, QUESTION, STAYS))) return EXIT.failure;
      const isResumed = before.held && (await resume(appliance));
      return {
        object: { ...before, held: false, resumed: isResumed },
        shown: isResumed ? RESUMED : NOT_HELD,
      };
    });
  },
});

const QUESTION: Text = {
  en: "Is the other installation permanently off, and should this one send?",
  el: "Έχει σταματήσει οριστικά η άλλη εγκατάσταση, και να στέλνει αυτή;",
};

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
async function showBefore(context: CommandContext, resumption: Resumption): Promise<void> {
  const { io } = context;
  const lines = linesOf(resumption);
  if (context.options.json !== true && lines.length > 0) await printTable(io, COLUMNS, lines);
  if (lines.length === 0)
    await printNote(io, { en: "Nothing is waiting to be sent.", el: "Τίποτα δεν περιμένει να σταλεί." });
  const { backup_at: backupAt } = resumption;
  if (backupAt !== null) {
    const at = instantText(backupAt);
    await printNote(io, { en: `The backup was made at ${at.en}.`, el: `Το αντίγραφο έγινε στις ${at.el}.` });
  }
  await printNote(io, {
    en: "Numbers allocated since then are unknown here: raise the counters you know with `fiscal numbering set`.",
    el: "Αριθμοί που δόθηκαν από τότε δεν είναι γνωστοί εδώ: ανεβάστε τους μετρητές με `fiscal numbering set` όπου τους ξέρετε.",
  });
}
