/** `fiscal connections add`: connects a merchant to a provider. */
import { providerName } from "../../src/domain/code-words.ts";
import { requireAdapter } from "../../src/connections/connection-input.ts";
import { createConnection } from "../../src/connections/connections.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { ConnectionObject } from "../../src/issuing/connection-object.ts";
import type { Context } from "../../src/journal/context.ts";
import { createConnection as createConnectionOperation } from "../../src/operations/connections.ts";
import { CONNECTABLE_PROVIDERS } from "../../src/providers/built-in.ts";
import type { Provider } from "../../src/domain/vocabulary.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { useOfKey, printReplayed, IDEMPOTENCY_KEY } from "../idempotency-key.ts";
import { chooseMerchant, MERCHANT } from "../merchants/choose-merchant.ts";
import { findMerchant, type MerchantOption } from "../merchants/find-merchant.ts";
import { choice } from "../options.ts";
import { printObject } from "../results.ts";
import { askWhich } from "../ui/prompt.ts";
import { reportRefusal } from "./refusal.ts";
import { type CredentialOptions, CREDENTIAL_FLAGS } from "./credential-flags.ts";
import { gatherCredentials } from "./credentials.ts";
import { verb } from "../define.ts";

type AddOptions = CredentialOptions & MerchantOption & { provider?: Provider; idempotencyKey?: string };

const NOTES: Text = {
  en: `A credential can also come from the environment: FISCAL_CREDENTIAL_USER_ID and so on. On a terminal, missing ones are asked for.
Do not pass a secret as a flag: it stays in the shell's history. Use the terminal, a file or the environment.
Exit: 4 if the provider refused the credentials (the connection is kept as invalid), 5 if it did not respond.`,
  el: `Ένα διαπιστευτήριο διαβάζεται και από το περιβάλλον: FISCAL_CREDENTIAL_USER_ID και ούτω καθεξής. Στο τερματικό ζητούνται όσα λείπουν.
Μη δίνετε απόρρητα ως επιλογές: μένουν στο ιστορικό του κελύφους. Δώστε τα στο τερματικό, σε αρχείο ή στο περιβάλλον.
Κωδικός εξόδου: 4 όταν ο πάροχος αρνήθηκε τα διαπιστευτήρια (η σύνδεση μένει άκυρη), 5 όταν δεν απάντησε.`,
};

export const defineAdd = verb({
  flags: {
    ...MERCHANT,
    "--provider <provider>": {
      ...sameInBoth(CONNECTABLE_PROVIDERS.join(", ")),
      read: choice(CONNECTABLE_PROVIDERS),
    },
    ...CREDENTIAL_FLAGS,
    ...IDEMPOTENCY_KEY,
  },
  notes: NOTES,
  examples: [
    "fiscal connections add --merchant shop --provider registry_direct --user-id-file user.txt --subscription-key-file key.txt",
    "fiscal --live connections add --merchant shop --provider provider_a --email me@example.com --api-key-file key.txt",
  ],
  run: add,
});

async function add(context: CommandContext, options: AddOptions): Promise<ExitCode> {
  const { io } = context;
  const { idempotencyKey: key } = options;
  const merchant = await chooseMerchant(context, options.merchant);
  const created = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, merchant);
    const provider = options.provider ?? (await askForProvider(context, appliance));
    const form = requireAdapter(appliance.providers, provider).credentials ?? { fields: [] };
    const body = { provider, credentials: await gatherCredentials(io, form, options) };
    const use = useOfKey("createConnection", key, { id }, body);
    return createConnection(appliance, id, body, causeOf(mode, key ?? null), use);
  });
  if (created.replayed) await printReplayed(io);
  const connection = JSON.parse(created.json) as ConnectionObject;
  await printObject(context, connection, createConnectionOperation.rows?.(connection) ?? []);
  return reportRefusal(context, connection);
}

/** Offers the providers that have an adapter here and take credentials. */
function askForProvider(context: CommandContext, appliance: Context): Promise<Provider> {
  const providers = appliance.providers.all().filter(({ credentials }) => credentials !== null);
  if (providers.length === 0)
    throw new UsageError({ en: "--provider is missing", el: "λείπει η --provider" });
  const choices = providers.map(({ provider }) => ({
    value: provider,
    name: sameInBoth(providerName(provider)),
  }));
  const message = { en: "Provider", el: "Πάροχος" };
  return askWhich(context.io, choices, { flag: "--provider", message });
}
