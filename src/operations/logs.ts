/** Operations on the logs: the requests to this API, and the calls to providers. */
import * as log from "../logs/read-logs.ts";
import { providerName } from "../domain/document-codes.ts";
import {
  type ApiRequestDetail,
  ApiRequestDetailSchema,
  type ApiRequestObject,
  ApiRequestObjectSchema,
  type ProviderCallDetail,
  ProviderCallDetailSchema,
  type ProviderCallObject,
  ProviderCallObjectSchema,
} from "../logs/log-objects.ts";
import { createdFields, field, idField, integerField, PAGE_FIELDS, patternField } from "./field.ts";
import { data, list, localOperation, operationsOf } from "./operation.ts";
import {
  type Column,
  countText,
  errorRows,
  instantText,
  LABELS,
  optionalInstantText,
  rowsFrom,
  wordText,
} from "./view.ts";
import { REQUEST_ID_FORM } from "../foundation/wire.ts";

const operation = operationsOf("logs");

/** `200`, or `-` without a response. */
function statusOf({ http_status: status }: ProviderCallObject): string {
  return status === null ? "-" : String(status);
}

/** `issue`, or `issue (auth)` for a login that the operation needed. */
function operationOf({ operation: name, purpose }: ProviderCallObject): string {
  return purpose === "auth" ? `${name} (auth)` : name;
}

const CALL_COLUMNS: readonly Column<ProviderCallObject>[] = [
  { head: { en: "started", el: "έναρξη" }, value: (call) => instantText(call.started_at) },
  { head: LABELS.provider, leaveOut: 3, value: (call) => providerName(call.provider) },
  { head: LABELS.operation, value: operationOf },
  { head: { en: "outcome", el: "έκβαση" }, value: (call) => wordText(call.outcome) },
  { head: LABELS.status, leaveOut: 4, align: "right", value: statusOf },
  { head: "ms", leaveOut: 1, align: "right", value: (call) => String(call.duration_ms) },
  { head: LABELS.document, leaveOut: 5, value: (call) => call.document ?? "-" },
  { head: "id", leaveOut: 2, value: (call) => call.id },
];

export const listProviderCalls = operation({
  id: "listProviderCalls",
  method: "GET",
  path: "/provider_calls",
  summary: "List provider calls",
  description:
    "Lists the requests to providers. `created[gte]` and `created[lte]` filter by the start of the call.",
  query: {
    ...PAGE_FIELDS,
    ...createdFields({ en: "begun", el: "που άρχισαν" }),
    document: field(idField("doc", "Only calls about this document."), LABELS.document, "document <id>", {
      en: "only for this document",
      el: "μόνο για αυτό το παραστατικό",
    }),
  },
  response: ProviderCallObjectSchema,
  verb: {
    summary: { en: "list provider calls, newest first", el: "κλήσεις προς παρόχους, πρώτα οι νεότερες" },
    examples: ["fiscal calls list --created-from 2025-11-01 --all"],
  },
  table: {
    none: { en: "No provider calls.", el: "Δεν υπάρχουν κλήσεις." },
    columns: CALL_COLUMNS,
  },
  tail: {
    summary: {
      en: "print calls as they end, until interrupted",
      el: "τυπώνει τις κλήσεις καθώς ολοκληρώνονται, μέχρι να διακοπεί",
    },
    example: "fiscal calls tail --json",
    follow: log.followProviderCalls,
  },
  handle: async ({ context, mode, query }) => list(await log.listProviderCalls(context, mode, query)),
});

export const getProviderCall = operation({
  id: "getProviderCall",
  method: "GET",
  path: "/provider_calls/{id}",
  summary: "Get a provider call with its bodies",
  description: "Shows what was sent to a provider and what it answered, without credentials.",
  response: ProviderCallDetailSchema,
  verb: {
    argument: "call",
    summary: {
      en: "show one call with its request and response, without credentials",
      el: "μία κλήση με όσα στάλθηκαν και όσα επέστρεψαν, χωρίς διαπιστευτήρια",
    },
    examples: ["fiscal calls show pcl_… --json"],
  },
  rows: rowsFrom<ProviderCallDetail>(CALL_COLUMNS, (call) => [
    [LABELS.mode, wordText(call.livemode ? "live" : "test")],
    [{ en: "settled", el: "ολοκλήρωση" }, optionalInstantText(call.settled_at)],
    ["url", call.url],
    [LABELS.merchant, call.merchant],
    [{ en: "connection", el: "σύνδεση" }, call.connection],
    ...errorRows(call.error),
  ]),
  handle: async ({ context, mode, id }) => data(await log.getProviderCall(context, mode, id)),
});

