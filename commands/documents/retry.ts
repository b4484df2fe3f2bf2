/** `fiscal documents retry`: sends a failed document again. */
import { retryDocument } from "../../src/documents/retry.ts";
import { type CommandContext, causeOf } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import { exitOfDocument } from "./issue-one.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { sendOne } from "./send-one.ts";
import { type WaitOptions, ONLY_QUEUE, waitFlags } from "./waiting.ts";
import { verb } from "../define.ts";

interface RetryOptions extends MerchantOption, WaitOptions {}

export const defineRetry = verb({
  flags: {
    ...REFERENCE_OWNER,
    ...waitFlags(ONLY_QUEUE),
  },
  examples: ["fiscal documents retry 2026-014", "fiscal documents retry 2026-014 --timeout 60"],
  run: retry,
});

async function retry(context: CommandContext, name: string, options: RetryOptions): Promise<ExitCode> {
  const document = await sendOne(context, options, async (appliance, mode) => {
    const { id } = await findDocument(appliance, mode, name, options);
    await retryDocument(appliance, id, causeOf(mode));
    return id;
  });
  return exitOfDocument(document, options.wait);
}
