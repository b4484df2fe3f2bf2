/** Takes over MARKs and cancels surplus ones, each after a question. */
import type { Appliance } from "../../../src/appliance.ts";
import type { Reconciliation } from "../../../src/books/reconcile/reconcile.ts";
import type { Mode } from "../../../src/domain/vocabulary.ts";
import { confirmChange, type YesOption } from "../../confirmation.ts";
import { type CommandContext, causeOf } from "../../context.ts";
import { printNote, printProblem } from "../../io.ts";

interface Settling {
  mode: Mode;
  settle: YesOption & { adopt?: boolean; isSurplusCancelled: boolean };
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
  const { settle, result } = settling;
  if (settle.adopt === true) {
    if (result.adoptable.length > 0) await adopt(context, appliance, settling);
    else
      await printNote(context.io, {
        en: "There is no MARK to take over.",
        el: "Δεν υπάρχει ΜΑΡΚ για να ληφθεί.",
      });
  }
  if (settle.isSurplusCancelled) {
    if (result.surplus.length > 0) await cancel(context, appliance, settling);
    else
      await printNote(context.io, { en: "There is no MARK to cancel.", el: "Δεν υπάρχει ΜΑΡΚ για ακύρωση." });
  }
}

async function adopt(
  context: CommandContext,
  appliance: Appliance,
  { mode, settle, result: { adoptable }, signal }: Settling,
): Promise<void> {
  const list = adoptable.map(({ document, mark }) => `${document}: ${mark}`).join("\n");
  await printNote(context.io, { en: `To take over:\n${list}`, el: `Θα ληφθούν:\n${list}` });
  const isConfirmed = await confirmChange(context, settle, {
    en: `Take over ${adoptable.length === 1 ? "this MARK" : "these MARKs"}? The documents become issued.`,
    el: `${adoptable.length === 1 ? "Να ληφθεί αυτό το ΜΑΡΚ" : "Να ληφθούν αυτά τα ΜΑΡΚ"}; Τα παραστατικά γίνονται issued.`,
  });
  if (!isConfirmed) return;
  const { findAdopted, requestAdoptions } = await import("../../../src/books/reconcile/adopt.ts");
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
  { settle, result: { surplus } }: Settling,
): Promise<void> {
  const list = (kept: string) =>
    surplus
      .map(({ document, lower, highest }) => `${document}: ${lower.join(", ")} (${kept} ${highest})`)
      .join("\n");
  await printNote(context.io, {
    en: `To cancel at the authority:\n${list("stays valid:")}`,
    el: `Θα ακυρωθούν στην ΑΑΔΕ:\n${list("μένει σε ισχύ:")}`,
  });
  const isConfirmed = await confirmChange(context, settle, {
    en: "Cancel these MARKs? This cannot be undone.",
    el: "Να ακυρωθούν αυτά τα ΜΑΡΚ; Δεν αναιρείται.",
  });
  if (!isConfirmed) return;
  const { cancelSurplus } = await import("../../../src/books/reconcile/cancel-surplus.ts");
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
