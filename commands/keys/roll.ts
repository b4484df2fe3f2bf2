/** `fiscal keys roll`: replaces an API key, and ends the old one after its users have had time to switch. */
import type { Text } from "../../src/foundation/text.ts";
import { EXPIRY_DAYS_MAX } from "../../src/keys/api-keys.ts";
import { type RolledKey, rollKey } from "../../src/keys/roll.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { printNote, write } from "../io.ts";
import { integer } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { instantText } from "../../src/operations/values.ts";
import { wordText } from "../../src/operations/words.ts";
import { verb } from "../define.ts";

interface RollOptions extends YesOption {
  overlap: number;
  expiresIn?: number;
}

const OVERLAP_DAYS_DEFAULT = 7;
/** As in `rollKey`. */
const OVERLAP_DAYS_MAX = 365;

export const defineRoll = verb({
  flags: {
    "--overlap <days>": {
      en: `days until the old key ends (default ${OVERLAP_DAYS_DEFAULT}); 0 revokes it at once`,
      el: `ημέρες που το παλιό ισχύει ακόμη (αν λείπει: ${OVERLAP_DAYS_DEFAULT})· με 0 καταργείται αμέσως`,
      read: integer(0, OVERLAP_DAYS_MAX),
      initial: OVERLAP_DAYS_DEFAULT,
    },
    "--expires-in <days>": {
      en: "days until the new key expires (default: the lifetime of the old key)",
      el: "ημέρες μέχρι να λήξει το νέο (αν λείπει: όση διάρκεια είχε το παλιό)",
      read: integer(1, EXPIRY_DAYS_MAX),
    },
    ...YES,
  },
  examples: ['fiscal keys roll "web shop" --overlap 14'],
  run: roll,
});

async function roll(context: CommandContext, name: string, options: RollOptions): Promise<ExitCode> {
  const { io } = context;
  const { overlap: overlapDays, expiresIn: expiresInDays } = options;
  const question = {
    en: "Revoke the old key at once? Programs that use it will be refused.",
    el: "Να καταργηθεί αμέσως το παλιό κλειδί; Τα προγράμματα που το χρησιμοποιούν θα απορρίπτονται.",
  };
  if (overlapDays === 0 && !(await confirmChange(context, options, question))) return EXIT.failure;
  const key = await context.withAppliance((appliance) =>
    rollKey(appliance, name, { overlapDays, expiresInDays }),
  );
  if (context.options.json === true) {
    await printJson(io, key);
    return EXIT.done;
  }
  await write(io.stdout, `${key.secret}\n`);
  const mode = wordText(key.mode);
  await printNote(io, {
    en: `This is the new ${mode.en} key "${key.name}". Save it now: it cannot be shown again.`,
    el: `Αυτό είναι το νέο κλειδί «${key.name}» (λειτουργία: ${mode.el}). Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.`,
  });
  await printNote(io, describeOldKey(key.replaces, overlapDays));
  return EXIT.done;
}

function describeOldKey(
  { id, last4, expires_at: expiresAt }: RolledKey["replaces"],
  overlapDays: number,
): Text {
  if (expiresAt === null || overlapDays === 0)
    return {
      en: `The old key, ${id} (…${last4}), is revoked.`,
      el: `Το παλιό, ${id} (…${last4}), καταργήθηκε.`,
    };
  const end = instantText(expiresAt);
  return {
    en: `The old key, ${id} (…${last4}), works until ${end.en}.`,
    el: `Το παλιό, ${id} (…${last4}), ισχύει έως ${end.el}.`,
  };
}
