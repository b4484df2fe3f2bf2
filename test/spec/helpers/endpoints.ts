/** The contract's endpoints, each with a well-formed request. */
import { buildIssueBody } from "../../helpers/appliance.ts";
import type { Reply, Sent } from "../../helpers/http.ts";
import { CONNECT, noId, type SpecServer } from "./bench.ts";

export interface Endpoint {
  /** As in the contract's heading. */
  heading: string;
  method: "GET" | "POST";
  /** The path's template. */
  template: string;
  /** A path with well-formed ids. */
  path: string;
  /** The body; undefined if it has none. */
  body?: unknown;
  /** Whether it requires an Idempotency-Key. */
  isCreation: boolean;
}

function build(method: "GET" | "POST", template: string, prefix: string, body?: unknown): Endpoint {
  return {
    heading: `${method} ${template}`,
    method,
    template,
    path: template.replace("{id}", noId(prefix)),
    ...(body === undefined ? {} : { body }),
    isCreation: body !== undefined && !template.endsWith("/preview"),
  };
}

export const ENDPOINTS: readonly Endpoint[] = [
  build("POST", "/api/v1/documents", "", buildIssueBody(noId("mer"))),
  build("GET", "/api/v1/documents/{id}", "doc"),
  build("POST", "/api/v1/documents/preview", "", buildIssueBody("").document),
  build("GET", "/api/v1/provider_calls", ""),
  build("GET", "/api/v1/provider_calls/{id}", "pcl"),
  build("GET", "/api/v1/requests", ""),
  build("GET", "/api/v1/requests/{id}", "rql"),
  build("GET", "/api/v1/tax_ids/lookup", ""),
  build("GET", "/api/v1/events", ""),
  build("GET", "/api/v1/events/{id}", "evt"),
  build("GET", "/api/v1/connections/{id}", "con"),
  build("GET", "/api/v1/merchants/{id}/connections", "mer"),
  build("POST", "/api/v1/merchants/{id}/connections", "mer", CONNECT),
  build("POST", "/api/v1/merchants", "", { external_id: "endpoint", name: "x" }),
  build("GET", "/api/v1/merchants/{id}", "mer"),
];

/** Sends an endpoint's well-formed request, with some parts replaced by `sent`. */
export function ask(server: SpecServer, endpoint: Endpoint, sent: Sent = {}): Promise<Reply> {
  const { method, path, body, isCreation } = endpoint;
  const usual: Sent = {
    ...(isCreation ? { headers: { "idempotency-key": "endpoint" } } : {}),
    ...(body === undefined ? {} : { body }),
  };
  return server.request(method, path, { ...usual, ...sent });
}
