/** The API objects of provider calls and logged requests (docs/contract.md#provider-calls, docs/contract.md#request-log). */
import * as v from "valibot";
import type { ProviderCallRow, RequestRow } from "../../storage/logs/logs.ts";
import { CALL_OPERATIONS, CALL_OUTCOMES } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { wireError } from "../foundation/stored-texts.ts";
import {
  CreatedField,
  ErrorObjectSchema,
  idOf,
  InstantText,
  LiveModeField,
  objectName,
  ProviderField,
} from "../foundation/wire.ts";

const statusCode = v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599));
const milliseconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const StatusField = described(statusCode, "The HTTP status.");
const MethodField = described(v.string(), "The HTTP method.");
const HeadersField = described(v.record(v.string(), v.string()), "The HTTP headers, without credentials.");
const BodyField = described(
  v.unknown(),
  "The body, as JSON or text, without credentials. Over 64 KB it is text that ends with a note of its size.",
);

/** The error of a call has no raw body and no `retryable`. */
const { provider_raw: _raw, retryable: _retryable, ...callErrorEntries } = ErrorObjectSchema.entries;

const CALL_FIELDS = {
  id: idOf("pcl"),
  object: objectName("provider_call"),
  livemode: LiveModeField,
  provider: ProviderField,
  operation: described(
    v.picklist(CALL_OPERATIONS),
    "What the call was for: `issue`, `status`, `fetchPdf`, `lookup`, `verify`, `cancel` or `onboard`.",
  ),
  purpose: described(
    v.picklist(["operation", "auth"]),
    "`operation`: the call itself; `auth`: a login that it needed.",
  ),
  outcome: described(
    v.picklist(CALL_OUTCOMES),
    "`ok`; `rejected`: refused; `transient`: nothing was done, so it can be sent again; `unknown`: it may have had an effect; `not_supported`: the provider has no such operation.",
  ),
  settled_at: described(
    v.nullable(InstantText),
    "When it became clear what an unknown call had done, in UTC; null until then.",
  ),
  http_status: described(v.nullable(statusCode), "The HTTP status of the response; null without a response."),
  duration_ms: described(milliseconds, "How long the call took, in milliseconds."),
  error: described(v.nullable(v.strictObject(callErrorEntries)), "Why the call failed; null on success."),
  url: described(
    v.nullable(v.string()),
    "The address that was called, without its query; null if there was none.",
  ),
  merchant: idOf("mer"),
  document: described(
    v.nullable(idOf("doc")),
    "The document that the call was about; null if there was none.",
  ),
  connection: described(v.nullable(idOf("con")), "The connection that was used; null for the sandbox."),
  started_at: described(InstantText, "When the call started, in UTC."),
};

export const ProviderCallObjectSchema = component(
  "ProviderCall",
  "A call that the service made to a provider.",
  v.strictObject(CALL_FIELDS),
);

export type ProviderCallObject = v.InferOutput<typeof ProviderCallObjectSchema>;

/** A side that exceeds the limit without its body. */
const OmittedSide = v.strictObject({
  omitted: described(v.string(), "Why nothing was kept: even the headers were too long."),
});

/** The request or the response. */
function side<const Entries extends v.ObjectEntries>(name: string, entries: Entries) {
  return described(
    v.nullable(v.union([v.strictObject(entries), OmittedSide])),
    `The ${name}. Null if none was kept, once its retention has ended, or if it cannot be decrypted.`,
  );
}

const ResponseField = side("response", { status: StatusField, headers: HeadersField, body: BodyField });

const BODIES_FIELDS = {
  bodies_purged_at: described(
    v.nullable(InstantText),
    "When the request and the response were deleted, in UTC; null while they are kept.",
  ),
  bodies_unreadable: described(
    v.boolean(),
    "Whether the request and the response cannot be decrypted, because the master key is another one.",
  ),
};

export const ProviderCallDetailSchema = component(
  "ProviderCallDetail",
  "A provider call with its request and response.",
  v.strictObject({
    ...CALL_FIELDS,
    request: side("request", {
      method: MethodField,
      url: described(v.string(), "The whole address, without credentials."),
      headers: HeadersField,
      body: BodyField,
      error: v.optional(described(v.string(), "Why there was no response.")),
    }),
    response: ResponseField,
    ...BODIES_FIELDS,
    bodies_withheld: described(
      v.boolean(),
      "Whether the request and the response are never kept, because the call was a login.",
    ),
  }),
);

export type ProviderCallDetail = v.InferOutput<typeof ProviderCallDetailSchema>;

const REQUEST_FIELDS = {
  id: idOf("rql"),
  object: objectName("api_request"),
  request_id: described(
    v.string(),
    "The `x-request-id`. Not unique: a tool call logs two requests under one id.",
  ),
  livemode: LiveModeField,
  source: described(v.picklist(["api", "mcp"]), "`api`: a call of this API; `mcp`: a tool call."),
  method: MethodField,
  path: described(v.string(), "The path of the operation, such as `/api/v1/documents/{id}`."),
  operation_id: described(
    v.nullable(v.string()),
    "The operation, such as `getDocument`; null if none matched.",
  ),
  status: StatusField,
  duration_ms: described(milliseconds, "How long it took until the response began, in milliseconds."),
  idempotency_key: described(v.nullable(v.string()), "The `Idempotency-Key`; null without one."),
  merchant: described(
    v.nullable(idOf("mer")),
    "The merchant that the request was about; null if there was none.",
  ),
  document: described(v.nullable(idOf("doc")), "The document in the response; null if there was none."),
  created: described(CreatedField, "When the request arrived, in UTC."),
};

export const ApiRequestObjectSchema = component(
  "ApiRequest",
  "A logged request to this API.",
  v.strictObject(REQUEST_FIELDS),
);

export type ApiRequestObject = v.InferOutput<typeof ApiRequestObjectSchema>;

export const ApiRequestDetailSchema = component(
  "ApiRequestDetail",
  "A logged request with its body and the response.",
  v.strictObject({
    ...REQUEST_FIELDS,
    request: side("request", {
      method: MethodField,
      path: described(v.string(), "The path with its query, as requested."),
      headers: HeadersField,
      body: BodyField,
    }),
    response: ResponseField,
    ...BODIES_FIELDS,
  }),
);

export type ApiRequestDetail = v.InferOutput<typeof ApiRequestDetailSchema>;

/** The error as `endCall` stores it. */
type StoredCallError = NonNullable<ProviderCallObject["error"]> & Pick<ErrorObject, "message_el">;

export function buildProviderCallObject(row: ProviderCallRow): ProviderCallObject {
  return {
    id: row.id,
    object: "provider_call",
    livemode: row.mode === "live",
    provider: row.provider,
    operation: row.operation,
    purpose: row.purpose,
    outcome: row.outcome,
    settled_at: row.settled_at,
    http_status: row.http_status,
    duration_ms: row.duration_ms,
    error: row.error_json === null ? null : wireError(readJson<StoredCallError>(row.error_json)),
    url: row.url,
    merchant: row.merchant_id,
    document: row.document_id,
    connection: row.connection_id,
    started_at: row.started_at,
  };
}

export function buildApiRequestObject(row: RequestRow): ApiRequestObject {
  return {
    id: row.id,
    object: "api_request",
    request_id: row.request_id,
    livemode: row.mode === "live",
    source: row.source,
    method: row.method,
    path: row.path,
    operation_id: row.operation_id,
    status: row.status,
    duration_ms: row.duration_ms,
    idempotency_key: row.idempotency_key,
    merchant: row.merchant_id,
    document: row.document_id,
    created: row.created_at,
  };
}
