/** `fiscal documents abandon`: gives up a failed document and its number. */
import type { Command } from "commander";
import { abandonDocument } from "../../src/documents/retry.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { askFor } from "../ui/prompt.ts";
import { printDocument } from "./document-view.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";

interface AbandonOptions extends MerchantOption, YesOption {
  reason?: string;
}

export function defineAbandon(command: Command, context: CommandContext): void {
  addReferenceOwnerOption(command, context).option(
    "--reason <text>",
    context.inLanguage({
      en: "why; kept on record with the number",
      el: "ο λόγος· μένει καταγραμμένος μαζί με τον αριθμό",
    }),
  );
  addYesOption(command, context).action((name: string, options: AbandonOptions) =>
    context.end(abandon(context, name, options)),
  );
  addExamples(command, context, 'fiscal documents abandon 2026-014 --reason "issued on paper" --yes');
}

async function abandon(context: CommandContext, name: string, options: AbandonOptions): Promise<ExitCode> {
  const reason = await askFor(context.io, options.reason, {
    flag: "--reason",
    message: { en: "Why is the number given up?", el: "Γιατί εγκαταλείπεται ο αριθμός του;" },
  });
  const isConfirmed = await confirmChange(context, options, {
    en: "Give up the number of this document? It will never be used again.",
    el: "Να εγκαταλειφθεί ο αριθμός αυτού του παραστατικού; Δεν χρησιμοποιείται ποτέ ξανά.",
  });
  if (!isConfirmed) return EXIT.failure;
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findDocument(appliance, mode, name, options);
    return abandonDocument(appliance, id, { reason }, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}
