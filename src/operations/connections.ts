/** Operations on connections: create, list, get, verify, disconnect. */
import { CreateConnectionSchema } from "../connections/connection-input.ts";
import {
  createConnection,
  disconnectConnection,
  getConnection,
  listConnections,
  verifyConnection,
} from "../connections/connections.ts";
import { ConnectionObjectSchema } from "../issuing/connection-object.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import { REDACTED } from "../logs/redaction.ts";
import { created, data, list, type Operation, operation } from "./operation.ts";
import { PAGE_FIELDS } from "./field.ts";

const tag = "connections";

const CONNECTION_RESPONSE = {
  status: 200,
  kind: "data",
  schema: ConnectionObjectSchema,
  description: "The connection, without its credentials.",
} as const;

/** Logs only the provider of a body with credentials, and only if it is a known provider. */
function bodyForLog(body: unknown): unknown {
  const given =
    typeof body === "object" && body !== null ? (body as { provider?: unknown }).provider : undefined;
  const provider = CONNECTABLE_PROVIDERS.find((known) => known === given) ?? REDACTED;
  return { provider, credentials: REDACTED };
}

export const CONNECTION_OPERATIONS: readonly Operation[] = [
  operation({
    id: "createConnection",
    method: "POST",
    path: "/merchants/{id}/connections",
    tag,
    summary: "Connect a merchant to a provider",
    description:
      "Connects in the key's mode with the merchant's own credentials. They are verified with the provider before anything is stored. If the provider refuses them, the response is 201 with status `invalid`.",
    query: {},
    body: CreateConnectionSchema,
    bodyForLog,
    example: {
      provider: "registry_direct",
      credentials: { user_id: "example", subscription_key: "0123456789abcdef0123456789abcdef" },
    },
    idempotency: "required",
    response: { ...CONNECTION_RESPONSE, status: 201 },
    errors: [
      "validation_failed",
      "not_found",
      "idempotency_conflict",
      "idempotency_in_progress",
      "already_exists",
      "payload_too_large",
      "unsupported_media_type",
      "service_unavailable",
    ],
    async handle({ context, params, body, cause, claim }) {
      const merchantId = params["id"] ?? "";
      return created(await createConnection(context, merchantId, body, cause, claim), { merchantId });
    },
  }),
  operation({
    id: "listConnections",
    method: "GET",
    path: "/merchants/{id}/connections",
    tag,
    summary: "List a merchant's connections",
    description: "Lists the merchant's connections of the key's mode.",
    query: PAGE_FIELDS,
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: ConnectionObjectSchema,
      description: "A page of the merchant's connections in the key's mode, newest first.",
    },
    errors: ["validation_failed", "not_found"],
    handle: async ({ context, mode, params, query }) =>
      list(await listConnections(context, mode, params["id"] ?? "", query)),
  }),
  operation({
    id: "getConnection",
    method: "GET",
    path: "/connections/{id}",
    tag,
    summary: "Get a connection",
    description:
      "Shows whether documents can be sent through a connection, and why its provider last refused the credentials.",
    query: {},
    idempotency: "none",
    response: CONNECTION_RESPONSE,
    errors: ["not_found"],
    async handle({ context, mode, params }) {
      const connection = await getConnection(context, mode, params["id"] ?? "");
      return data(connection, { merchantId: connection.merchant });
    },
  }),
  operation({
    id: "verifyConnection",
    method: "POST",
    path: "/connections/{id}/verify",
    tag,
    summary: "Verify a connection again",
    description:
      "Verifies the credentials with the provider again. If it accepts them, the connection becomes `active` and documents waiting for it continue; if it refuses them, it becomes `invalid`, with `last_error`.",
    query: {},
    idempotency: "accepted",
    isAdditive: true,
    response: CONNECTION_RESPONSE,
    errors: ["validation_failed", "not_found", "invalid_state", "not_supported", "service_unavailable"],
    async handle({ context, params, cause }) {
      const connection = await verifyConnection(context, params["id"] ?? "", cause);
      return data(connection, { merchantId: connection.merchant });
    },
  }),
  operation({
    id: "disconnectConnection",
    method: "POST",
    path: "/connections/{id}/disconnect",
    tag,
    summary: "Disconnect a connection",
    description:
      "Ends the use of a connection. Documents queued for it fail, and can be retried once the merchant is connected again. Its credentials are deleted 30 days later.",
    query: {},
    idempotency: "accepted",
    response: CONNECTION_RESPONSE,
    errors: ["validation_failed", "not_found"],
    async handle({ context, params, cause }) {
      const connection = await disconnectConnection(context, params["id"] ?? "", cause);
      return data(connection, { merchantId: connection.merchant });
    },
  }),
];
