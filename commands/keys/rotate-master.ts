/** The words of `fiscal keys rotate-master`. */
import { joinTexts, type Text } from "../../src/foundation/text.ts";
import type { Rotation } from "../../src/keys/rotation.ts";
import { rotateMasterKey } from "../../src/operations/keys.ts";
import { countText } from "../../src/operations/view.ts";
import { verbOf } from "../verb.ts";

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

export const ROTATE_MASTER = verbOf("rotate-master", rotateMasterKey, {
  helpNotes: NOTES,
  confirm: async () => ({
    en: "Replace the master key? Servers may keep running.",
    el: "Να αντικατασταθεί το κύριο κλειδί; Οι διακομιστές μπορούν να τρέχουν.",
  }),
  progress: { en: "encrypting", el: "κρυπτογράφηση" },
  line: describe,
  notes: describeUnreadable,
});

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
