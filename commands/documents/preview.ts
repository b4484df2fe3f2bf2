/** `fiscal documents preview`: shows what would be sent, without sending or storing anything. */
import { PROVIDERS } from "../../src/domain/vocabulary.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { nameOf } from "../input.ts";
import { listenForInterrupt, printNote } from "../io.ts";
import type { Text } from "../../src/foundation/text.ts";
import { NO_FOREIGN_NAMES } from "../../src/intake/table-columns.ts";
import { findMerchant } from "../merchants/find-merchant.ts";
import { choice, integer } from "../options.ts";
import { chooseNames, readMapFile } from "./batch/batch-map.ts";
import { hasTable } from "./batch/file-format.ts";
import type { Reading } from "./batch/reading.ts";
import { readItems } from "./batch/source.ts";
import { examineItems, type PreviewOptions } from "./preview/examine-items.ts";
import { printExaminations } from "./preview/print-examinations.ts";
import { verb } from "../define.ts";
import { FILE_FLAGS } from "./batch/file-flags.ts";

const LIMIT_MAX = 100_000;

const NOTES: Text = {
  en: `FILE has the canonical document itself, a body that has it under document, or several: .json, .ndjson, .csv, .xlsx.
Exit: 2 if a document is invalid. --json prints the API's object, or a list for several documents.`,
  el: `Το FILE έχει το ίδιο το παραστατικό, ένα σώμα που το έχει στο document, ή πολλά: .json, .ndjson, .csv, .xlsx.
Κωδικός εξόδου: 2 όταν ένα παραστατικό δεν είναι σωστό. Η --json τυπώνει το αντικείμενο του API, ή λίστα όταν είναι πολλά.`,
};

export const definePreview = verb({
  flags: {
    "--provider <provider>": {
      en: "in the format of this provider",
      el: "στη μορφή αυτού του παρόχου",
      read: choice(PROVIDERS),
    },
    "--merchant <merchant>": {
      en: "merchant, if the file does not name one: id or external id",
      el: "ποιος το εκδίδει, όταν δεν το λέει το αρχείο: id ή εξωτερικό id",
    },
    ...FILE_FLAGS,
    "--payload": {
      en: "also show what the provider would receive",
      el: "δείχνει και τι θα λάμβανε ο πάροχος",
    },
    "--limit <n>": {
      en: "only the first n documents (default 20, with --json all)",
      el: "μόνο τα πρώτα n παραστατικά (αν λείπει: 20, με --json όλα)",
      read: integer(1, LIMIT_MAX),
    },
  },
  notes: NOTES,
  examples: [
    "fiscal documents preview document.json --payload",
    "fiscal documents preview documents.csv --merchant shop --limit 3",
  ],
  run: preview,
});

async function preview(context: CommandContext, file: string, options: PreviewOptions): Promise<ExitCode> {
  const { io } = context;
  const given = typeof options.map === "string" ? await readMapFile(io, options.map) : undefined;
  const isTable = hasTable([file], options.format);
  const notes: Text[] = [];
  const interrupt = listenForInterrupt(io);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const merchant =
        options.merchant === undefined ? undefined : await findMerchant(appliance, options.merchant);
      const readsTable = isTable && merchant !== undefined;
      const tables = { files: [file], format: options.format, sheet: options.sheet };
      const names = readsTable
        ? await chooseNames(io, appliance, merchant, { ...options, given, tables })
        : NO_FOREIGN_NAMES;
      if (names === undefined) return EXIT.failure;
      const reading: Reading = {
        format: options.format,
        defaults: { merchant },
        names,
        sheet: options.sheet,
        today: appliance.clock.today(),
        signal: interrupt.signal,
        note: (text) => void notes.push(text),
        onBytes: () => undefined,
      };
      const items = readItems(io, file, reading);
      const previews = examineItems(appliance, mode, items, { options, merchant });
      const exitCode = await printExaminations(context, previews, { single: nameOf(file).en, options, mode });
      for (const note of notes) await printNote(io, note);
      return exitCode;
    });
  } finally {
    interrupt.dispose();
  }
}
