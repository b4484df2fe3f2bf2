/** `fiscal documents cancel`: cancels an issued document with the provider. */
import type { Command } from "commander";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printDocument } from "./document-view.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";

type CancelOptions = MerchantOption & YesOption;

export function defineCancel(command: Command, context: CommandContext): void {
  addReferenceOwnerOption(command, context);
  addYesOption(command, context).action((name: string, options: CancelOptions) =>
    context.end(cancel(context, name, options)),
  );
  addExamples(command, context, "fiscal documents cancel 2026-001 --yes");
}

async function cancel(context: CommandContext, name: string, options: CancelOptions): Promise<ExitCode> {
  const isConfirmed = await confirmChange(context, options, {
    en: "Cancel this document with the provider? This cannot be undone.",
    el: "Να ακυρωθεί αυτό το παραστατικό στον πάροχο; Δεν αναιρείται.",
  });
  if (!isConfirmed) return EXIT.failure;
  const document = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findDocument(appliance, mode, name, options);
    return cancelDocument(appliance, id, causeOf(mode));
  });
  await printDocument(context, document);
  return EXIT.done;
}
