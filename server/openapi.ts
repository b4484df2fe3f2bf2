/** The OpenAPI 3.1 description, made from the operations and their schemas. */
import { toJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { type ErrorCode, ERROR_CODES } from "../src/foundation/errors.ts";
import { CreateConnectionSchema } from "../src/connections/connection-input.ts";
import { ConnectionObjectSchema } from "../src/issuing/connection-object.ts";
import { ConnectSessionObjectSchema } from "../src/connect-sessions/connect-session-object.ts";
import { CanonicalDocumentSchema } from "../src/domain/canonical-document.ts";
import { IssueBodySchema } from "../src/domain/issue-body.ts";
import { DocumentObjectSchema } from "../src/journal/document-object.ts";
import { EventObjectSchema } from "../src/journal/event-object.ts";
import {
  ApiRequestDetailSchema,
  ApiRequestObjectSchema,
  ProviderCallDetailSchema,
  ProviderCallObjectSchema,
} from "../src/logs/log-objects.ts";
import {
  CreateMerchantSchema,
  SettingsSchema,
  UpdateMerchantSchema,
} from "../src/merchants/merchant-input.ts";
import { MerchantObjectSchema } from "../src/merchants/merchant-object.ts";
import type { JsonSchemaNote } from "../src/foundation/validation.ts";
import { TaxIdLookupObjectSchema } from "../src/domain/tax-id-lookup.ts";
import { ErrorObjectSchema } from "../src/foundation/wire.ts";
import { API_VERSION } from "../src/foundation/version.ts";
import { STATUS_OF } from "./errors.ts";
import { CreateWebhookEndpointSchema, UpdateWebhookEndpointSchema } from "../src/webhooks/endpoint-input.ts";
import { WebhookDeliveryObjectSchema, WebhookEndpointObjectSchema } from "../src/webhooks/endpoint-object.ts";
import { answerExample, IDEMPOTENCY_KEY_EXAMPLE, pathIdExample, QUERY_EXAMPLES } from "./examples/answers.ts";
import { errorExamples } from "./examples/errors.ts";
import type { Operation } from "./operation.ts";
import { REQUEST_ID_FORM } from "../src/foundation/request-id.ts";

/** JSON, or a JSON Schema. */
export type Json = Record<string, unknown>;

/** The schemas that have names in the description. */
const COMPONENTS: readonly [string, v.GenericSchema, "input" | "output"][] = [
  ["CanonicalDocument", CanonicalDocumentSchema, "input"],
  ["IssueDocument", IssueBodySchema, "input"],
  ["CreateMerchant", CreateMerchantSchema, "input"],
  ["UpdateMerchant", UpdateMerchantSchema, "input"],
  ["Document", DocumentObjectSchema, "output"],
  ["Merchant", MerchantObjectSchema, "output"],
  ["MerchantSettings", SettingsSchema, "input"],
  ["CreateConnection", CreateConnectionSchema, "input"],
  ["Connection", ConnectionObjectSchema, "output"],
  ["ConnectSession", ConnectSessionObjectSchema, "output"],
  ["Event", EventObjectSchema, "output"],
  ["CreateWebhookEndpoint", CreateWebhookEndpointSchema, "input"],
  ["UpdateWebhookEndpoint", UpdateWebhookEndpointSchema, "input"],
  ["WebhookEndpoint", WebhookEndpointObjectSchema, "output"],
  ["WebhookDelivery", WebhookDeliveryObjectSchema, "output"],
  ["ProviderCall", ProviderCallObjectSchema, "output"],
  ["ProviderCallDetail", ProviderCallDetailSchema, "output"],
  ["ApiRequest", ApiRequestObjectSchema, "output"],
  ["ApiRequestDetail", ApiRequestDetailSchema, "output"],
  ["TaxIdLookup", TaxIdLookupObjectSchema, "output"],
  ["Error", ErrorObjectSchema, "output"],
];

/** The JSON Schema of `schema`, whole. Checks of our own say nothing to it; what can be said stands beside, as metadata. */
export function convert(schema: v.GenericSchema, typeMode: "input" | "output"): Json {
  const { $schema: _dialect, ...json } = toJsonSchema(schema, {
    target: "draft-2020-12",
    typeMode,
    errorMode: "ignore",
  }) as Json;
  return unfold(json) as Json;
}

/** Puts what `src/foundation/validation.ts` notes under `jsonSchema` where it belongs: into the schema around it. */
function unfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unfold);
  if (typeof value !== "object" || value === null) return value;
  const { jsonSchema, ...rest } = value as Json;
  const entries = Object.entries({ ...rest, ...(jsonSchema as JsonSchemaNote | undefined) });
  return Object.fromEntries(entries.map(([key, member]) => [key, unfold(member)]));
}

