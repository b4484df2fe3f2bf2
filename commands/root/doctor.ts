/** `fiscal doctor`: checks the installation, or whether a merchant is ready for live mode, and suggests what to do. Changes nothing. */
import type { Diagnosis } from "../../src/upkeep/doctor/diagnosis.ts";
import type { Finding } from "../../src/upkeep/doctor/doctor-finding.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { printLine, printNote, write } from "../io.ts";
import { commandLine, withCommand, wordsOf } from "../next-steps.ts";
import { printable } from "../../src/foundation/characters.ts";
import { type Column, wordText } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { type Outcome, verb } from "../define.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import { chooseMerchant, findMerchant } from "../merchants/find-merchant.ts";

const NOTES: Text = {
  en: `Checks configuration, database, master key, clock, disk, connections, documents of both modes, numbers, API keys and
retention. It only reads, and also works while a server is running.
Exit: 0 when there is no problem, 1 when there is one, 78 when the configuration cannot be loaded.`,
  el: `Ελέγχει ρυθμίσεις, βάση, κύριο κλειδί, ρολόι, δίσκο, συνδέσεις, παραστατικά και των δύο λειτουργιών, αριθμούς, κλειδιά
API και διατήρηση. Μόνο διαβάζει, και δίπλα σε διακομιστή που τρέχει.
Κωδικός εξόδου: 0 όταν δεν υπάρχει πρόβλημα, 1 όταν υπάρχει, 78 όταν οι ρυθμίσεις δεν φορτώνονται.`,
};

export const defineDoctor = verb({
  flags: {
    "--deep": {
      en: "also read every page of a large database, which takes minutes",
      el: "διαβάζει και κάθε σελίδα μιας μεγάλης βάσης, κάτι που διαρκεί λεπτά",
    },
    "--online": {
      en: "also compare the clock with the tax authority's server",
      el: "συγκρίνει και το ρολόι με εκείνο του διακομιστή της ΑΑΔΕ",
    },
    "--live-checklist": {
      en: "instead: whether a merchant is ready to issue in live mode",
      el: "αντί γι' αυτά: αν μια επιχείρηση είναι έτοιμη για την παραγωγική λειτουργία",
    },
    "--merchant <merchant>": {
      en: "the merchant of --live-checklist: id or external id",
      el: "η επιχείρηση του --live-checklist: id ή εξωτερικό id",
    },
  },
  notes: NOTES,
  examples: [
    "fiscal doctor",
    "fiscal doctor --online --json",
    "fiscal doctor --deep",
    "fiscal doctor --live-checklist --merchant shop",
  ],
  // The last two with `--live-checklist`.
  fields: ["object", "healthy", "findings", "merchant", "items"],
  async run(context, options) {
    if (options.liveChecklist === true) {
      return checkReadiness(context, options.merchant);
    }
    if (options.merchant !== undefined)
      throw new UsageError({
        en: "--merchant goes with --live-checklist",
        el: "το --merchant πηγαίνει με το --live-checklist",
      });
    let diagnosis: Diagnosis;
    try {
      diagnosis = await diagnoseHere(context, options);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const { diagnoseWithoutConfiguration } = await import("../../src/upkeep/doctor/diagnosis.ts");
      return outcomeOf(context, diagnoseWithoutConfiguration(error.text), EXIT.configuration);
    }
    return outcomeOf(context, diagnosis, diagnosis.healthy ? EXIT.done : EXIT.failure);
  },
});

async function diagnoseHere(
  context: CommandContext,
  { online = false, deep = false }: { online?: boolean; deep?: boolean },
): Promise<Diagnosis> {
  const { diagnose } = await import("../../src/upkeep/doctor/diagnosis.ts");
  const { createClock } = await import("../../src/foundation/clock.ts");
  const config = await context.configuration();
  return diagnose({
    config,
    clock: createClock(),
    command: (mode, operation, id = "") =>
      lineInMode(context, config.defaultMode, mode, wordsOf({ operation, id })),
    online,
    deep,
  });
}

/** What MCP returns, always in English. */
export async function diagnoseInEnglish(context: CommandContext) {
  const { findings, ...diagnosis } = inBothLanguages(await diagnoseHere(context, {}));
  return {
    ...diagnosis,
    findings: findings.map(({ message_el: _el, next_step_el: _next, ...found }) => found),
  };
}

/** A command line that works here, in `mode` if it matters. */
function lineInMode({ options }: CommandContext, usual: Mode, mode: Mode | null, words: string): string {
  // There is a flag for live mode but none for test mode.
  const program = mode === "test" && usual === "live" ? "FISCAL_DEFAULT_MODE=test fiscal" : "fiscal";
  return commandLine(options, mode === "live" ? `--live ${words}` : words, program);
}

