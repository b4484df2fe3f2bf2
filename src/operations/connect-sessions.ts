/** Operations on connect sessions: links with which merchants connect themselves. */
import {
  ConnectSessionObjectSchema,
  NewConnectSessionSchema,
} from "../connect-sessions/connect-session-object.ts";
import {
  createConnectSession,
  CreateConnectSessionSchema,
  getConnectSession,
} from "../connect-sessions/connect-sessions.ts";
import { created, data, type Operation, operation } from "./operation.ts";

const tag = "connect sessions";

export const CONNECT_SESSION_OPERATIONS: readonly Operation[] = [
  operation({
    id: "createConnectSession",
    method: "POST",
    path: "/merchants/{id}/connect_sessions",
    tag,
    summary: "Create a link with which a merchant connects itself",
    description:
      "Makes a link with which a merchant enters its credentials itself. It is valid for 30 minutes and for one connection, and is shown only once; repeating the request with the same Idempotency-Key shows it again.",
    query: {},
    body: CreateConnectSessionSchema,
    isBodyOptional: true,
    example: { provider: "registry_direct", return_url: "https://shop.example/settings" },
    idempotency: "accepted",
    creates: true,
    response: {
      status: 201,
      kind: "data",
      schema: NewConnectSessionSchema,
      description: "The session, with its link.",
    },
    errors: [
      "validation_failed",
      "not_found",
      "idempotency_conflict",
      "idempotency_in_progress",
      "payload_too_large",
      "unsupported_media_type",
    ],
    async handle({ context, params, body, cause, claim }) {
      const merchantId = params["id"] ?? "";
      return created(await createConnectSession(context, merchantId, body, cause, claim), { merchantId });
    },
  }),
  operation({
    id: "getConnectSession",
    method: "GET",
    path: "/connect_sessions/{id}",
    tag,
    summary: "Get a connect session",
    description: "Shows whether the merchant has connected, and with which connection.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: ConnectSessionObjectSchema,
      description: "The session, without its link.",
    },
    errors: ["not_found"],
    async handle({ context, mode, params }) {
      const session = await getConnectSession(context, mode, params["id"] ?? "");
      return data(session, { merchantId: session.merchant });
    },
  }),
];
