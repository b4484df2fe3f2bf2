/** Shows one document that was put together on the command line, asks, issues it, waits for its MARK, prints it and writes its PDF. */
import type { Appliance } from "../../src/appliance.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { type Examination, examineBody } from "../../src/documents/preview.ts";
import type { Text } from "../../src/foundation/text.ts";
import type { Created, IdempotencyUse } from "../../src/journal/context.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { Flags, OptionsOf } from "../define.ts";
import { confirmChange, YES, type YesOption } from "../confirmation.ts";
import { causeOf, type CommandContext } from "../context.ts";
import { EXIT, type ExitCode, exitOfDocument, InterruptedError, OutputError, UsageError } from "../exit.ts";
import { printReplayed } from "../common-flags.ts";
import { interruptible, printNote, printProblem } from "../io.ts";
import { commandLine } from "../next-steps.ts";
import { canPrompt } from "../ui/prompt.ts";
import { timeoutOf, WAIT_FLAGS, waitForDocuments, type WaitOptions } from "./waiting.ts";
import { resolve } from "node:path";
import { AppError } from "../../src/foundation/errors.ts";
import { type DocumentObject, DocumentObjectSchema } from "../../src/journal/document-object.ts";
import { getDocumentPdf } from "../../src/paper/document-pdf.ts";
import { exists, writePdf } from "../output-files.ts";
import { readContents } from "../../src/documents/contents.ts";
import { getDocument } from "../../src/documents/list-documents.ts";
import type { Given } from "../flags.ts";
import { printJson } from "../ui/json.ts";
import { PREVIEW_FIELDS, printExamination } from "./preview/preview-view.ts";
import { printDocument } from "./document-view.ts";

/** With `--preview` the fields of a preview. */
export const ISSUE_ONE_FIELDS = [...Object.keys(DocumentObjectSchema.entries), ...PREVIEW_FIELDS];

export const ISSUE_ONE_FLAGS = {
  "--preview": {
    en: "only show the document, issue nothing",
    el: "μόνο δείχνει το παραστατικό, χωρίς έκδοση",
  },
  ...YES,
  ...WAIT_FLAGS,
} satisfies Flags;

export type IssueOneOptions = OptionsOf<typeof ISSUE_ONE_FLAGS>;

export interface Order {
  appliance: Appliance;
  mode: Mode;
  /** What the preview calls the document. */
  place: Text;
  reference: string | null;
  question: Text;
  /** Whether a person is asked in test mode too. */
  alwaysAsks: boolean;
  /** What would be issued. Throws the error with which `accept` would refuse it. */
  examine(): Promise<Examination>;
  accept(): Promise<Created>;
}

/** The order of a document whose whole body is known. */
export function orderOf(
  appliance: Appliance,
  mode: Mode,
  body: unknown,
  about: Pick<Order, "place" | "alwaysAsks"> & { reference: string | undefined; use?: IdempotencyUse },
): Order {
  const { place, alwaysAsks, reference = null, use } = about;
  return {
    appliance,
    mode,
    place,
    reference,
    question: {
      en: "Issue this document? It cannot be undone.",
      el: "Να εκδοθεί αυτό το παραστατικό; Δεν αναιρείται.",
    },
    alwaysAsks,
    examine: () => examineBody(appliance, body, mode),
    accept: () => acceptDocument(appliance, body, causeOf(mode), use),
  };
}

/** A signal ends it at once, except while the document is accepted and waited for: then the document stays queued. */
export async function issueOne(
  context: CommandContext,
  order: Order,
  options: IssueOneOptions,
): Promise<ExitCode> {
  const { io } = context;
  const { appliance, mode } = order;
  // Refuses flags that contradict each other before anything is asked.
  timeoutOf(options);
  if (options.preview === true) {
    await printOrder(context, order);
    return EXIT.done;
  }
  if (!(await isConfirmed(context, order, options))) return EXIT.failure;
  const document = await interruptible(io, async (signal) => {
    const { id, replayed } = await order.accept();
    if (replayed) await printReplayed(io);
    return sendQueued({ context, appliance, mode }, id, options, signal);
  });
  if (document.status === "issued") await writePdfHere(context, appliance, mode, document);
  return exitOfDocument(document, options.wait);
}

/** In live mode shows the document and asks (docs/contract.md#confirmation-in-live-mode). */
async function isConfirmed(context: CommandContext, order: Order, options: YesOption): Promise<boolean> {
  if (options.yes === true || (order.mode !== "live" && !order.alwaysAsks)) return true;
  if (canPrompt(context.io) && context.options.json !== true) await printOrder(context, order);
  return confirmChange(context, options, order.question);
}

async function printOrder(context: CommandContext, order: Order): Promise<void> {
  const examination = await order.examine();
  if (context.options.json === true) return printJson(context.io, examination.object);
  const { place, reference, mode } = order;
  await printExamination(context.io, examination, { place, reference, mode, payload: false });
}

/** To this folder. Where that is impossible, says which command does it. */
async function writePdfHere(
  context: CommandContext,
  appliance: Appliance,
  mode: Mode,
  document: DocumentObject,
): Promise<void> {
  const { io } = context;
  if (context.options.json === true) return;
  try {
    const { fileName, bytes } = await getDocumentPdf(appliance, mode, document.id);
    const path = resolve(io.cwd, fileName);
    if (await exists(path)) return await printPdfCommand(context, mode, document.id);
    await writePdf(io, fileName, bytes);
    await printNote(io, { en: `Its PDF: ${path}`, el: `Το PDF του: ${path}` });
  } catch (error) {
    const isFile = error instanceof OutputError || error instanceof UsageError;
    if (!isFile && !(error instanceof AppError)) throw error;
    await printProblem(io, error.text);
    await printPdfCommand(context, mode, document.id);
  }
}

/** The command that writes the PDF. */
async function printPdfCommand({ io, options }: CommandContext, mode: Mode, id: string): Promise<void> {
  const command = commandLine(options, `${mode === "live" ? "--live " : ""}documents pdf ${id}`);
  await printNote(io, { en: `Its PDF: ${command}`, el: `Το PDF του: ${command}` });
}

/** Returns the document as it was printed. */
export async function sendQueued(
  { context, appliance, mode }: Pick<Given, "context" | "appliance" | "mode">,
  id: string,
  options: WaitOptions,
  signal: AbortSignal,
): Promise<DocumentObject> {
  if (options.wait)
    await waitForDocuments(context.io, appliance, mode, {
      documentIds: new Set([id]),
      signal,
      timeoutSeconds: timeoutOf(options),
    });
  if (signal.aborted)
    throw new InterruptedError({
      en: "interrupted: the document is queued; a server or the next run sends it",
      el: "διακόπηκε: το παραστατικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
    });
  const document = await getDocument(appliance, mode, id);
  const { notes } = await readContents(appliance, mode, id);
  await printDocument(context, document, { notes });
  return document;
}

/** The same for a verb that is made of an operation. Returns its exit code. */
export async function awaitQueued({ id }: DocumentObject, given: Given): Promise<ExitCode> {
  const options = given.flags as unknown as WaitOptions;
  const send = (signal: AbortSignal) => sendQueued(given, id, options, signal);
  return exitOfDocument(await interruptible(given.context.io, send), options.wait);
}
