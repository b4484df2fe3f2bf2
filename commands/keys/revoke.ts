/** `fiscal keys revoke`: ends an API key at once. */
import { revokeKey } from "../../src/keys/api-keys.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printLine } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { verb } from "../define.ts";

export const defineRevoke = verb({
  flags: {
    ...YES,
  },
  examples: ['fiscal keys revoke "web shop" --yes'],
  run: revoke,
});

async function revoke(context: CommandContext, name: string, options: YesOption): Promise<ExitCode> {
  const { io } = context;
  const isConfirmed = await confirmChange(context, options, {
    en: "Revoke this key? Programs that use it will be refused.",
    el: "Να καταργηθεί αυτό το κλειδί; Τα προγράμματα που το χρησιμοποιούν θα απορρίπτονται.",
  });
  if (!isConfirmed) return EXIT.failure;
  const key = await context.withAppliance((appliance) => revokeKey(appliance, name));
  if (context.options.json === true) await printJson(io, key);
  else await printLine(io, { en: `${key.id} revoked`, el: `${key.id} καταργήθηκε` });
  return EXIT.done;
}
