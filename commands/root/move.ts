/** `fiscal move`: copies everything to PostgreSQL, and leaves this database held. */
import { existsSync } from "node:fs";
import { addressIn, requireDatabaseFile } from "../../src/config/addresses.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, UsageError } from "../exit.ts";
import { nameOf, readBytes, readText } from "../input-files.ts";
import { printNote } from "../io.ts";
import { withProgress } from "../ui/progress.ts";
import { contradiction } from "../options.ts";
import { countText } from "../../src/operations/view.ts";
import { verb } from "../define.ts";
import { confirmChange, YES } from "../confirmation.ts";

const NOTES: Text = {
  en: `Stop every server on this database first. The other database must be empty. Every row is copied and compared; then both are on
hold. If anything fails, nothing has changed. The master key stays in the data directory and is needed with the other database too.
docs/postgres.md describes the whole move.`,
  el: `Σταματήστε πρώτα κάθε διακομιστή αυτής της βάσης. Η άλλη βάση πρέπει να είναι άδεια. Κάθε εγγραφή αντιγράφεται και συγκρίνεται·
έπειτα και οι δύο μένουν σε αναμονή. Αν κάτι αποτύχει, δεν αλλάζει τίποτα. Το κύριο κλειδί μένει στον φάκελο δεδομένων και χρειάζεται
και με την άλλη βάση. Το docs/postgres.md περιγράφει όλη τη μεταφορά.`,
};

export const defineMove = verb({
  flags: {
    "--to <url>": {
      en: "the other database: postgres://user@host/database",
      el: "η άλλη βάση: postgres://user@host/database",
    },
    "--to-file <file>": {
      en: "a file with the address, so that a password in it is not visible to others",
      el: "αρχείο με τη διεύθυνση, ώστε να μη φαίνεται σε άλλους ένας κωδικός μέσα της",
    },
    ...YES,
  },
  notes: NOTES,
  examples: ["fiscal move --to-file database-url --yes"],
  fields: ["object", "database", "rows", "tables"],
  async run(context, options) {
    const { io } = context;
    const url = await addressOf(context, options);
    const { storage } = await context.configuration();
    const { database } = storage;
    requireDatabaseFile(storage, { en: "move", el: "Η move" });
    if (!existsSync(database))
      throw new ConfigurationError({
        en: `There is no database ${database} to move`,
        el: `Δεν υπάρχει βάση ${database} για να μεταφερθεί`,
      });
    if (!(await confirmChange(context, options, question(database)))) return EXIT.failure;
    // Opening checks the master key and migrates the schema.
    const nowMs = await context.withAppliance(async ({ clock }) => clock.nowMs());
    const { moveDatabase } = await import("../../src/upkeep/resume.ts");
    const tables = await withProgress(io, { en: "copying", el: "αντιγραφή" }, ({ update }) =>
      moveDatabase({ database, url, nowMs, onProgress: (rows) => update(rows) }),
    );
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const byTable = Object.fromEntries(tables.map((table) => [table.table, table.rows]));
    const count = countText(rows);
    return {
      object: { object: "move", database, rows, tables: byTable },
      shown: {
        en: `Copied and compared ${count.en} rows. ${database} is on hold, and so is the copy.`,
        el: `Αντιγράφηκαν και συγκρίθηκαν ${count.el} εγγραφές. Η ${database} είναι σε αναμονή, και το αντίγραφο επίσης.`,
      },
      notes: [NEXT_STEPS],
    };
  },
});

async function addressOf(
  { io }: CommandContext,
  { to, toFile }: { to?: string; toFile?: string },
): Promise<string> {
  if (to !== undefined && toFile !== undefined) throw contradiction("--to", "--to-file");
  if (to !== undefined) {
    if (URL.canParse(to) && new URL(to).password !== "") await printNote(io, PASSWORD_SHOWN);
    return to;
  }
  if (toFile === undefined)
    throw new UsageError({ en: "--to or --to-file is missing", el: "λείπει η --to ή η --to-file" });
  return addressIn(await readText(readBytes(io, toFile), nameOf(toFile)));
}

const PASSWORD_SHOWN: Text = {
  en: "warning: every user of this machine can see a password given as a flag; use --to-file",
  el: "προσοχή: κάθε χρήστης αυτού του μηχανήματος βλέπει έναν κωδικό που δίνεται ως επιλογή· χρησιμοποιήστε την --to-file",
};

function question(database: string): Text {
  return {
    en: `Copy ${database} to PostgreSQL, and put it on hold?`,
    el: `Να αντιγραφεί η ${database} στην PostgreSQL και να μπει σε αναμονή;`,
  };
}

const NEXT_STEPS: Text = {
  en: "Next: set storage.url or storage.url_file in the configuration, check with `fiscal doctor`, and let it send with `fiscal resume`.",
  el: "Έπειτα: ορίστε storage.url ή storage.url_file στις ρυθμίσεις, ελέγξτε με `fiscal doctor`, και αφήστε την να στέλνει με `fiscal resume`.",
};
