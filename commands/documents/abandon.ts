/** `fiscal documents abandon`: gives up a failed document and its number. */
import { abandonDocument } from "../../src/documents/retry.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { askFor } from "../ui/prompt.ts";
import { printDocument } from "./document-view.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { verb } from "../define.ts";

interface AbandonOptions extends MerchantOption, YesOption {
  reason?: string;
}

export const defineAbandon = verb({
  flags: {
    ...REFERENCE_OWNER,
    "--reason <text>": {
      en: "why; kept on record with the number",
      el: "ο λόγος· μένει καταγραμμένος μαζί με τον αριθμό",
    },
    ...YES,
  },
  examples: ['fiscal documents abandon 2026-014 --reason "issued on paper" --yes'],
  run: abandon,
});

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
