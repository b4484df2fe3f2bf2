/** Describes one operation in OpenAPI: parameters, body, responses and errors. */
import type * as v from "valibot";
import { ERROR_MEANINGS, type ErrorCode } from "../../src/foundation/errors.ts";
import { STATUS_OF } from "../errors.ts";
import {
  errorExamples,
  pathIdExample,
  QUERY_EXAMPLES,
  responseExample,
} from "../../src/operations/examples/responses.ts";
import type { Operation } from "../../src/operations/operation.ts";
import type { Components, Json } from "./json-schema.ts";

const REQUEST_ID_HEADER = { "x-request-id": { $ref: "#/components/headers/RequestId" } };
const LIMIT_HEADERS = {
  "ratelimit-limit": { $ref: "#/components/headers/RateLimitLimit" },
  "ratelimit-remaining": { $ref: "#/components/headers/RateLimitRemaining" },
  "ratelimit-reset": { $ref: "#/components/headers/RateLimitReset" },
};

type DescribedResponse = Exclude<Operation["response"], { kind: "file" }>;

/** Converts the schema of an object or of a list's items. */
type Convert = (schema: v.GenericSchema, typeMode: "output") => Json;

export function responseSchema(response: DescribedResponse, convert: Convert): Json {
  const { kind, description } = response;
  const item = convert(response.schema, "output");
  if (kind === "text") return item;
  if (kind === "data") {
    const properties = { data: { ...item, description } };
    return { type: "object", properties, required: ["data"], additionalProperties: false };
  }
  return {
    type: "object",
    properties: {
      object: { const: "list", description: "Always `list`." },
      data: { type: "array", items: item, description },
      has_more: {
        type: "boolean",
        description: "Whether there are more items beyond this page, in the direction of paging.",
      },
    },
    required: ["object", "data", "has_more"],
    additionalProperties: false,
  };
}

const COMMON_ERRORS: readonly ErrorCode[] = ["unauthorized", "rate_limited", "internal_error"];
/** The statuses without rate limit headers (docs/contract.md#response-headers). */
const UNLIMITED_STATUSES: ReadonlySet<number> = new Set([401, 500]);

/** Every operation that changes something can fail for lack of disk space. */
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
  // Every operation refuses unknown query parameters.
  if (!byStatus.has(400)) byStatus.set(400, ["validation_failed"]);
  const responses: Json = {};
  for (const [status, codes] of [...byStatus].sort(([left], [right]) => left - right)) {
    responses[String(status)] = {
      description: describeErrors(codes),
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

function describeErrors(codes: readonly ErrorCode[]): string {
  const lines = codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`);
  return lines.length === 1 ? lines[0]! : lines.map((line) => `- ${line}`).join("\n");
}

/** The codes whose responses may have `retry-after`. */
const MAY_RETRY_LATER: ReadonlySet<ErrorCode> = new Set(["idempotency_in_progress", "pdf_not_ready"]);

function errorHeaders(status: number, codes: readonly ErrorCode[]): Json {
  return {
    ...REQUEST_ID_HEADER,
    ...(UNLIMITED_STATUSES.has(status) ? {} : LIMIT_HEADERS),
    ...(status === 401 ? { "www-authenticate": { $ref: "#/components/headers/WwwAuthenticate" } } : {}),
    ...(status === 429 || codes.some((code) => MAY_RETRY_LATER.has(code))
      ? { "retry-after": { $ref: "#/components/headers/RetryAfter" } }
      : {}),
  };
}

/** The description of `{id}`: the first segment of the path names the kind. */
export function pathDescription(path: string): string {
  const noun = (path.split("/")[1] ?? "").replace(/s$/, "").replaceAll("_", " ");
  return `The id of the ${noun}.`;
}

function describeParameters(operation: Operation): Json[] {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
    description: pathDescription(operation.path),
    example: pathIdExample(operation.path),
  }));
  const inQuery = Object.entries(operation.query).map(([name, field]) => ({
    name,
    in: "query",
    required: field.isRequired === true,
    schema: field.json,
    description: field.description,
    example: field.isRequired === true ? QUERY_EXAMPLES[name] : undefined,
    ...(field.repeats ? { style: "form", explode: true } : {}),
  }));
  if (operation.idempotency === "none") return [...inPath, ...inQuery];
  const isRequired = operation.idempotency === "required";
  const name = isRequired ? "IdempotencyKey" : "OptionalIdempotencyKey";
  return [...inPath, ...inQuery, { $ref: `#/components/parameters/${name}` }];
}

export function describeOperation(operation: Operation, components: Components): Json {
  const { response, body, example } = operation;
  const replayed = { "idempotent-replayed": { $ref: "#/components/headers/IdempotentReplayed" } };
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    parameters: describeParameters(operation),
    requestBody: body && {
      required: operation.isBodyOptional !== true,
      content: {
        "application/json": {
          schema: components.convert(body, "input"),
          example,
        },
      },
    },
    responses: {
      [String(response.status)]: {
        description: response.description,
        headers: {
          ...REQUEST_ID_HEADER,
          ...LIMIT_HEADERS,
          ...(response.status === 201 ? replayed : {}),
          ...(response.kind === "file"
            ? { "content-disposition": { $ref: "#/components/headers/ContentDisposition" } }
            : {}),
        },
        content: describeContent(operation, components),
      },
      ...errorResponses(operation),
    },
  };
}

/** In OpenAPI 3.1 a file has a media type but no schema. */
function describeContent(operation: Operation, components: Components): Json {
  const { response } = operation;
  if (response.kind === "file") return { [response.contentType]: {} };
  const schema = responseSchema(response, (item, mode) => components.convert(item, mode));
  return { "application/json": { schema, example: responseExample(operation) } };
}
