/** Takes over MARKs and cancels surplus ones, each after a question. */
import type { Appliance } from "../../../src/appliance.ts";
import type { Reconciliation } from "../../../src/books/reconcile/reconcile.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { joinTexts, sameInBoth, type Text } from "../../../src/foundation/text.ts";
import { countText } from "../../../src/operations/view.ts";
import {
  CANNOT_BE_UNDONE,
  confirmChange,
  describeDocument,
  modeText,
  partsOf,
  questionAbout,
  type YesOption,
} from "../../confirmation.ts";
import { causeOf, type CommandContext } from "../../context.ts";
import { printNote, printProblem } from "../../io.ts";

export type SettleOptions = YesOption & { adopt?: true; cancelSurplus?: true };

interface Settling {
  mode: Mode;
  flags: SettleOptions;
  result: Reconciliation;
  signal: AbortSignal;
}

/** How long to wait for documents that are being looked up. */
const ADOPTION_MS_MAX = 60_000;

export async function settleDifferences(
  context: CommandContext,
  appliance: Appliance,
  settling: Settling,
): Promise<void> {
  const { flags, result } = settling;
  if (flags.adopt === true) {
    if (result.adoptable.length > 0) await adopt(context, appliance, settling);
    else
      await printNote(context.io, {
        en: "There is no MARK to take over.",
        el: "Δεν υπάρχει ΜΑΡΚ για να ληφθεί.",
      });
  }
  if (flags.cancelSurplus === true) {
    if (result.surplus.length > 0) await cancel(context, appliance, settling);
    else
      await printNote(context.io, { en: "There is no MARK to cancel.", el: "Δεν υπάρχει ΜΑΡΚ για ακύρωση." });
  }
}

/** Lists the documents with what happens to each, and returns the question, which names a single document itself. */
async function askAbout(
  { io }: CommandContext,
  appliance: Appliance,
  mode: Mode,
  marks: readonly { document: string; does: Text }[],
  texts: { list: Text; action: Text; consequence: Text },
): Promise<Text> {
  const documents: Awaited<ReturnType<typeof describeDocument>>[] = [];
  for (const { document } of marks)
    documents.push(await describeDocument(appliance, mode, await getDocument(appliance, mode, document)));
  const lines = marks.map(({ document, does }, at) => {
    const about = partsOf(documents[at]!);
    return joinTexts([joinTexts([sameInBoth(document), ...about], ", "), does], ": ");
  });
  await printNote(io, joinTexts([texts.list, ...lines], "\n"));
  const count = countText(marks.length);
  const several = [{ en: `${count.en} documents`, el: `${count.el} παραστατικά` }, modeText(mode)];
  return questionAbout(texts.action, marks.length === 1 ? documents[0]! : several, texts.consequence);
}

async function adopt(
  context: CommandContext,
  appliance: Appliance,
  { mode, flags, result: { adoptable }, signal }: Settling,
): Promise<void> {
  const marks = adoptable.map(({ document, mark }) => ({ document, does: sameInBoth(mark) }));
  const question = await askAbout(context, appliance, mode, marks, {
    list: { en: "To take over:", el: "Θα ληφθούν:" },
    action: { en: "Take over the MARK of", el: "Να ληφθεί το ΜΑΡΚ για" },
    consequence: { en: "The documents become issued.", el: "Τα παραστατικά θα έχουν εκδοθεί." },
  });
  if (!(await confirmChange(context, flags, question))) return;
  const { findAdopted, requestAdoptions } = await import("../../../src/books/reconcile/confirmed-changes.ts");
  const requests = await requestAdoptions(appliance, adoptable, causeOf(mode));
  const requested = requests.filter(({ kind }) => kind === "requested");
  if (requested.length > 0) {
    await appliance.startScheduler();
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(ADOPTION_MS_MAX)]);
    const documentIds = new Set(requested.map(({ document }) => document));
    await appliance.issuing.drain({ documentIds, signal: deadline });
  }
  const adopted = new Set(await findAdopted(appliance, requested));
  for (const request of requests) {
    const { document, mark } = request;
    if (adopted.has(request))
      await printNote(context.io, {
        en: `${document}: issued with ${mark}`,
        el: `${document}: εκδόθηκε με ${mark}`,
      });
    else if (request.kind === "refused")
      await printProblem(context.io, {
        en: `${document}: ${mark} was not taken over: ${request.reason.en}`,
        el: `${document}: το ${mark} δεν ελήφθη: ${request.reason.el}`,
      });
    else
      await printProblem(context.io, {
        en: `${document}: ${mark} is not taken over yet; \`fiscal documents show ${document}\` shows its state`,
        el: `${document}: το ${mark} δεν έχει ληφθεί ακόμη· η \`fiscal documents show ${document}\` δείχνει την κατάστασή του`,
      });
  }
}

async function cancel(
  context: CommandContext,
  appliance: Appliance,
  { mode, flags, result: { surplus } }: Settling,
): Promise<void> {
  const marks = surplus.map(({ document, lower, highest }) => {
    const list = lower.join(", ");
    const does = { en: `${list} (stays valid: ${highest})`, el: `${list} (μένει σε ισχύ: ${highest})` };
    return { document, does };
  });
  const question = await askAbout(context, appliance, mode, marks, {
    list: { en: "To cancel at the authority:", el: "Θα ακυρωθούν στην ΑΑΔΕ:" },
    action: { en: "Cancel the surplus MARKs of", el: "Να ακυρωθούν τα πλεονάζοντα ΜΑΡΚ για" },
    consequence: CANNOT_BE_UNDONE,
  });
  if (!(await confirmChange(context, flags, question))) return;
  const { cancelSurplus } = await import("../../../src/books/reconcile/confirmed-changes.ts");
  for (const { document, mark, problem } of await cancelSurplus(appliance, surplus)) {
    if (problem === null)
      await printNote(context.io, {
        en: `${document}: ${mark} is cancelled`,
        el: `${document}: το ${mark} ακυρώθηκε`,
      });
    else
      await printProblem(context.io, {
        en: `${document}: ${mark} was not cancelled: ${problem.en}`,
        el: `${document}: το ${mark} δεν ακυρώθηκε: ${problem.el}`,
      });
  }
}
