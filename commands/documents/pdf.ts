/** `fiscal documents pdf`: writes the PDF of one document, or of every document in a range of issue dates. */
import { getDocumentPdf } from "../../src/paper/document-pdf.ts";
import { PAPER_FORMATS, pdfFileName } from "../../src/paper/paper.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import { checkTemplate, PATH_TEMPLATE, PATH_WORDS } from "../../src/paper/pdf-files.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { write } from "../io.ts";
import { PERIOD, readIssueDates } from "../common-flags.ts";
import { choice, contradiction } from "../options.ts";
import { findDocument } from "./find-document.ts";
import { refuseReplacing, writePdf } from "../output-files.ts";
import { writeRange } from "./pdf/pdf-range.ts";
import { type Flags, type OptionsOf, type Outcome, verb } from "../define.ts";

const FLAGS = {
  "--output <file>": {
    en: "file of one document; - is standard output (default: <series>-<number>.pdf in this folder)",
    el: "αρχείο για ένα παραστατικό· το - είναι η τυπική έξοδος (αν λείπει: <σειρά>-<αριθμός>.pdf σε αυτόν τον φάκελο)",
  },
  ...PERIOD,
  "--out <folder>": {
    en: `folder for the files, named by --name; existing files are skipped`,
    el: `φάκελος για τα αρχεία, με ονόματα κατά την --name· όσα υπάρχουν ήδη προσπερνιούνται`,
  },
  "--zip <file>": { en: "one archive in place of a folder", el: "ένα συμπιεσμένο αρχείο αντί για φάκελο" },
  "--name <template>": {
    en: `path of each file below it (default ${PATH_TEMPLATE}); words: ${PATH_WORDS.join(", ")}`,
    el: `διαδρομή κάθε αρχείου μέσα του (αν λείπει: ${PATH_TEMPLATE})· λέξεις: ${PATH_WORDS.join(", ")}`,
    read: () => readTemplate,
  },
  "--merchant <merchant>": {
    en: "merchant of the reference, or only documents of this merchant: id or external id",
    el: "ποιας επιχείρησης είναι η αναφορά ή τα παραστατικά: id ή εξωτερικό id",
  },
  "--format <format>": {
    en: "a4, or receipt: paper of 80 mm for retail documents (default: as the merchant's settings say)",
    el: "a4 ή receipt: χαρτί 80 mm για παραστατικά λιανικής (αν λείπει: όπως λένε οι ρυθμίσεις της επιχείρησης)",
    read: choice(PAPER_FORMATS),
  },
  "--force": { en: "overwrite existing files", el: "αντικαθιστά όσα αρχεία υπάρχουν" },
} satisfies Flags;

type PdfOptions = OptionsOf<typeof FLAGS>;

export const definePdf = verb({
  flags: FLAGS,
  examples: [
    "fiscal documents pdf 2026-001",
    "fiscal documents pdf 2026-001 --output - > invoice.pdf",
    "fiscal documents pdf --from 2025-11-01 --to 2025-11-30 --out november",
    "fiscal documents pdf --from 2025-11-01 --to 2025-11-30 --zip november.zip --merchant shop",
  ],
  fields: ["document", "file", "bytes", "written", "skipped", "failed"],
  async run(context, options, name?: string) {
    const { output, from, to, month, out, zip } = options;
    const isRange = [from, to, month].some((given) => given !== undefined);
    if (name !== undefined && isRange)
      throw new UsageError({
        en: "--from, --to and --month are for a range of documents: leave the document out",
        el: "οι --from, --to και --month είναι για όλα τα παραστατικά ενός διαστήματος: παραλείψτε το παραστατικό",
      });
    if (output !== undefined && (name === undefined || out !== undefined || zip !== undefined))
      throw new UsageError({
        en: "--output is for one document: name it, or use --out or --zip",
        el: "η --output είναι για ένα παραστατικό: ορίστε το ή χρησιμοποιήστε --out ή --zip",
      });
    if (out !== undefined && zip !== undefined) throw contradiction("--out", "--zip");
    const hasTarget = (out ?? zip ?? "") !== "";
    if (name !== undefined) return (hasTarget ? writeRange : writeOne)(context, name, options);
    if (!hasTarget || !isRange) throw new UsageError(MISSING);
    return writeRange(context, readIssueDates(options), options);
  },
});

const MISSING: Text = {
  en: "the document is missing: name one, or give --month (or --from and --to) and --out or --zip for a range",
  el: "λείπει το παραστατικό: ορίστε ένα, ή δώστε --month (ή --from και --to) και --out ή --zip για όλα ενός διαστήματος",
};

function readTemplate(template: string): string {
  const { unknown, isDistinct } = checkTemplate(template);
  const words = PATH_WORDS.map((word) => `{${word}}`).join(", ");
  if (unknown.length > 0)
    throw new UsageError({
      en: `--name takes the words ${words}`,
      el: `η --name δέχεται τις λέξεις ${words}`,
    });
  if (isDistinct) return template;
  throw new UsageError({
    en: "--name must tell documents apart: it needs {series} and {number}, {mark} or {id}",
    el: "η --name πρέπει να ξεχωρίζει τα παραστατικά: χρειάζεται {series} και {number}, {mark} ή {id}",
  });
}

async function writeOne(context: CommandContext, name: string, options: PdfOptions): Promise<Outcome | void> {
  const { io } = context;
  const { output, force = false } = options;
  if (output === "-") checkStdout(io.stdout.isTTY === true, context.options.json === true);
  return context.withAppliance(async (appliance, mode) => {
    const { id, series, number } = await findDocument(appliance, mode, name, options);
    const isNumbered = series !== null && number !== null;
    const file = output ?? (isNumbered ? pdfFileName(series, number) : undefined);
    // Before the PDF is created, because a provider may have to be asked for it.
    if (file !== undefined && file !== "-" && !force) await refuseReplacing(io, file);
    const pdf = await getDocumentPdf(appliance, mode, id, options.format);
    if (file === "-") return write(io.stdout, pdf.bytes);
    const target = file ?? pdf.fileName;
    await writePdf(io, target, pdf.bytes);
    return { object: { document: id, file: target, bytes: pdf.bytes.length }, shown: sameInBoth(target) };
  });
}

function checkStdout(isTerminal: boolean, isJson: boolean): void {
  if (isJson)
    throw new UsageError({
      en: "--json and --output - both use standard output; give a file",
      el: "οι --json και --output - θέλουν και οι δύο την τυπική έξοδο· δώστε αρχείο",
    });
  if (isTerminal)
    throw new UsageError({
      en: "a PDF is not for a terminal: give a file with --output, or use a pipe",
      el: "ένα PDF δεν είναι για τερματικό: δώστε αρχείο με --output ή στείλτε το σε σωλήνα",
    });
}
