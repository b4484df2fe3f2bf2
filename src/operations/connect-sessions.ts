/** Operations on connect sessions: links with which merchants connect themselves. */
import { ConnectSessionObjectSchema, NewConnectSessionSchema } from "../connect-sessions/connect-sessions.ts";
import * as logic from "../connect-sessions/connect-sessions.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import { created, data, operation } from "./operation.ts";

const tag = "connect sessions";

export const createConnectSession = operation({
  id: "createConnectSession",
  method: "POST",
  path: "/merchants/{id}/connect_sessions",
  tag,
  summary: "Create a link with which a merchant connects itself",
  description:
    "Makes a link with which a merchant enters its credentials itself. It is valid for 30 minutes and for one connection, and is shown only once; repeating the request with the same Idempotency-Key shows it again.",
  body: logic.CreateConnectSessionSchema,
  isBodyOptional: true,
  example: { provider: "registry_direct", return_url: "https://shop.example/settings" },
  creates: true,
  response: {
    schema: NewConnectSessionSchema,
    description: "The session, with its link.",
  },
  verb: {
    merchant: "required",
    summary: {
      en: "print a link where the merchant enters the credentials; it is shown only once",
      el: "τυπώνει σύνδεσμο όπου η επιχείρηση δίνει τα διαπιστευτήρια· εμφανίζεται μόνο μία φορά",
    },
    flags: {
      provider: {
        name: "provider <provider>",
        words: CONNECTABLE_PROVIDERS,
        help: {
          en: "only for this provider; by default the merchant chooses",
          el: "μόνο για αυτόν τον πάροχο· αλλιώς διαλέγει η επιχείρηση",
        },
      },
      return_url: {
        name: "return-url <url>",
        help: {
          en: "where the page leads after the merchant has connected",
          el: "πού οδηγεί η σελίδα όταν συνδεθεί η επιχείρηση",
        },
      },
    },
    examples: [
      "fiscal connections link --merchant shop --provider registry_direct --return-url https://example.com/connected",
    ],
  },
  async handle({ context, params, body, cause, use }) {
    const merchantId = params["id"] ?? "";
    return created(await logic.createConnectSession(context, merchantId, body, cause, use), { merchantId });
  },
});

export const getConnectSession = operation({
  id: "getConnectSession",
  method: "GET",
  path: "/connect_sessions/{id}",
  tag,
  summary: "Get a connect session",
  description: "Shows whether the merchant has connected, and with which connection.",
  response: {
    schema: ConnectSessionObjectSchema,
    description: "The session, without its link.",
  },
  async handle({ context, mode, params }) {
    const session = await logic.getConnectSession(context, mode, params["id"] ?? "");
    return data(session, { merchantId: session.merchant });
  },
});