function reference(schema: v.GenericSchema, typeMode: "input" | "output"): Json {
  const name = COMPONENTS.find(([, component]) => component === schema)?.[0];
  return name === undefined ? convert(schema, typeMode) : { $ref: `#/components/schemas/${name}` };
}

const REQUEST_ID_HEADER = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
const LIMIT_HEADERS = {
  "ratelimit-limit": { $ref: "#/components/headers/RateLimitLimit" },
  "ratelimit-remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "ratelimit-reset": { $ref: "#/components/headers/RateLimitReset" },
};

type DescribedAnswer = Exclude<Operation["answer"], { kind: "file" }>;
/** An operation whose answer is no file. */
export type DescribedOperation = Operation & { readonly answer: DescribedAnswer };

/** The body of an answer that is JSON. `describe` makes the schema of what is in it: here, a reference to a component. */
export function answerSchema(answer: DescribedAnswer, describe = reference): Json {
  const item = describe(answer.schema, "output");
  if (answer.kind === "text") return item;
  if (answer.kind === "data") {
    return { type: "object", properties: { data: item }, required: ["data"], additionalProperties: false };
  }
  return {
    type: "object",
    properties: {
      object: { const: "list" },
      data: { type: "array", items: item },
      has_more: { type: "boolean" },
    },
    required: ["object", "data", "has_more"],
    additionalProperties: false,
  };
}

const COMMON_ERRORS: readonly ErrorCode[] = ["unauthorized", "rate_limited", "internal_error"];
/** The statuses whose answers do not tell the rate limit (spec, Wire conventions). */
const UNLIMITED_STATUSES: ReadonlySet<number> = new Set([401, 500]);

/** What changes something needs a disk that can be written. */
function storageErrors({ method, readsOnly }: Operation): readonly ErrorCode[] {
  return method === "GET" || readsOnly === true ? [] : ["service_unavailable"];
}

function errorResponses(operation: Operation): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...operation.errors, ...COMMON_ERRORS, ...storageErrors(operation)])) {
    const codes = byStatus.get(STATUS_OF[code]) ?? [];
    codes.push(code);
    byStatus.set(STATUS_OF[code], codes);
  }
  // Unknown query parameters are refused everywhere.
  if (!byStatus.has(400)) byStatus.set(400, ["validation_failed"]);
  const responses: Json = {};
  for (const [status, codes] of [...byStatus].sort(([left], [right]) => left - right)) {
    responses[String(status)] = {
      description: codes.map((code) => `\`${code}\``).join(", "),
      headers: errorHeaders(status, codes),
      content: {
        "application/json": {
          schema: { $ref: "#/components/schemas/Error" },
          examples: errorExamples(codes),
        },
      },
    };
  }
  return responses;
}

/** The codes whose answers may say when to come back. */
const TELLS_WHEN: ReadonlySet<ErrorCode> = new Set(["idempotency_in_progress", "pdf_not_ready"]);

function errorHeaders(status: number, codes: readonly ErrorCode[]): Json {
  return {
    ...REQUEST_ID_HEADER,
    ...(UNLIMITED_STATUSES.has(status) ? {} : LIMIT_HEADERS),
    ...(status === 401 ? { "www-authenticate": { $ref: "#/components/headers/WwwAuthenticate" } } : {}),
    ...(status === 429 || codes.some((code) => TELLS_WHEN.has(code))
      ? { "retry-after": { $ref: "#/components/headers/RetryAfter" } }
      : {}),
  };
}

function exampleOf(example: unknown): { example?: unknown } {
  return example === undefined ? {} : { example };
}

function describeParameters(operation: Operation): Json[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    description: "The id of the thing.",
    ...exampleOf(pathIdExample(operation.path)),
  }));
  const inQuery = Object.entries(operation.query).map(([name, field]) => ({
    name,
    in: "query",
    required: field.isRequired === true,
    schema: field.json,
    description: field.description,
    ...exampleOf(field.isRequired === true ? QUERY_EXAMPLES[name] : undefined),
    ...(field.repeats ? { style: "form", explode: true } : {}),
  }));
  if (operation.idempotency === "none") return [...inPath, ...inQuery];
  const isRequired = operation.idempotency === "required";
  const name = isRequired ? "IdempotencyKey" : "OptionalIdempotencyKey";
  return [...inPath, ...inQuery, { $ref: `#/components/parameters/${name}` }];
}

