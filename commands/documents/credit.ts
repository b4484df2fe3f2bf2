/** `fiscal documents credit`: credits an issued document, or parts of its lines. See docs/contract.md#credit-and-repeat. */
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import { creditDocument, previewCredit, readCreditable } from "../../src/documents/credit.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import type { Examination } from "../../src/documents/preview.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { Created, IdempotencyClaim } from "../../src/journal/context.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode, InterruptedError, UsageError } from "../exit.ts";
import { addIdempotencyKeyOption, claimFor, printReplayed } from "../idempotency-key.ts";
import { type Interrupt, listenForInterrupt, printNote } from "../io.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples, addNotes, day } from "../options.ts";
import { canPrompt } from "../ui/prompt.ts";
import { type CreditLine, creditLine } from "./credit-line.ts";
import { formatNumber, printDocument } from "./document-view.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";
import { exitOfDocument } from "./exit-of-document.ts";
import { addWaitOptions, timeoutOf, type WaitOptions, waitForDocuments } from "./waiting.ts";

interface CreditOptions extends MerchantOption, WaitOptions, YesOption {
  line?: CreditLine[];
  date?: string;
  reference?: string;
  preview?: boolean;
  idempotencyKey?: string;
}

const NOTES: Text = {
  en: `Without --line everything that is left is credited. In live mode the credit note is shown first and asks for confirmation.
Exit: 2 if more is credited than is left, or nothing is left; 4 if the provider refused it, 5 if it could not be delivered.`,
  el: `Χωρίς --line πιστώνεται ό,τι απομένει. Στην παραγωγική λειτουργία το πιστωτικό εμφανίζεται πρώτα και ζητείται επιβεβαίωση.
Κωδικός εξόδου: 2 όταν πιστώνονται περισσότερα από όσα απομένουν ή δεν απομένει τίποτα· 4 όταν ο πάροχος το απέρριψε, 5 όταν δεν παραδόθηκε.`,
};

export function defineCredit(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addReferenceOwnerOption(command, context)
    .option(
      "--line <n[:quantity]>",
      inLanguage({
        en: "credit what is left of line n, or a quantity of it; may be repeated",
        el: "πιστώνει ό,τι απομένει από τη γραμμή n, ή μια ποσότητά της· επαναλαμβάνεται",
      }),
      creditLine("--line"),
    )
    .option(
      "--date <day>",
      inLanguage({ en: "issue date (default: today)", el: "ημερομηνία έκδοσης (αν λείπει: σήμερα)" }),
      day("--date"),
    )
    .option(
      "--reference <reference>",
      inLanguage({ en: "external reference of the credit note", el: "εξωτερική αναφορά του πιστωτικού" }),
    )
    .option(
      "--preview",
      inLanguage({
        en: "only show the credit note, issue nothing",
        el: "μόνο δείχνει το πιστωτικό, χωρίς έκδοση",
      }),
    );
  addYesOption(addIdempotencyKeyOption(command, context), context);
  addWaitOptions(command, context, {
    en: "end once it is accepted; a server or the next run issues it",
    el: "τελειώνει μόλις γίνει δεκτό· το εκδίδει ένας διακομιστής ή η επόμενη εκτέλεση",
  }).action((name: string, options: CreditOptions) => context.end(credit(context, name, options)));
  addNotes(command, context, NOTES);
  addExamples(
    command,
    context,
    "fiscal documents credit 2026-001 --preview",
    "fiscal documents credit 2026-001 --line 1:2 --line 3 --reference 2026-001-credit",
  );
}

