/** `fiscal documents retry`: sends a failed document again. */
import type { Command } from "commander";
import { retryDocument } from "../../src/documents/retry.ts";
import { type CommandContext, causeOf } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { exitOfDocument } from "./issue-one.ts";
import { addReferenceOwnerOption, findDocument } from "./find-document.ts";
import { sendOne } from "./send-one.ts";
import { addWaitOptions, type WaitOptions } from "./waiting.ts";

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
  const document = await sendOne(context, options, async (appliance, mode) => {
    const { id } = await findDocument(appliance, mode, name, options);
    await retryDocument(appliance, id, causeOf(mode));
    return id;
  });
  return exitOfDocument(document, options.wait);
}
