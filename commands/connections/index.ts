/** `fiscal connections`: merchants' credentials for providers. */
import { sameInBoth, type Text } from "../../src/foundation/text.ts";
import { createConnectSession } from "../../src/operations/connect-sessions.ts";
import * as operations from "../../src/operations/connections.ts";
import { instantText } from "../../src/operations/values.ts";
import { type LazyCommand } from "../lazy-commands.ts";
import { verbOf } from "../verb.ts";
import { reportRefusal } from "./refusal.ts";
import { noun } from "../define.ts";

const OWN_ADDRESS: Text = {
  en: "It points to the server's own address: set server.public_url so that others can reach it.",
  el: "Οδηγεί στη διεύθυνση όπου ακούει ο διακομιστής: ορίστε το server.public_url για να τον βρίσκουν άλλοι.",
};

const VERBS: readonly LazyCommand[] = [
  {
    name: "add",
    summary: {
      en: "connect a merchant to a provider, after checking the credentials with the provider",
      el: "συνδέει μια επιχείρηση με πάροχο, αφού ελέγξει τα διαπιστευτήρια με τον πάροχο",
    },
    load: async () => (await import("./add.ts")).defineAdd,
  },
  verbOf("link", createConnectSession, {
    line: ({ url }) => sameInBoth(url),
    async notes({ expires_at: expiresAt }, _flags, context) {
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
