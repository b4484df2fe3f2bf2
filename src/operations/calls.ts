/** Operations on provider calls, the log of requests to providers. */
import { providerName } from "../domain/document-codes.ts";
import * as log from "../logs/read-logs.ts";
import {
  ProviderCallDetailSchema,
  type ProviderCallObject,
  ProviderCallObjectSchema,
} from "../logs/log-objects.ts";
import { createdFields, field, idField, PAGE_FIELDS } from "./field.ts";
import { data, list, operation } from "./operation.ts";
import { errorRows, instantText, LABELS, optionalInstantText, wordText } from "./view.ts";

const tag = "logs";

/** `200`, or `-` without a response. */
function statusOf({ http_status: status }: ProviderCallObject): string {
  return status === null ? "-" : String(status);
}

/** `issue`, or `issue (auth)` for a login that the operation needed. */
function operationOf({ operation: name, purpose }: ProviderCallObject): string {
  return purpose === "auth" ? `${name} (auth)` : name;
}

export const listProviderCalls = operation({
  id: "listProviderCalls",
  method: "GET",
  path: "/provider_calls",
  tag,
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
  response: {
    kind: "list",
    schema: ProviderCallObjectSchema,
    description: "A page of provider calls, newest first.",
  },
  verb: {
    summary: { en: "list provider calls, newest first", el: "κλήσεις προς παρόχους, πρώτα οι νεότερες" },
    examples: ["fiscal calls list --created-from 2025-11-01 --all"],
  },
  table: {
    none: { en: "No provider calls.", el: "Δεν υπάρχουν κλήσεις." },
    columns: [
      { head: { en: "started", el: "έναρξη" }, value: (call) => instantText(call.started_at) },
      { head: LABELS.provider, leaveOut: 3, value: (call) => providerName(call.provider) },
      { head: LABELS.operation, value: operationOf },
      { head: { en: "outcome", el: "έκβαση" }, value: (call) => wordText(call.outcome) },
      { head: LABELS.status, leaveOut: 4, align: "right", value: statusOf },
      { head: "ms", leaveOut: 1, align: "right", value: (call) => String(call.duration_ms) },
      { head: LABELS.document, leaveOut: 5, value: (call) => call.document ?? "-" },
      { head: "id", leaveOut: 2, value: (call) => call.id },
    ],
  },
  tail: {
    summary: {
      en: "print calls as they end, until interrupted",
      el: "τυπώνει τις κλήσεις καθώς ολοκληρώνονται, μέχρι να διακοπεί",
    },
    after: { en: "start with the calls after this one", el: "ξεκινά από τις κλήσεις μετά από αυτή" },
    fromStart: { en: "start with the oldest call", el: "ξεκινά από την παλαιότερη κλήση" },
    example: "fiscal calls tail --json",
    started: {
      en: "Following the provider calls; Ctrl-C ends it.",
      el: "Παρακολουθούνται οι κλήσεις προς τον πάροχο· σταματά με Ctrl-C.",
    },
    follow: log.followProviderCalls,
    line: (call, when) =>
      [
        when(call.started_at),
        providerName(call.provider).padEnd(15),
        operationOf(call).padEnd(13),
        call.outcome.padEnd(9),
        statusOf(call).padStart(3),
        `${call.duration_ms} ms`,
        call.document ?? "-",
        call.id,
      ].join("  "),
  },
  handle: async ({ context, mode, query }) => list(await log.listProviderCalls(context, mode, query)),
});

export const getProviderCall = operation({
  id: "getProviderCall",
  method: "GET",
  path: "/provider_calls/{id}",
  tag,
  summary: "Get a provider call with its bodies",
  description: "Shows what was sent to a provider and what it answered, without credentials.",
  response: {
    schema: ProviderCallDetailSchema,
    description: "The call with its request and response, without credentials.",
  },
  verb: {
    argument: "call",
    summary: {
      en: "show one call with its request and response, without credentials",
      el: "μία κλήση με όσα στάλθηκαν και όσα επέστρεψαν, χωρίς διαπιστευτήρια",
    },
    examples: ["fiscal calls show pcl_… --json"],
  },
  rows: (call) => [
    ["id", call.id],
    [LABELS.provider, `${providerName(call.provider)} (${call.livemode ? "live" : "test"})`],
    [LABELS.operation, operationOf(call)],
    [{ en: "outcome", el: "έκβαση" }, wordText(call.outcome)],
    [LABELS.status, call.http_status],
    [LABELS.duration, `${call.duration_ms} ms`],
    [{ en: "started", el: "έναρξη" }, instantText(call.started_at)],
    [{ en: "settled", el: "ολοκλήρωση" }, optionalInstantText(call.settled_at)],
    ["url", call.url],
    [LABELS.merchant, call.merchant],
    [LABELS.document, call.document],
    [{ en: "connection", el: "σύνδεση" }, call.connection],
    ...errorRows(call.error),
  ],
  async handle({ context, mode, params }) {
    const call = await log.getProviderCall(context, mode, params["id"] ?? "");
    return data(call, { merchantId: call.merchant });
  },
});