const REQUEST_COLUMNS: readonly Column<ApiRequestObject>[] = [
  { head: LABELS.created, value: (request) => instantText(request.created) },
  {
    head: LABELS.operation,
    value: (request) => request.operation_id ?? `${request.method} ${request.path}`,
  },
  { head: LABELS.status, align: "right", value: (request) => String(request.status) },
  { head: "ms", leaveOut: 1, align: "right", value: (request) => countText(request.duration_ms) },
  { head: LABELS.document, leaveOut: 3, value: (request) => request.document ?? "-" },
  { head: "id", leaveOut: 2, value: (request) => request.id },
];

export const listRequests = operation({
  id: "listRequests",
  method: "GET",
  path: "/requests",
  summary: "List logged requests",
  description: "Lists the requests to this API, for example those that failed or those about one document.",
  query: {
    ...PAGE_FIELDS,
    ...createdFields({ en: "received", el: "έφτασαν" }),
    status: field(
      integerField(100, 599, "Only requests with this HTTP status."),
      LABELS.status,
      "status <code>",
      { en: "only with this HTTP status", el: "απαντήθηκαν με αυτόν τον κωδικό HTTP" },
    ),
    operation_id: field(
      patternField(
        /^[A-Za-z][A-Za-z0-9]{0,63}$/,
        "Only requests to this operation; an unknown operation matches nothing.",
        {
          en: "must be 1 to 64 letters and digits, starting with a letter",
          el: "πρέπει να είναι 1 έως 64 λατινικά γράμματα και ψηφία, με γράμμα στην αρχή",
        },
      ),
      LABELS.operation,
      "operation <id>",
      {
        en: "only of this operation, for example issueDocument",
        el: "αυτής της λειτουργίας του API, για παράδειγμα issueDocument",
      },
    ),
    document: field(
      idField("doc", "Only requests that returned this document."),
      LABELS.document,
      "document <id>",
      { en: "only those that returned this document", el: "που απάντησαν με αυτό το παραστατικό" },
    ),
    request_id: field(
      patternField(REQUEST_ID_FORM, "Only requests with this x-request-id.", {
        en: "must be an x-request-id: req_…, client:… or a platform's id",
        el: "πρέπει να είναι x-request-id: req_…, client:… ή id της πλατφόρμας",
      }),
      { en: "x-request-id", el: "x-request-id" },
      "request-id <id>",
      { en: "only with this x-request-id", el: "με αυτό το x-request-id" },
    ),
  },
  response: ApiRequestObjectSchema,
  verb: {
    summary: { en: "list API requests, newest first", el: "αιτήματα του API, πρώτα τα νεότερα" },
    examples: ["fiscal requests list --status 422 --created-from 2025-11-01"],
  },
  table: {
    none: { en: "No requests.", el: "Δεν υπάρχουν αιτήματα." },
    columns: REQUEST_COLUMNS,
  },
  tail: {
    summary: {
      en: "print requests as they are answered, until interrupted",
      el: "τυπώνει αιτήματα καθώς απαντώνται, μέχρι να διακοπεί",
    },
    example: "fiscal requests tail --operation issueDocument --json",
    follow: log.followRequests,
  },
  handle: async ({ context, mode, query }) => list(await log.listRequests(context, mode, query)),
});

export const getRequest = operation({
  id: "getRequest",
  method: "GET",
  path: "/requests/{id}",
  summary: "Get a logged request with its bodies",
  description: "Shows one request to this API and its response, without credentials.",
  response: ApiRequestDetailSchema,
  rows: rowsFrom<ApiRequestDetail>(REQUEST_COLUMNS, (request) => [
    ["x-request-id", request.request_id],
    [{ en: "request", el: "αίτημα" }, `${request.method} ${request.path}`],
    [{ en: "idempotency key", el: "κλειδί επανάληψης" }, request.idempotency_key],
    [{ en: "source", el: "πηγή" }, `${request.source} (${request.livemode ? "live" : "test"})`],
    [LABELS.merchant, request.merchant],
  ]),
  handle: async ({ context, mode, id }) => data(await log.getRequest(context, mode, id)),
});

/** A request with everything that it caused. */
export const traceRequest = localOperation({
  id: "traceRequest",
  fields: [...Object.keys(ApiRequestDetailSchema.entries), "requests", "provider_calls", "events"],
  verb: {
    argument: "request",
    summary: {
      en: "show a request with its response, document, provider calls and events, by id or x-request-id",
      el: "ένα αίτημα με την απάντηση, το παραστατικό, τις κλήσεις και τα συμβάντα του, με id ή x-request-id",
    },
    examples: ["fiscal requests show req_…", "fiscal requests show rql_… --json"],
  },
  async handle({ context, mode, id }) {
    const traces = await import("../documents/trace-request.ts");
    return data(await traces.traceRequest(context, mode, id));
  },
});
