/** The endpoints of the specification, each with a request that has the right form. */
import { buildIssueBody } from "../../helpers/appliance.ts";
import type { Reply, Sent } from "../../helpers/http.ts";
import { CONNECT, noId, type SpecServer } from "./bench.ts";

export interface Endpoint {
  /** As the specification heads it. */
  heading: string;
  method: "GET" | "POST";
  /** The path's template. */
  template: string;
  /** A path with ids of the right form. */
  path: string;
  /** What it is sent; undefined for what takes no body. */
  body?: unknown;
  /** Whether it wants an Idempotency-Key. */
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

/** Asks an endpoint as it wants to be asked, with what `sent` says in the place of that. */
export function ask(server: SpecServer, endpoint: Endpoint, sent: Sent = {}): Promise<Reply> {
  const { method, path, body, isCreation } = endpoint;
  const usual: Sent = {
    ...(isCreation ? { headers: { "idempotency-key": "endpoint" } } : {}),
    ...(body === undefined ? {} : { body }),
  };
  return server.request(method, path, { ...usual, ...sent });
}
