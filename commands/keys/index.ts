/** `fiscal keys`: API keys, which only the command line creates (docs/contract.md#api-keys), and the master key. */
import * as operations from "../../src/operations/keys.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { findUsableKey, type KeyObject } from "../../src/keys/api-keys.ts";
import { countText, instantText, wordText } from "../../src/operations/view.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import type { CommandContext } from "../context.ts";
import { noun } from "../define.ts";
import { contradiction } from "../options.ts";
import type { FlagValues, Given } from "../flags.ts";
import { verbOf } from "../verb.ts";
import type { Rotation } from "../../src/keys/rotation.ts";

const ROTATION: Text = {
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

export const defineKeys = noun(
  {
    create: verbOf(operations.createKey, {
      complete: withMode,
      line: ({ secret }) => sameInBoth(secret),
      notes: (key: KeyObject, { context }) => (context.options.json === true ? [] : [saveNow(key)]),
    }),
    list: verbOf(operations.listKeys),
    revoke: verbOf(operations.revokeKey, {
      confirm: (asked) => askToRevoke(asked),
      line: ({ id }) => ({ en: `${id} revoked`, el: `${id} καταργήθηκε` }),
    }),
    roll: verbOf(operations.rollKey, {
      confirm: async (asked) => (asked.flags["overlap"] === 0 ? askToRevoke(asked) : undefined),
      line: ({ secret }) => sameInBoth(secret),
      notes: (key: KeyObject & { replaces: KeyObject }, { context }) =>
        context.options.json === true ? [] : [saveNow(key), describeOldKey(key.replaces)],
    }),
    "rotate-master": verbOf(operations.rotateMasterKey, {
      helpNotes: ROTATION,
      confirm: async () => ({
        en: "Replace the master key? Servers may keep running.",
        el: "Να αντικατασταθεί το κύριο κλειδί; Οι διακομιστές μπορούν να τρέχουν.",
      }),
      progress: { en: "encrypting", el: "κρυπτογράφηση" },
      line: describeRotation,
      notes: describeUnreadable,
    }),
  },
  'fiscal keys create --mode test --name "web shop"',
  "fiscal keys list",
);

/** `--live` means the same as `--mode live`. */
function withMode({ options }: CommandContext, flags: FlagValues): FlagValues {
  if (options.live !== true) return flags;
  if (flags["mode"] === "test") throw contradiction("--live", "--mode test");
  return { ...flags, mode: "live" };
}

function saveNow({ mode, name }: Pick<KeyObject, "mode" | "name">): Text {
  const word = wordText(mode);
  return {
    en: `This is the ${word.en} key "${name}". Save it now: it cannot be shown again.`,
    el: `Αυτό είναι το κλειδί «${name}» (λειτουργία: ${word.el}). Φυλάξτε το τώρα: δεν μπορεί να εμφανιστεί ξανά.`,
  };
}

async function askToRevoke({ appliance, params }: Given): Promise<Text> {
  const { name, id, last4, mode } = await findUsableKey(appliance, params["id"] ?? "");
  return questionAbout(
    { en: "Revoke the key", el: "Να καταργηθεί το κλειδί" },
    [name, id, `…${last4}`, modeText(mode)],
    {
      en: "Programs that use it will be refused.",
      el: "Τα προγράμματα που το χρησιμοποιούν θα απορρίπτονται.",
    },
  );
}

function describeOldKey({ id, last4, expires_at: expiresAt, revoked_at: revokedAt }: KeyObject): Text {
  if (expiresAt === null || revokedAt !== null)
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

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

function describeRotation({ from, to, resumed, resealed, retired_key_file: oldKeyFile }: Rotation): Text {
  const count = countText(sum(resealed));
  const done = {
    en: `The master key ${to} has replaced ${from}${resumed ? ", completing an earlier run that was stopped" : ""}. Values encrypted again: ${count.en}.`,
    el: `Το κύριο κλειδί ${to} αντικατέστησε το ${from}${resumed ? ", και ολοκληρώθηκε μια προηγούμενη εκτέλεση που είχε σταματήσει" : ""}. Τιμές που κρυπτογραφήθηκαν ξανά: ${count.el}.`,
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

function describeUnreadable({ unreadable }: Rotation): Text[] {
  const values = sum(unreadable);
  if (values === 0) return [];
  const tables = Object.entries(unreadable)
    .map(([table, count]) => `${table} ${count}`)
    .join(", ");
  return [
    {
      en: `Values that no key can decrypt, left unchanged: ${values} (${tables}). See \`fiscal doctor\`.`,
      el: `Τιμές που δεν αποκρυπτογραφεί κανένα κλειδί, έμειναν όπως ήταν: ${values} (${tables}). Δείτε την \`fiscal doctor\`.`,
    },
  ];
}
