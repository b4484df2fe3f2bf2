/** `fiscal connections link`: a one-time link where the merchant enters the credentials. */
import type { Command } from "commander";
import { createConnectSession } from "../../src/connect-sessions/connect-sessions.ts";
import type { Provider } from "../../storage/stored-values.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { printNote, write } from "../io.ts";
import { addMerchantOption, chooseMerchant } from "../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { instantText } from "../../src/operations/values.ts";
import { readProvider } from "./connection-flags.ts";

interface LinkOptions extends MerchantOption {
  provider?: Provider;
  returnUrl?: string;
}

export function defineLink(command: Command, context: CommandContext): void {
  const { inLanguage } = context;
  addMerchantOption(command, context)
    .option(
      "--provider <provider>",
      inLanguage({
        en: "only for this provider; by default the merchant chooses",
        el: "μόνο για αυτόν τον πάροχο· αλλιώς διαλέγει η επιχείρηση",
      }),
      readProvider,
    )
    .option(
      "--return-url <url>",
      inLanguage({
        en: "where the page leads after the merchant has connected",
        el: "πού οδηγεί η σελίδα όταν συνδεθεί η επιχείρηση",
      }),
    )
    .action((options: LinkOptions) => context.end(link(context, options)));
  addExamples(
    command,
    context,
    "fiscal connections link --merchant shop --provider registry_direct --return-url https://example.com/connected",
  );
}

async function link(context: CommandContext, options: LinkOptions): Promise<void> {
  const { io } = context;
  const body = {
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.returnUrl === undefined ? {} : { return_url: options.returnUrl }),
  };
  const merchant = await chooseMerchant(context, options.merchant);
  const created = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, merchant);
    return createConnectSession(appliance, id, body, causeOf(mode));
  });
  const session = JSON.parse(created.json) as { url: string; expires_at: string };
  if (context.options.json === true) await printJson(io, session);
  else await write(io.stdout, `${session.url}\n`);
  const end = instantText(session.expires_at);
  await printNote(io, {
    en: `Valid until ${end.en}, while \`fiscal serve\` runs. It cannot be shown again.`,
    el: `Ισχύει έως ${end.el}, όσο τρέχει η \`fiscal serve\`. Δεν μπορεί να εμφανιστεί ξανά.`,
  });
  const { server } = await context.configuration();
  if (server.publicUrl === "")
    await printNote(io, {
      en: "It points to the server's own address: set server.public_url so that others can reach it.",
      el: "Οδηγεί στη διεύθυνση όπου ακούει ο διακομιστής: ορίστε το server.public_url για να τον βρίσκουν άλλοι.",
    });
}
