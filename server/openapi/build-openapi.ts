/** Builds the OpenAPI 3.1 description from the operations and their schemas, and describes the operation that returns it. */
import * as v from "valibot";
import { described } from "../../src/foundation/described.ts";
import { API_VERSION } from "../../src/foundation/wire.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { buildComponents } from "./components.ts";
import { describeOperation } from "./describe-operation.ts";
import { INTRODUCTION } from "./introduction.ts";
import { Components, type Json } from "./json-schema.ts";
import { describeWebhooks } from "./webhooks.ts";

const TAGS: readonly { name: string; description: string }[] = [
  { name: "documents", description: "Issue fiscal documents and follow them to their MARK." },
  { name: "merchants", description: "The businesses on whose behalf documents are issued." },
  { name: "connections", description: "A merchant's credentials for one provider in one mode." },
  { name: "connect sessions", description: "Links with which merchants connect themselves." },
  { name: "events", description: "Every state change, in order." },
  {
    name: "webhook endpoints",
    description: "Where events are sent, and how each delivery went.",
  },
  { name: "logs", description: "Requests to this API, and calls to providers." },
  { name: "tax numbers", description: "VAT numbers, checked against the EU registry." },
  { name: "meta", description: "The description of this API." },
];

/** The operation that returns the description. `text` is called on demand, because the description includes this operation. */
export function descriptionOperation(text: () => string): Operation {
  return {
    id: "getOpenApi",
    method: "GET",
    path: "/openapi.json",
    tag: "meta",
    summary: "Get the OpenAPI description of this API",
    description: "Returns this description as JSON. It is also public at `/openapi.json`, without a key.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "text",
      schema: v.pipe(
        v.looseObject({ openapi: described(v.string(), "The version of OpenAPI.") }),
        v.metadata({ jsonSchema: { additionalProperties: true } }),
      ),
      description: "OpenAPI 3.1.",
    },
    errors: [],
    handle: async () => ({
      status: 200,
      json: text(),
      replayed: false,
      merchantId: null,
      documentId: null,
    }),
  };
}

/** The description as JSON. */
export function buildOpenApi(operations: readonly Operation[]): Json {
  const components = new Components();
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = `/api/v1${operation.path}`;
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: describeOperation(operation, components),
    };
  }
  const webhooks = describeWebhooks(components);
  return {
    openapi: "3.1.0",
    info: {
      title: "fiscal",
      version: API_VERSION,
      summary: "Issues Greek fiscal documents on behalf of merchants.",
      description: INTRODUCTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/", description: "This server." }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    webhooks,
    components: buildComponents(components.schemas),
  };
}
