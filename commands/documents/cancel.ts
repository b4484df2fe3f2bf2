/** `fiscal documents cancel`: cancels an issued document with the provider. */
import { cancelDocument } from "../../src/documents/cancel.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { printDocument } from "./document-view.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { verb } from "../define.ts";

type CancelOptions = MerchantOption & YesOption;

export const defineCancel = verb({
  flags: {
    ...REFERENCE_OWNER,
    ...YES,
  },
  examples: ["fiscal documents cancel 2026-001 --yes"],
  run: cancel,
});

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
