/** Operations on connections: create, list, get, verify, disconnect; and on connect sessions, links with which merchants connect themselves. */
import * as logic from "../connections/connections.ts";
import * as sessions from "../connect-sessions/connect-sessions.ts";
import { providerName } from "../domain/document-codes.ts";
import { CreateConnectionSchema } from "../connections/connection-input.ts";
import { type ConnectionObject, ConnectionObjectSchema } from "../issuing/connection-status.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import { REDACTED } from "../logs/redaction.ts";
import { created, data, list, operationsOf } from "./operation.ts";
import { PAGE_FIELDS } from "./field.ts";
import {
  type Column,
  errorRows,
  instantText,
  LABELS,
  optionalInstantText,
  rowsFrom,
  wordText,
} from "./view.ts";

const operation = operationsOf("connections");

const VERIFIED = { en: "verified", el: "ελέγχθηκε" };

const COLUMNS: readonly Column<ConnectionObject>[] = [
  { head: "id", value: (connection) => connection.id },
  { head: LABELS.merchant, value: (connection) => connection.merchant },
  { head: LABELS.provider, isName: true, value: (connection) => providerName(connection.provider) },
  { head: LABELS.status, isStatus: true, value: (connection) => wordText(connection.status) },
  { head: VERIFIED, leaveOut: 2, value: (connection) => optionalInstantText(connection.verified_at) },
  { head: LABELS.created, leaveOut: 1, value: (connection) => instantText(connection.created) },
];

const rows = rowsFrom(COLUMNS, ({ mode, last_error: error }) => [
  [LABELS.mode, wordText(mode)],
  ...errorRows(error, { en: "last error", el: "τελευταίο σφάλμα" }),
]);

/** Logs only the provider of a body with credentials, and only if it is a known provider. */
function bodyForLog(body: unknown): unknown {
  const given =
    typeof body === "object" && body !== null ? (body as { provider?: unknown }).provider : undefined;
  const provider = CONNECTABLE_PROVIDERS.find((known) => known === given) ?? REDACTED;
  return { provider, credentials: REDACTED };
}

export const createConnection = operation({
  id: "createConnection",
  method: "POST",
  path: "/merchants/{id}/connections",
  summary: "Connect a merchant to a provider",
  description:
    "Connects in the key's mode with the merchant's own credentials. They are verified with the provider before anything is stored. If the provider refuses them, the response is 201 with status `invalid`.",
  body: CreateConnectionSchema,
  bodyForLog,
  example: {
    provider: "registry_direct",
    credentials: { user_id: "example", subscription_key: "0123456789abcdef0123456789abcdef" },
  },
  idempotency: "required",
  response: ConnectionObjectSchema,
  errors: ["already_exists", "service_unavailable"],
  verb: {
    merchant: "required",
    summary: {
      en: "connect a merchant to a provider, after checking the credentials with the provider",
      el: "συνδέει μια επιχείρηση με πάροχο, αφού ελέγξει τα διαπιστευτήρια με τον πάροχο",
    },
    takesKey: true,
    examples: [
      "fiscal connections add --merchant shop --provider registry_direct --user-id-file user.txt --subscription-key-file key.txt",
      "fiscal --live connections add --merchant shop --provider provider_a --email me@example.com --api-key-file key.txt",
    ],
  },
  rows,
  handle: async ({ context, id, body, cause, use }) =>
    created(await logic.createConnection(context, id, body, cause, use), id),
});

export const listConnections = operation({
  id: "listConnections",
  method: "GET",
  path: "/merchants/{id}/connections",
  summary: "List a merchant's connections",
  description: "Lists the merchant's connections of the key's mode.",
  query: PAGE_FIELDS,
  response: ConnectionObjectSchema,
  verb: {
    merchant: "optional",
    summary: { en: "list connections, newest first", el: "συνδέσεις της λειτουργίας, πρώτα οι νεότερες" },
    examples: ["fiscal connections list --merchant shop"],
  },
  table: {
    none: { en: "No connections.", el: "Δεν υπάρχουν συνδέσεις." },
    columns: COLUMNS,
  },
  handle: async ({ context, mode, id, query }) =>
    list(await logic.listConnections(context, mode, id === "" ? undefined : id, query)),
});

