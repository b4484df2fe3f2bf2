/** `fiscal quickstart`: issues twelve example documents in the sandbox, in a separate data directory. */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Appliance } from "../../src/appliance.ts";
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { presentBatch } from "../documents/batch/batch-outcome.ts";
import type { Tally } from "../documents/batch/batch-tally.ts";
import { startReport } from "../documents/batch/report.ts";
import { interruptedError, runBatch } from "../documents/batch/run-batch.ts";
import type { CommandContext } from "../context.ts";
import { DOCUMENT_COLUMNS } from "../../src/operations/document-view.ts";
import { EXIT, UsageError } from "../exit.ts";
import { printLine, printNote, printProblem, type ProgramIo } from "../io.ts";
import { commandLine } from "../next-steps.ts";
import { findOrCreateMerchant } from "../merchants/find-merchant.ts";
import { verb } from "../define.ts";

const FOLDER = "fiscal-quickstart";
const EXAMPLES = "examples/documents.csv";
/** A second run finds the merchant and the key by this name instead of creating them again. */
const NAME = "quickstart";
const MERCHANT = { external_id: NAME, name: "Παράδειγμα Α.Ε.", tax_id: "123456783" };

/** Without ids and days, so that a first look fits the screen. */
const [, REFERENCE, TYPE, NUMBER, , ...OTHERS] = DOCUMENT_COLUMNS;
const COLUMNS = [REFERENCE!, TYPE!, NUMBER!, ...OTHERS];

export const defineQuickstart = verb({
  examples: ["fiscal quickstart", "fiscal quickstart --data-dir ./somewhere-else"],
  makesDatabase: true,
  async run(context) {
    const { io } = context;
    if (context.options.live === true)
      throw new UsageError({
        en: "quickstart issues in the sandbox: omit --live",
        el: "το quickstart εκδίδει στο περιβάλλον δοκιμών: παραλείψτε το --live",
      });
    const dataDir = resolve(io.cwd, context.options.dataDir ?? FOLDER);
    // A configuration file may name the database of a real business, which must never receive the examples.
    const places = ["storage.database", "storage.url", "storage.url_file", "security.master_key_file"];
    const values = Object.fromEntries(places.map((path) => [path, ""]));
    const { storage } = await context.configuration({ dataDir, overrides: { values } });
    // The first run says that it creates it.
    if (existsSync(storage.database))
      await printNote(io, { en: `Data directory: ${dataDir}`, el: `Φάκελος δεδομένων: ${dataDir}` });
    return context.withAppliance(async (appliance) => {
      const merchant = await findOrCreateMerchant(appliance, MERCHANT);
      await printNote(io, { en: `Merchant: ${merchant.name}`, el: `Επιχείρηση: ${merchant.name}` });
      await createKeyOnce(context, appliance);
      await printNote(io, {
        en: "Issuing the documents of an example file in the sandbox:",
        el: "Έκδοση των παραστατικών ενός αρχείου παραδείγματος στο περιβάλλον δοκιμών:",
      });
      const tally = await issueExamples(context, appliance, merchant);
      await printNote(io, remarkOn(tally));
      await printNote(io, nextCommands(io, dataDir));
      return tally.exitCode === EXIT.refused ? EXIT.done : tally.exitCode;
    });
  },
});

/** Creates the key in the first run and prints it: to stderr with `--json`, where stdout has the list of documents. */
async function createKeyOnce(context: CommandContext, appliance: Appliance): Promise<void> {
  const { createKey, listKeys } = await import("../../src/keys/api-keys.ts");
  const known = (await listKeys(appliance)).find((key) => key.name === NAME && key.revoked_at === null);
  if (known !== undefined) {
    return printNote(context.io, {
      en: `API key: created earlier (…${known.last4}) and not shown again. \`fiscal keys create\` creates another.`,
      el: `Κλειδί API: υπάρχει από πριν (…${known.last4})· εμφανίστηκε τότε και δεν μπορεί να εμφανιστεί ξανά. Άλλο φτιάχνει η \`fiscal keys create\`.`,
    });
  }
  const key = await createKey(appliance, { mode: "test", name: NAME });
  const show = context.options.json === true ? printProblem : printLine;
  await show(context.io, {
    en: `API key (test mode, shown only now): ${key.secret}`,
    el: `Κλειδί API (δοκιμαστικό, εμφανίζεται μόνο τώρα): ${key.secret}`,
  });
}

async function issueExamples(
  context: CommandContext,
  appliance: Appliance,
  merchant: MerchantObject,
): Promise<Tally> {
  const { io } = context;
  const file = join(io.packageRoot, EXAMPLES);
  const defaults = { merchant, provider: "sandbox" };
  const options = { files: [file], format: "csv", defaults, dryRun: false, wait: true } as const;
  const batch = await runBatch(io, appliance, "test", options);
  const report = await startReport(io, undefined);
  // A first look needs no remarks on how the examples were classified.
  const tally = await presentBatch(context, appliance, "test", {
    batch,
    report,
    waited: true,
    warns: false,
    columns: COLUMNS,
  });
  if (batch.wasInterrupted) throw interruptedError(tally.counts.pending);
  return tally;
}

function remarkOn({ counts }: Tally): Text {
  const remarks: Text[] = [];
  if (counts.accepted === undefined && counts.accepted_before !== undefined)
    remarks.push({
      en: "All documents exist from an earlier run: nothing was issued twice.",
      el: "Υπήρχαν όλα από προηγούμενη εκτέλεση: τίποτα δεν εκδόθηκε δεύτερη φορά.",
    });
  if (counts.rejected === 1)
    remarks.push({
      en: "One document is rejected on purpose, to show what a rejection looks like.",
      el: "Εκείνο που απορρίφθηκε είναι εκεί επίτηδες: δείχνει πώς μοιάζει μια απόρριψη.",
    });
  return joinTexts(remarks, " ");
}

/** Three commands that work unchanged in the folder where this one was called. */
function nextCommands(io: ProgramIo, dataDir: string): Text {
  const program = io.env["npm_command"] === "exec" ? "npx fiscal" : "fiscal";
  const inside = relative(io.cwd, dataDir);
  const folder = inside.startsWith("..") || inside === "" ? dataDir : `./${inside}`;
  const commands = ["documents list --status rejected", "numbering audit", "serve"]
    .map((words) => `  ${commandLine({ dataDir: folder }, words, program)}`)
    .join("\n");
  return { en: `\nTry next:\n${commands}`, el: `\nΔοκιμάστε στη συνέχεια:\n${commands}` };
}