const CHECKS: Readonly<Record<string, string>> = {
  backup: "αντίγραφα",
  listening: "ακρόαση",
  clock: "ρολόι",
  configuration: "ρυθμίσεις",
  connections: "συνδέσεις",
  database: "βάση",
  documents: "παραστατικά",
  queue: "σειρά",
  files: "αρχεία",
  disk: "δίσκος",
  server: "διακομιστής",
  "master key": "κύριο κλειδί",
  numbering: "αρίθμηση",
  replication: "αναπαραγωγή",
  transactions: "συναλλαγές",
  keys: "κλειδιά",
  mail: "email",
  retention: "διατήρηση",
  webhooks: "webhooks",
};

function checkText(check: string): Text {
  return { en: check, el: CHECKS[check] ?? check };
}

const COLUMNS: readonly Column<Finding>[] = [
  { head: { en: "severity", el: "βαρύτητα" }, isStatus: true, value: ({ severity }) => wordText(severity) },
  { head: { en: "check", el: "έλεγχος" }, value: ({ check }) => checkText(check) },
  { head: { en: "finding", el: "εύρημα" }, value: ({ message }) => message, wraps: true },
];

/** The `--json` output. Its other language is for alerts. */
export interface PrintedDiagnosis extends Omit<Diagnosis, "findings"> {
  findings: (Omit<Finding, "message" | "next_step"> & {
    message: string;
    message_el: string;
    next_step: string | null;
    next_step_el: string | null;
  })[];
}

function inBothLanguages({ findings, ...diagnosis }: Diagnosis): PrintedDiagnosis {
  const inWords = findings.map(({ message, next_step: step, ...finding }) => {
    const [said, next] = [withCommand(message), step === null ? null : withCommand(step)];
    return {
      ...finding,
      message: said.en,
      message_el: said.el,
      next_step: next?.en ?? null,
      next_step_el: next?.el ?? null,
    };
  });
  return { ...diagnosis, findings: inWords };
}

function outcomeOf(context: CommandContext, diagnosis: Diagnosis, exitCode: ExitCode): Outcome {
  return { object: inBothLanguages(diagnosis), shown: () => show(context, diagnosis), exitCode };
}

/** Prints the findings as a table. The next steps follow it, unwrapped, so that they can be copied. */
async function show(context: CommandContext, diagnosis: Diagnosis): Promise<void> {
  const { io, inLanguage } = context;
  await printTable(io, COLUMNS, diagnosis.findings);
  for (const { severity, check, next_step: step } of diagnosis.findings) {
    if (step === null) continue;
    const about = `${inLanguage(wordText(severity))}, ${inLanguage(checkText(check))}`;
    await write(io.stdout, `${about}: ${printable(inLanguage(step))}\n`);
  }
  const problems = diagnosis.findings.filter(({ severity }) => severity === "problem").length;
  await printNote(
    io,
    problems === 0
      ? { en: "No problems found.", el: "Δεν βρέθηκε πρόβλημα." }
      : { en: `Problems found: ${problems}.`, el: `Προβλήματα: ${problems}.` },
  );
}

/** Exits with 0 if everything is ready, otherwise with 1. */
async function checkReadiness(context: CommandContext, named: string | undefined): Promise<Outcome> {
  const { checkLiveReadiness } = await import("../../src/upkeep/live-checklist.ts");
  const { CHECKLIST_COLUMNS } = await import("../../src/operations/view.ts");
  const name = await chooseMerchant(context, named, { isOnlyTaken: true });
  return context.withAppliance(async (appliance) => {
    const merchant = await findMerchant(appliance, name);
    const items = await checkLiveReadiness(appliance, merchant);
    const isReady = items.every(({ ok }) => ok);
    return {
      object: {
        merchant: merchant.external_id,
        items: items.map(({ id, ok, what }) => ({ id, ok, what: what.en })),
      },
      async shown() {
        await printTable(context.io, CHECKLIST_COLUMNS, items);
        await printLine(context.io, summaryOf(merchant, isReady));
      },
      exitCode: isReady ? EXIT.done : EXIT.failure,
    };
  });
}

function summaryOf({ name }: MerchantObject, isReady: boolean): Text {
  return isReady
    ? {
        en: `${name} is ready for live mode.`,
        el: `Η επιχείρηση ${name} είναι έτοιμη για την παραγωγική λειτουργία.`,
      }
    : {
        en: `${name} is not ready for live mode; docs/going-live.md explains each point.`,
        el: `Η επιχείρηση ${name} δεν είναι έτοιμη για την παραγωγική λειτουργία· το docs/going-live.md εξηγεί κάθε σημείο.`,
      };
}
