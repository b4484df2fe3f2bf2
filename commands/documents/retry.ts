/** `fiscal documents retry`: sends a failed document again. */
import type { Command } from "commander";
import { getDocument } from "../../src/documents/list-documents.ts";
import { retryDocument } from "../../src/documents/retry.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { type ExitCode, InterruptedError } from "../exit.ts";
import { listenForInterrupt } from "../io.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printDocument } from "./document-view.ts";
import { exitOfDocument } from "./exit-of-document.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";
import { addWaitOptions, timeoutOf, type WaitOptions, waitForDocuments } from "./waiting.ts";

interface RetryOptions extends MerchantOption, WaitOptions {}

export function defineRetry(command: Command, context: CommandContext): void {
  addWaitOptions(addReferenceOwnerOption(command, context), context, {
    en: "only queue it; a server or the next run sends it",
    el: "μόνο το βάζει στη σειρά· το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
  }).action((name: string, options: RetryOptions) => context.end(retry(context, name, options)));
  addExamples(
    command,
    context,
    "fiscal documents retry 2026-014",
    "fiscal documents retry 2026-014 --timeout 60",
  );
}

async function retry(context: CommandContext, name: string, options: RetryOptions): Promise<ExitCode> {
  const timeoutSeconds = timeoutOf(options);
  const interrupt = listenForInterrupt(context.io);
  try {
    const document = await context.withAppliance(async (appliance, mode) => {
      const { id } = await findDocument(appliance, mode, name, options);
      const queued = await retryDocument(appliance, id, causeOf(mode));
      if (!options.wait) return queued;
      await waitForDocuments(context.io, appliance, mode, {
        documentIds: new Set([id]),
        signal: interrupt.signal,
        timeoutSeconds,
      });
      return getDocument(appliance, mode, id);
    });
    if (interrupt.signal.aborted)
      throw new InterruptedError({
        en: "interrupted: the document is queued; a server or the next run sends it",
        el: "διακόπηκε: το παραστατικό είναι στη σειρά και το στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
      });
    await printDocument(context, document);
    return exitOfDocument(document, options.wait);
  } finally {
    interrupt.dispose();
  }
}
