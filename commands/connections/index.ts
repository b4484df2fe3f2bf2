/** `fiscal connections`: merchants' credentials for providers. */
import * as operations from "../../src/operations/connections.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import { createConnectSession } from "../../src/operations/connections.ts";
import { instantText } from "../../src/operations/view.ts";
import { CONNECTABLE_PROVIDERS } from "../../src/providers/built-in.ts";
import { choice } from "../options.ts";
import type { Given } from "../flags.ts";
import { verbOf } from "../verb.ts";
import { CREDENTIAL_FLAGS } from "./credential-flags.ts";
import { type Commands, noun } from "../define.ts";
import { providerName } from "../../src/domain/document-codes.ts";
import type { ConnectionObject } from "../../src/issuing/connection-status.ts";
import type { Context } from "../../src/journal/context.ts";
import { modeText, questionAbout } from "../confirmation.ts";
import { textOfError } from "../../src/foundation/stored-texts.ts";
import { printable } from "../../src/foundation/characters.ts";

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

const VERBS: Commands = {
  add: verbOf(operations.createConnection, {
    flags: {
      "--provider <provider>": {
        ...sameInBoth(CONNECTABLE_PROVIDERS.join(", ")),
        read: choice(CONNECTABLE_PROVIDERS),
      },
      ...CREDENTIAL_FLAGS,
    },
    helpNotes: NOTES,
    bodyOf: async (given) => (await import("./credentials.ts")).readConnectionBody(given),
    refusals: describeRefusal,
  }),
  link: verbOf(createConnectSession, {
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
  list: verbOf(operations.listConnections),
  show: verbOf(operations.getConnection),
  verify: verbOf(operations.verifyConnection, { refusals: describeRefusal }),
  disconnect: verbOf(operations.disconnectConnection, {
    confirm: askToDisconnect,
  }),
};

export const defineConnections = noun(
  VERBS,
  {
    line: "fiscal connections add --merchant shop --provider registry_direct",
    note: { en: "asks for the credentials", el: "ζητά τα διαπιστευτήρια" },
  },
  "fiscal connections list --merchant shop",
);

async function askToDisconnect({ appliance, mode, params }: Given): Promise<Text> {
  const { getConnection } = await import("../../src/connections/connections.ts");
  const { getMerchant } = await import("../../src/merchants/merchants.ts");
  const known = await getConnection(appliance, mode, params["id"] ?? "");
  const { name } = await getMerchant(appliance, known.merchant);
  return questionAbout(
    { en: "Disconnect the connection", el: "Να αποσυνδεθεί η σύνδεση" },
    [providerName(known.provider), name, modeText(mode)],
    joinTexts(await describePending(appliance, known), " "),
  );
}

/** Only this many are counted. */
const PENDING_MAX = 100;

/** A sentence about the merchant's documents that wait for this provider; none if there are none. */
async function describePending(appliance: Context, connection: ConnectionObject): Promise<Text[]> {
  const { listDocuments } = await import("../../src/documents/list-documents.ts");
  const { merchant, provider, mode } = connection;
  const filters = { merchant, provider, status: "pending" as const };
  const { data, has_more: hasMore } = await listDocuments(appliance, mode, {
    limit: PENDING_MAX,
    ...filters,
  });
  if (data.length === 0) return [];
  const count = hasMore ? `>${data.length}` : String(data.length);
  return [
    {
      en: `Documents of the merchant still pending there: ${count}.`,
      el: `Παραστατικά της επιχείρησης που εκκρεμούν εκεί: ${count}.`,
    },
  ];
}

/** Of a connection whose credentials the provider has just checked. */
function describeRefusal({ id, status, last_error: error }: ConnectionObject): Text[] {
  if (status !== "invalid") return [];
  const refused = {
    en: "The provider refused the credentials",
    el: "Ο πάροχος αρνήθηκε τα διαπιστευτήρια",
  };
  const next = {
    en:
      `Nothing is sent through this connection. When the provider accepts the credentials: fiscal connections verify ${id}\n` +
      `To use other credentials: fiscal connections disconnect ${id}, then add it again.`,
    el:
      `Τίποτα δεν στέλνεται από αυτή τη σύνδεση. Όταν ο πάροχος δεχτεί τα διαπιστευτήρια: fiscal connections verify ${id}\n` +
      `Με άλλα διαπιστευτήρια: fiscal connections disconnect ${id}, και προσθέστε την ξανά.`,
  };
  return [error === null ? refused : joinTexts([refused, reasonText(error)], ": "), next];
}

/** The provider's own words if there are any. */
function reasonText(error: NonNullable<ConnectionObject["last_error"]>): Text {
  const { provider_message: words } = error;
  return words === null ? textOfError(error) : sameInBoth(printable(words));
}