function describeOperation(operation: Operation): Json {
  const { answer, body, example } = operation;
  const replayed = { "idempotent-replayed": { $ref: "#/components/headers/IdempotentReplayed" } };
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description === undefined ? {} : { description: operation.description }),
    parameters: describeParameters(operation),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: operation.isBodyOptional !== true,
            content: {
              "application/json": {
                schema: reference(body, "input"),
                ...exampleOf(example),
              },
            },
          },
        }),
    responses: {
      [String(answer.status)]: {
        description: answer.description,
        headers: {
          ...REQUEST_ID_HEADER,
          ...LIMIT_HEADERS,
          ...(answer.status === 201 ? replayed : {}),
          ...(answer.kind === "file"
            ? { "content-disposition": { $ref: "#/components/headers/ContentDisposition" } }
            : {}),
        },
        content: describeContent(operation),
      },
      ...errorResponses(operation),
    },
  };
}

/** OpenAPI 3.1: a file has no schema beside its media type. */
function describeContent({ id, answer }: Operation): Json {
  if (answer.kind === "file") return { [answer.contentType]: {} };
  const schema = answerSchema(answer);
  return { "application/json": { schema, ...exampleOf(answerExample(id, answer.kind)) } };
}

const TAGS: readonly { name: string; description: string }[] = [
  { name: "documents", description: "Issue fiscal documents and follow them to their MARK." },
  { name: "merchants", description: "The businesses on whose behalf documents are issued." },
  { name: "connections", description: "A merchant's credentials for one provider in one mode." },
  { name: "connect sessions", description: "Links by which a merchant connects by itself." },
  { name: "events", description: "What happened, in order." },
  {
    name: "webhook endpoints",
    description: "Where events are posted to as they happen, and what came of it.",
  },
  { name: "logs", description: "What was asked of this API, and what it asked of providers." },
  { name: "tax numbers", description: "VAT numbers, checked against the EU registry." },
  { name: "meta", description: "The API about itself." },
];

function integerHeader(description: string, minimum: number): Json {
  return { description, required: false, schema: { type: "integer", minimum } };
}

const HEADERS: Json = {
  RequestId: {
    description: "The id of the request: the service's own, `client:` and the caller's, or the platform's.",
    required: true,
    schema: { type: "string", pattern: REQUEST_ID_FORM.source },
  },
  RateLimitLimit: integerHeader("Requests in a window. Absent where the limit is off.", 1),
  RateLimitRemaining: integerHeader("Requests left in the window; at 0 the next one is refused.", 0),
  RateLimitReset: integerHeader("Seconds until the window resets.", 0),
  RetryAfter: integerHeader("Seconds to wait before trying again.", 1),
  WwwAuthenticate: { description: "How to authenticate.", required: true, schema: { type: "string" } },
  ContentDisposition: {
    description: "The file's name, in ASCII.",
    required: true,
    schema: { type: "string" },
  },
  IdempotentReplayed: {
    description: "`true` where this is the first answer again; absent on the request that created.",
    required: false,
    schema: { const: "true" },
  },
};

function idempotencyParameter(required: boolean, description: string): Json {
  const schema = { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7E]+$" };
  const example = IDEMPOTENCY_KEY_EXAMPLE;
  return { name: "Idempotency-Key", in: "header", required, description, schema, example };
}

export function buildOpenApi(operations: readonly Operation[]): Json {
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = `/api/v1${operation.path}`;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describeOperation(operation) };
  }
  const schemas = Object.fromEntries(
    COMPONENTS.map(([name, schema, typeMode]) => [name, convert(schema, typeMode)]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "fiscal",
      version: API_VERSION,
      summary: "Issues Greek fiscal documents on behalf of merchants.",
      description: `Amounts are integers in cents. Failures carry one of these codes: ${ERROR_CODES.join(", ")}.`,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key, `fiscal_test_…` or `fiscal_live_…`; it determines the mode.",
        },
      },
      headers: HEADERS,
      parameters: {
        IdempotencyKey: idempotencyParameter(
          true,
          "Chosen by the caller: the same key and body answer the first result again.",
        ),
        OptionalIdempotencyKey: idempotencyParameter(
          false,
          "Noted in the log and in the event that the call causes.",
        ),
      },
      schemas,
    },
  };
}
