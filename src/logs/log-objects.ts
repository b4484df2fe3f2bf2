/** The API objects of provider calls and logged requests (docs/contract.md#provider-calls, docs/contract.md#request-log). */
import * as v from "valibot";
import type { ProviderCallRow } from "../../storage/logs/calls.ts";
import type { RequestRow } from "../../storage/logs/requests.ts";
import { CALL_OPERATIONS, CALL_OUTCOMES, PROVIDERS } from "../../storage/stored-values.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { wireError } from "../foundation/stored-texts.ts";
import { ErrorObjectSchema, idOf, InstantText } from "../foundation/wire.ts";

const HttpStatus = v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599));
const Milliseconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Headers = v.record(v.string(), v.string());

/** The error of a call has no raw body and no `retryable`. */
const { provider_raw: _raw, retryable: _retryable, ...callErrorEntries } = ErrorObjectSchema.entries;

export const ProviderCallObjectSchema = v.strictObject({
  id: idOf("pcl"),
  object: v.literal("provider_call"),
  livemode: v.boolean(),
  provider: v.picklist(PROVIDERS),
  operation: v.picklist(CALL_OPERATIONS),
  purpose: v.picklist(["operation", "auth"]),
  outcome: v.picklist(CALL_OUTCOMES),
  settled_at: v.nullable(InstantText),
  http_status: v.nullable(HttpStatus),
  duration_ms: Milliseconds,
  error: v.nullable(v.strictObject(callErrorEntries)),
  url: v.nullable(v.string()),
  merchant: idOf("mer"),
  document: v.nullable(idOf("doc")),
  connection: v.nullable(idOf("con")),
  started_at: InstantText,
});

export type ProviderCallObject = v.InferOutput<typeof ProviderCallObjectSchema>;

/** A side that exceeds the limit without its body. */
const OmittedSide = v.strictObject({ omitted: v.string() });

export const ProviderCallDetailSchema = v.strictObject({
  ...ProviderCallObjectSchema.entries,
  request: v.nullable(
    v.union([
      v.strictObject({
        method: v.string(),
        url: v.string(),
        headers: Headers,
        body: v.unknown(),
        error: v.optional(v.string()),
      }),
      OmittedSide,
    ]),
  ),
  response: v.nullable(
    v.union([v.strictObject({ status: HttpStatus, headers: Headers, body: v.unknown() }), OmittedSide]),
  ),
  bodies_purged_at: v.nullable(InstantText),
  bodies_unreadable: v.boolean(),
  bodies_withheld: v.boolean(),
});

export type ProviderCallDetail = v.InferOutput<typeof ProviderCallDetailSchema>;

export const ApiRequestObjectSchema = v.strictObject({
  id: idOf("rql"),
  object: v.literal("api_request"),
  request_id: v.string(),
  livemode: v.boolean(),
  source: v.picklist(["api", "mcp"]),
  method: v.string(),
  path: v.string(),
  operation_id: v.nullable(v.string()),
  status: HttpStatus,
  duration_ms: Milliseconds,
  idempotency_key: v.nullable(v.string()),
  merchant: v.nullable(idOf("mer")),
  document: v.nullable(idOf("doc")),
  created: InstantText,
});

export type ApiRequestObject = v.InferOutput<typeof ApiRequestObjectSchema>;

export const ApiRequestDetailSchema = v.strictObject({
  ...ApiRequestObjectSchema.entries,
  request: v.nullable(
    v.union([
      v.strictObject({ method: v.string(), path: v.string(), headers: Headers, body: v.unknown() }),
      OmittedSide,
    ]),
  ),
  response: v.nullable(
    v.union([v.strictObject({ status: HttpStatus, headers: Headers, body: v.unknown() }), OmittedSide]),
  ),
  bodies_purged_at: v.nullable(InstantText),
  bodies_unreadable: v.boolean(),
});

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
