/** `fiscal merchants add`. */
import type { Command } from "commander";
import { AppError } from "../../src/foundation/errors.ts";
import { createMerchant, getMerchant } from "../../src/merchants/merchants.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { addExamples } from "../options.ts";
import { askFor } from "../ui/prompt.ts";
import { addMerchantFlags, bodyOf, type MerchantFlags } from "./merchant-flags.ts";
import { printMerchant } from "./merchant-view.ts";

export function defineAdd(command: Command, context: CommandContext): void {
  addMerchantFlags(command, context, {
    en: "a key and value of your own; may be repeated",
    el: "ένα δικό σας ζεύγος ονόματος και τιμής· επαναλαμβάνεται",
  }).action((options: MerchantFlags) => context.end(addMerchant(context, options)));
  addExamples(
    command,
    context,
    'fiscal merchants add --external-id bakery --name "Παράδειγμα Α.Ε." --tax-id 123456783',
  );
}

async function addMerchant(context: CommandContext, options: MerchantFlags): Promise<void> {
  const { io } = context;
  const externalId = await askFor(io, options.externalId, {
    flag: "--external-id",
    message: { en: "Your own id of the merchant", el: "Ο δικός σας κωδικός της επιχείρησης" },
  });
  const name = await askFor(io, options.name, {
    flag: "--name",
    message: { en: "Name", el: "Επωνυμία" },
  });
  const body = bodyOf({ ...options, externalId, name });
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const created = await createMerchant(appliance, body, causeOf(mode)).catch(explainDuplicate);
    return getMerchant(appliance, created.id);
  });
  await printMerchant(context, merchant);
}

/** Replaces the API's message, which names an API request, by one that names a command. */
function explainDuplicate(error: unknown): never {
  if (!(error instanceof AppError && error.code === "already_exists")) throw error;
  throw new AppError(
    "already_exists",
    {
      en: "A merchant with this external id exists; see it with `fiscal merchants show` and the external id",
      el: "Υπάρχει επιχείρηση με αυτό το εξωτερικό id· τη δείχνει η `fiscal merchants show` με αυτό το id",
    },
    { cause: error },
  );
}
