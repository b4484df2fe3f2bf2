/** Operations on the log of API requests. */
import { REQUEST_ID_FORM } from "../foundation/wire.ts";
import * as log from "../logs/read-logs.ts";
import { ApiRequestDetailSchema, ApiRequestObjectSchema } from "../logs/log-objects.ts";
import { createdFields, field, idField, integerField, PAGE_FIELDS, patternField } from "./field.ts";
import { countText, instantText, LABELS } from "./view.ts";
import { data, list, localOperation, operation } from "./operation.ts";

const tag = "logs";

export const listRequests = operation({
  id: "listRequests",
  method: "GET",
  path: "/requests",
  tag,
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
  response: {
    kind: "list",
    schema: ApiRequestObjectSchema,
    description: "A page of logged requests, newest first.",
  },
  verb: {
    summary: { en: "list API requests, newest first", el: "αιτήματα του API, πρώτα τα νεότερα" },
    examples: ["fiscal requests list --status 422 --created-from 2025-11-01"],
  },
  table: {
    none: { en: "No requests.", el: "Δεν υπάρχουν αιτήματα." },
    columns: [
      { head: LABELS.created, value: (request) => instantText(request.created) },
      {
        head: LABELS.operation,
        value: (request) => request.operation_id ?? `${request.method} ${request.path}`,
      },
      { head: LABELS.status, align: "right", value: (request) => String(request.status) },
      { head: "ms", leaveOut: 1, align: "right", value: (request) => countText(request.duration_ms) },
      { head: LABELS.document, leaveOut: 3, value: (request) => request.document ?? "-" },
      { head: "id", leaveOut: 2, value: (request) => request.id },
    ],
  },
  tail: {
    summary: {
      en: "print requests as they are answered, until interrupted",
      el: "τυπώνει αιτήματα καθώς απαντώνται, μέχρι να διακοπεί",
    },
    after: { en: "start with the requests after this one", el: "ξεκινά από τα αιτήματα μετά από αυτό" },
    fromStart: { en: "start with the oldest request", el: "ξεκινά από το παλαιότερο αίτημα" },
    example: "fiscal requests tail --operation issueDocument --json",
    started: {
      en: "Following the requests; Ctrl-C ends it.",
      el: "Παρακολουθούνται τα αιτήματα· σταματά με Ctrl-C.",
    },
    follow: log.followRequests,
    line: (request, when) =>
      [
        when(request.created),
        String(request.status),
        `${request.duration_ms} ms`.padStart(7),
        `${request.method} ${request.path}`,
        request.document ?? "-",
        request.request_id,
      ].join("  "),
  },
  handle: async ({ context, mode, query }) => list(await log.listRequests(context, mode, query)),
});

export const getRequest = operation({
  id: "getRequest",
  method: "GET",
  path: "/requests/{id}",
  tag,
  summary: "Get a logged request with its bodies",
  description: "Shows one request to this API and its response, without credentials.",
  response: {
    schema: ApiRequestDetailSchema,
    description: "The request and its response, without credentials.",
  },
  rows: (request) => [
    ["id", request.id],
    ["x-request-id", request.request_id],
    [{ en: "request", el: "αίτημα" }, `${request.method} ${request.path}`],
    [LABELS.operation, request.operation_id],
    [LABELS.status, request.status],
    [LABELS.duration, `${request.duration_ms} ms`],
    [{ en: "idempotency key", el: "κλειδί επανάληψης" }, request.idempotency_key],
    [{ en: "source", el: "πηγή" }, `${request.source} (${request.livemode ? "live" : "test"})`],
    [LABELS.merchant, request.merchant],
    [LABELS.document, request.document],
    [LABELS.created, instantText(request.created)],
  ],
  handle: async ({ context, mode, params }) => data(await log.getRequest(context, mode, params["id"] ?? "")),
});

/** A request with everything that it caused. */
export const traceRequest = localOperation({
  id: "traceRequest",
  answers: "one",
  fields: [...Object.keys(ApiRequestDetailSchema.entries), "requests", "provider_calls", "events"],
  verb: {
    argument: "request",
    summary: {
      en: "show a request with its response, document, provider calls and events, by id or x-request-id",
      el: "ένα αίτημα με την απάντηση, το παραστατικό, τις κλήσεις και τα συμβάντα του, με id ή x-request-id",
    },
    examples: ["fiscal requests show req_…", "fiscal requests show rql_… --json"],
  },
  async handle({ context, mode, params }) {
    const traces = await import("../documents/trace-request.ts");
    return data(await traces.traceRequest(context, mode, params["id"] ?? ""));
  },
});