export const getConnection = operation({
  id: "getConnection",
  method: "GET",
  path: "/connections/{id}",
  summary: "Get a connection",
  description:
    "Shows whether documents can be sent through a connection, and why its provider last refused the credentials.",
  response: ConnectionObjectSchema,
  verb: {
    argument: "connection",
    summary: {
      en: "show one connection, without its credentials",
      el: "μία σύνδεση, χωρίς τα διαπιστευτήριά της",
    },
    examples: ["fiscal connections show con_… --json"],
  },
  rows,
  handle: async ({ context, mode, id }) => data(await logic.getConnection(context, mode, id)),
});

export const verifyConnection = operation({
  id: "verifyConnection",
  method: "POST",
  path: "/connections/{id}/verify",
  summary: "Verify a connection again",
  description:
    "Verifies the credentials with the provider again. If it accepts them, the connection becomes `active` and documents waiting for it continue; if it refuses them, it becomes `invalid`, with `last_error`.",
  isAdditive: true,
  response: ConnectionObjectSchema,
  errors: ["invalid_state", "not_supported", "service_unavailable"],
  verb: {
    argument: "connection",
    summary: {
      en: "check the credentials with the provider again; if it accepts them, waiting documents are sent",
      el: "ελέγχει ξανά τα διαπιστευτήρια με τον πάροχο· αν τα δεχτεί, στέλνονται όσα παραστατικά περίμεναν",
    },
    examples: ["fiscal connections verify con_…"],
  },
  rows,
  handle: async ({ context, id, cause }) => data(await logic.verifyConnection(context, id, cause)),
});

export const disconnectConnection = operation({
  id: "disconnectConnection",
  method: "POST",
  path: "/connections/{id}/disconnect",
  summary: "Disconnect a connection",
  description:
    "Ends the use of a connection. Documents queued for it fail, and can be retried once the merchant is connected again. Its credentials are deleted 30 days later.",
  response: ConnectionObjectSchema,
  verb: {
    argument: "connection",
    summary: {
      en: "stop using a connection; its credentials are deleted 30 days later",
      el: "παύει η χρήση μιας σύνδεσης· τα διαπιστευτήρια διαγράφονται 30 ημέρες αργότερα",
    },
    examples: ["fiscal connections disconnect con_… --yes"],
  },
  rows,
  handle: async ({ context, id, cause }) => data(await logic.disconnectConnection(context, id, cause)),
});

const sessionOperation = operationsOf("connect sessions");

export const createConnectSession = sessionOperation({
  id: "createConnectSession",
  method: "POST",
  path: "/merchants/{id}/connect_sessions",
  summary: "Create a link with which a merchant connects itself",
  description:
    "Makes a link with which a merchant enters its credentials itself. It is valid for 30 minutes and for one connection, and is shown only once; repeating the request with the same Idempotency-Key shows it again.",
  body: sessions.CreateConnectSessionSchema,
  isBodyOptional: true,
  example: { provider: "registry_direct", return_url: "https://shop.example/settings" },
  creates: true,
  response: sessions.NewConnectSessionSchema,
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
  handle: async ({ context, id, body, cause, use }) =>
    created(await sessions.createConnectSession(context, id, body, cause, use), id),
});

export const getConnectSession = sessionOperation({
  id: "getConnectSession",
  method: "GET",
  path: "/connect_sessions/{id}",
  summary: "Get a connect session",
  description: "Shows whether the merchant has connected, and with which connection.",
  response: sessions.ConnectSessionObjectSchema,
  handle: async ({ context, mode, id }) => data(await sessions.getConnectSession(context, mode, id)),
});