/** The body of the API's `creditDocument`. */
function bodyOf({ line, date, reference }: CreditOptions): Record<string, unknown> {
  const given = { issue_date: date, external_reference: reference, lines: line };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

async function credit(context: CommandContext, name: string, options: CreditOptions): Promise<ExitCode> {
  const { io } = context;
  const timeoutSeconds = timeoutOf(options);
  const body = bodyOf(options);
  const interrupt = listenForInterrupt(io);
  try {
    return await context.withAppliance(async (appliance, mode) => {
      const original = await findDocument(appliance, mode, name, options);
      const claim = claimFor("creditDocument", options.idempotencyKey, { id: original.id }, body);
      if (options.preview === true) {
        await requireLeft(appliance, mode, original.id);
        await printCredit(context, await previewCredit(appliance, mode, original.id, body), original);
        return EXIT.done;
      }
      if (!(await isConfirmed(context, { appliance, mode, original, body, options }))) return EXIT.failure;
      const { id, replayed } = await accept(appliance, mode, { id: original.id, body, claim });
      if (replayed) await printReplayed(io);
      if (options.wait)
        await waitForDocuments(io, appliance, mode, {
          documentIds: new Set([id]),
          signal: interrupt.signal,
          timeoutSeconds,
        });
      return report(context, await getDocument(appliance, mode, id), { options, interrupt, mode });
    });
  } finally {
    interrupt.dispose();
  }
}

/** Throws UsageError if nothing is left, which the API reports as `invalid_state`. */
async function accept(
  appliance: Appliance,
  mode: Mode,
  { id, body, claim }: { id: string; body: Record<string, unknown>; claim: IdempotencyClaim | undefined },
): Promise<Created> {
  try {
    return await creditDocument(appliance, id, body, causeOf(mode), claim);
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_state") await requireLeft(appliance, mode, id);
    throw error;
  }
}

/** Throws UsageError if nothing is left, and `invalid_state` if the document cannot be credited. */
async function requireLeft(appliance: Appliance, mode: Mode, id: string): Promise<void> {
  const { isNothingLeft, nothingLeft } = await readCreditable(appliance, mode, id);
  if (isNothingLeft) throw new UsageError(nothingLeft);
}

interface Question {
  appliance: Appliance;
  mode: Mode;
  original: DocumentObject;
  body: Record<string, unknown>;
  options: CreditOptions;
}

/** In live mode shows the credit note and asks (docs/contract.md#confirmation-in-live-mode). */
async function isConfirmed(context: CommandContext, question: Question): Promise<boolean> {
  const { appliance, mode, original, body, options } = question;
  if (mode !== "live" || options.yes === true) return true;
  await requireLeft(appliance, mode, original.id);
  if (canPrompt(context.io) && context.options.json !== true)
    await printCredit(context, await previewCredit(appliance, mode, original.id, body), original);
  return confirmChange(context, options, {
    en: "Issue this credit note? It cannot be undone.",
    el: "Να εκδοθεί αυτό το πιστωτικό; Δεν αναιρείται.",
  });
}

async function printCredit(
  context: CommandContext,
  examination: Examination,
  original: DocumentObject,
): Promise<void> {
  const { printExamination } = await import("./preview/preview-view.ts");
  const { printJson } = await import("../ui/json.ts");
  if (context.options.json === true) return printJson(context.io.stdout, examination.object);
  const number = formatNumber(original);
  const place = { en: `credit of ${number}`, el: `πίστωση του ${number}` };
  const { mode } = original;
  await printExamination(context.io, examination, { place, reference: null, mode, payload: false });
}

async function report(
  context: CommandContext,
  document: DocumentObject,
  { options, interrupt, mode }: { options: CreditOptions; interrupt: Interrupt; mode: Mode },
): Promise<ExitCode> {
  if (interrupt.signal.aborted)
    throw new InterruptedError({
      en: "interrupted: the credit note is queued; a server or the next run sends it",
      el: "διακόπηκε: το πιστωτικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
    });
  await printDocument(context, document);
  if (document.status === "issued" && context.options.json !== true) {
    const command = sameInBoth(
      `${mode === "live" ? "fiscal --live" : "fiscal"} documents pdf ${document.id}`,
    );
    await printNote(context.io, { en: `Its PDF: ${command.en}`, el: `Το PDF του: ${command.el}` });
  }
  return exitOfDocument(document, options.wait);
}
