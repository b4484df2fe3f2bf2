/** `fiscal connections`: merchants' credentials for providers. */
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import { createConnectSession } from "../../src/operations/connect-sessions.ts";
import * as operations from "../../src/operations/connections.ts";
import { instantText } from "../../src/operations/view.ts";
import { CONNECTABLE_PROVIDERS } from "../../src/providers/built-in.ts";
import { choice } from "../options.ts";
import { verbOf } from "../verb.ts";
import { CREDENTIAL_FLAGS } from "./credential-flags.ts";
import { reportRefusal } from "./refusal.ts";
import { type LazyCommand, noun } from "../define.ts";

const OWN_ADDRESS: Text = {
  en: "It points to the server's own address: set server.public_url so that others can reach it.",
  el: "Οδηγεί στη διεύθυνση όπου ακούει ο διακομιστής: ορίστε το server.public_url για να τον βρίσκουν άλλοι.",
};

const NOTES: Text = {
  en: `A credential can also come from the environment: FISCAL_CREDENTIAL_USER_ID and so on. On a terminal, missing ones are asked for.
Do not pass a secret as a flag: it stays in the shell's history. Use the terminal, a file or the environment.
Exit: 4 if the provider refused the credentials (the connection is kept as invalid), 5 if it did not respond.`,
  el: `Ένα διαπιστευτήριο διαβάζεται και από το περιβάλλον: FISCAL_CREDENTIAL_USER_ID και ούτω καθεξής. Στο τερματικό ζητούνται όσα λείπουν.
Μη δίνετε απόρρητα ως επιλογές: μένουν στο ιστορικό του κελύφους. Δώστε τα στο τερματικό, σε αρχείο ή στο περιβάλλον.
Κωδικός εξόδου: 4 όταν ο πάροχος αρνήθηκε τα διαπιστευτήρια (η σύνδεση μένει άκυρη), 5 όταν δεν απάντησε.`,
};

const VERBS: readonly LazyCommand[] = [
  verbOf("add", operations.createConnection, {
    flags: {
      "--provider <provider>": {
        ...sameInBoth(CONNECTABLE_PROVIDERS.join(", ")),
        read: choice(CONNECTABLE_PROVIDERS),
      },
      ...CREDENTIAL_FLAGS,
    },
    helpNotes: NOTES,
    bodyOf: async (given) => (await import("./credentials.ts")).readConnectionBody(given),
    end: reportRefusal,
  }),
  verbOf("link", createConnectSession, {
    line: ({ url }) => sameInBoth(url),
    async notes({ expires_at: expiresAt }, { context }) {
      const end = instantText(expiresAt);
      const { server } = await context.configuration();
      return [
        {
          en: `Valid until ${end.en}, while \`fiscal serve\` runs. It cannot be shown again.`,
          el: `Ισχύει έως ${end.el}, όσο τρέχει η \`fiscal serve\`. Δεν μπορεί να εμφανιστεί ξανά.`,
        },
        ...(server.publicUrl === "" ? [OWN_ADDRESS] : []),
      ];
    },
  }),
  verbOf("list", operations.listConnections),
  verbOf("show", operations.getConnection),
  verbOf("verify", operations.verifyConnection, { end: reportRefusal }),
  verbOf("disconnect", operations.disconnectConnection, {
    confirm: async (asked) => (await import("./disconnect.ts")).askToDisconnect(asked),
  }),
];

export const defineConnections = noun(
  VERBS,
  {
    line: "fiscal connections add --merchant shop --provider registry_direct",
    note: { en: "asks for the credentials", el: "ζητά τα διαπιστευτήρια" },
  },
  "fiscal connections list --merchant shop",
);
