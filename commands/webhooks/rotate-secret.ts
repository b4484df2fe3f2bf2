/** `fiscal webhooks rotate-secret`: replaces an endpoint's signing secret. */
import type { Command } from "commander";
import { rotateWebhookSecret } from "../../src/webhooks/endpoints.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { addExamples, integer } from "../options.ts";
import { printEndpoint, printSaveSecretNote } from "./webhook-view.ts";

/** docs/contract.md#webhook-secrets */
const OVERLAP_SECONDS_MAX = 604_800;

export function defineRotateSecret(command: Command, context: CommandContext): void {
  command
    .option(
      "--overlap <seconds>",
      context.inLanguage({
        en: "how long the old secret still signs as well (default 86400, one day)",
        el: "για πόσο υπογράφει και το παλιό (αν λείπει: 86400, μία ημέρα)",
      }),
      integer("--overlap", 0, OVERLAP_SECONDS_MAX),
    )
    .action((id: string, { overlap }: { overlap?: number }) => context.end(rotate(context, id, overlap)));
  addExamples(command, context, "fiscal webhooks rotate-secret we_… --overlap 3600");
}

async function rotate(
  context: CommandContext,
  id: string,
  overlapSeconds: number | undefined,
): Promise<void> {
  const body = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds };
  const endpoint = await context.withAppliance((appliance, mode) =>
    rotateWebhookSecret(appliance, id, body, causeOf(mode)),
  );
  await printEndpoint(context, endpoint);
  await printSaveSecretNote(context);
}
