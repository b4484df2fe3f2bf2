/** Operations on the logs: list and get API requests and provider calls. */
import { getProviderCall, listProviderCalls } from "../../src/logs/list-calls.ts";
import {
  ApiRequestDetailSchema,
  ApiRequestObjectSchema,
  ProviderCallDetailSchema,
  ProviderCallObjectSchema,
} from "../../src/logs/log-objects.ts";
import { getRequest, listRequests } from "../../src/logs/list-requests.ts";
import { data, list, type Operation, operation } from "../operation.ts";
import { CREATED_FIELDS, idField, integerField, PAGE_FIELDS, patternField } from "../query.ts";
import { REQUEST_ID_FORM } from "../../src/foundation/request-id.ts";

const tag = "logs";

export const LOG_OPERATIONS: readonly Operation[] = [
  operation({
    id: "listProviderCalls",
    method: "GET",
    path: "/provider_calls",
    tag,
    summary: "List provider calls",
    description:
      "Lists the requests to providers. `created[gte]` and `created[lte]` filter by the start of the call.",
    query: {
      ...PAGE_FIELDS,
      ...CREATED_FIELDS,
      document: idField("doc", "Only calls about this document."),
    },
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: ProviderCallObjectSchema,
      description: "A page of provider calls, newest first.",
    },
    errors: ["validation_failed"],
    handle: async ({ appliance, mode, query }) => list(await listProviderCalls(appliance, mode, query)),
  }),
  operation({
    id: "getProviderCall",
    method: "GET",
    path: "/provider_calls/{id}",
    tag,
    summary: "Get a provider call with its bodies",
    description: "Shows what was sent to a provider and what it answered, without credentials.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: ProviderCallDetailSchema,
      description: "The call with its request and response, without credentials.",
    },
    errors: ["not_found"],
    async handle({ appliance, mode, params }) {
      const call = await getProviderCall(appliance, mode, params["id"] ?? "");
      return data(call, { merchantId: call.merchant });
    },
  }),
  operation({
    id: "listRequests",
    method: "GET",
    path: "/requests",
    tag,
    summary: "List logged requests",
    description: "Lists the requests to this API, for example those that failed or those about one document.",
    query: {
      ...PAGE_FIELDS,
      ...CREATED_FIELDS,
      status: integerField(100, 599, "Only requests with this HTTP status."),
      operation_id: patternField(
        /^[A-Za-z][A-Za-z0-9]{0,63}$/,
        "Only requests to this operation; an unknown operation matches nothing.",
        {
          en: "must be 1 to 64 letters and digits, starting with a letter",
          el: "πρέπει να είναι 1 έως 64 λατινικά γράμματα και ψηφία, με γράμμα στην αρχή",
        },
      ),
      document: idField("doc", "Only requests that returned this document."),
      request_id: patternField(REQUEST_ID_FORM, "Only requests with this x-request-id.", {
        en: "must be an x-request-id: req_…, client:… or a platform's id",
        el: "πρέπει να είναι x-request-id: req_…, client:… ή id της πλατφόρμας",
      }),
    },
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: ApiRequestObjectSchema,
      description: "A page of logged requests, newest first.",
    },
    errors: ["validation_failed"],
    handle: async ({ appliance, mode, query }) => list(await listRequests(appliance, mode, query)),
  }),
  operation({
    id: "getRequest",
    method: "GET",
    path: "/requests/{id}",
    tag,
    summary: "Get a logged request with its bodies",
    description: "Shows one request to this API and its response, without credentials.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: ApiRequestDetailSchema,
      description: "The request and its response, without credentials.",
    },
    errors: ["not_found"],
    handle: async ({ appliance, mode, params }) =>
      data(await getRequest(appliance, mode, params["id"] ?? "")),
  }),
];
