/** `fiscal keys rotate-master`: replaces the master key and encrypts every secret again, while servers may run. */
import type { Appliance } from "../../src/appliance.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { parseKey } from "../../src/keys/key-files.ts";
import { type Rotation, rotateMasterKey } from "../../src/keys/rotation.ts";
import { confirmChange, type YesOption, YES } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { nameOf, readBytes, readText } from "../input.ts";
import { printLine, printNote } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { startProgress } from "../ui/progress.ts";
import { countText } from "../../src/operations/values.ts";
import { verb } from "../define.ts";

interface RotateOptions extends YesOption {
  newKeyFile?: string;
}

const NOTES: Text = {
  en: `Servers may keep running: they find the new key next to the old one and use it from their next write on. If a run is
stopped, the next run completes it. The old key is kept next to the new one, under a dated name, because earlier backups
cannot be read without it.

If the key is in FISCAL_MASTER_KEY: set FISCAL_MASTER_KEY to the new key and FISCAL_MASTER_KEY_PREVIOUS to the current one,
restart the servers, then run this with the same two variables.`,
  el: `Οι διακομιστές μπορούν να τρέχουν: βρίσκουν το νέο κλειδί δίπλα στο παλιό και το χρησιμοποιούν από την επόμενη εγγραφή
τους. Μια εκτέλεση που σταμάτησε την ολοκληρώνει η επόμενη. Το παλιό κλειδί μένει δίπλα στο νέο, με όνομα που έχει την
ημερομηνία, γιατί χωρίς αυτό δεν διαβάζονται τα προηγούμενα αντίγραφα ασφαλείας.

Αν το κλειδί είναι στο FISCAL_MASTER_KEY: ορίστε στο FISCAL_MASTER_KEY το νέο κλειδί και στο FISCAL_MASTER_KEY_PREVIOUS το
τωρινό, επανεκκινήστε τους διακομιστές και έπειτα εκτελέστε αυτή την εντολή με τις ίδιες δύο μεταβλητές.`,
};

export const defineRotateMaster = verb({
  flags: {
    "--new-key-file <file>": {
      en: "the new key: 64 hexadecimal digits, or base64 of 32 bytes (default: a random key)",
      el: "το νέο κλειδί: 64 δεκαεξαδικά ψηφία, ή base64 από 32 byte (αν λείπει: τυχαίο)",
    },
    ...YES,
  },
  notes: NOTES,
  examples: ["fiscal keys rotate-master --yes"],
  run: rotate,
});

async function rotate(context: CommandContext, options: RotateOptions): Promise<ExitCode> {
  const { io } = context;
  const newKey = await readNewKey(context, options.newKeyFile);
  const isConfirmed = await confirmChange(context, options, {
    en: "Replace the master key? Servers may keep running.",
    el: "Να αντικατασταθεί το κύριο κλειδί; Οι διακομιστές μπορούν να τρέχουν.",
  });
  if (!isConfirmed) return EXIT.failure;
  const rotation = await context.withAppliance((appliance) => encryptAgain(context, appliance, newKey));
  if (context.options.json === true) await printJson(io, rotation);
  else await printLine(io, describe(rotation));
  await warnOfUnreadable(context, rotation);
  return EXIT.done;
}

async function readNewKey(context: CommandContext, file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const name = nameOf(file);
  const text = await readText(readBytes(context.io, file), name);
  try {
    return parseKey(text, name.en);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new UsageError(joinTexts([sameInBoth("--new-key-file"), error.text], ": "), { cause: error });
  }
}

async function encryptAgain(
  context: CommandContext,
  appliance: Appliance,
  newKey: Buffer | undefined,
): Promise<Rotation> {
  const progress = await startProgress(context.io, { en: "encrypting", el: "κρυπτογράφηση" });
  try {
    return await rotateMasterKey(appliance, { newKey, onProgress: progress.update });
  } finally {
    progress.stop();
  }
}

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function describe({ from, to, resumed, resealed, retired_key_file: oldKeyFile }: Rotation): Text {
  const values = sum(resealed);
  const count = countText(values);
  const done = {
    en:
      `The master key ${to} has replaced ${from}: ${count.en} ${values === 1 ? "value was" : "values were"} encrypted again` +
      `${resumed ? ", completing an earlier run that was stopped" : ""}.`,
    el:
      `Το κύριο κλειδί ${to} αντικατέστησε το ${from}: ${count.el} ${values === 1 ? "τιμή κρυπτογραφήθηκε" : "τιμές κρυπτογραφήθηκαν"} ξανά` +
      `${resumed ? ", και ολοκληρώθηκε μια προηγούμενη εκτέλεση που είχε σταματήσει" : ""}.`,
  };
  const next =
    oldKeyFile === null
      ? {
          en: "Keep the old key: earlier backups need it.",
          el: "Φυλάξτε το παλιό κλειδί: το χρειάζονται τα προηγούμενα αντίγραφα ασφαλείας.",
        }
      : {
          en: `The old key is in ${oldKeyFile}. Earlier backups need it: move it to where they are.`,
          el: `Το παλιό κλειδί είναι στο ${oldKeyFile}. Το χρειάζονται τα προηγούμενα αντίγραφα ασφαλείας: μεταφέρετέ το εκεί όπου είναι αυτά.`,
        };
  return joinTexts([done, next], "\n");
}

async function warnOfUnreadable({ io }: CommandContext, { unreadable }: Rotation): Promise<void> {
  const values = sum(unreadable);
  if (values === 0) return;
  const tables = Object.entries(unreadable)
    .map(([table, count]) => `${table} ${count}`)
    .join(", ");
  await printNote(io, {
    en: `Values that no key can decrypt, left unchanged: ${values} (${tables}). See \`fiscal doctor\`.`,
    el: `Τιμές που δεν αποκρυπτογραφεί κανένα κλειδί, έμειναν όπως ήταν: ${values} (${tables}). Δείτε την \`fiscal doctor\`.`,
  });
}
