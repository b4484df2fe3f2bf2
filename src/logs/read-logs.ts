/**
 * Reads the logs of API requests and provider calls: one entry with its bodies, a page of them, or new ones as they arrive. Requests are
 * written a moment after the response, so the first two write what is still missing (docs/contract.md#request-log).
 */
import {
  findBody,
  findRequestRow,
  findRequestSlice,
  type RequestRow,
  findCallRow,
  findCallSlice,
  type ProviderCallRow,
} from "../../storage/logs/logs.ts";
import type { Slice } from "../../storage/database/lists.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { bodyIdOf } from "../../storage/upkeep/removal.ts";
import type { Context } from "../journal/context.ts";
import {
  type Page,
  type PageQuery,
  type CreatedQuery,
  createdRange,
  readPage,
  requireInMode,
  follow,
  type FollowOptions,
} from "../foundation/pages.ts";
import { type LoggedExchange, openExchanges } from "./log-bodies.ts";
import {
  type ApiRequestDetail,
  type ApiRequestObject,
  buildApiRequestObject,
  buildProviderCallObject,
  type ProviderCallDetail,
  type ProviderCallObject,
} from "./log-objects.ts";

interface RequestQuery extends CreatedQuery {
  status?: number | undefined;
  operation_id?: string | undefined;
  document?: string | undefined;
  request_id?: string | undefined;
}

function requestsOf(
  context: Context,
  mode: Mode,
  query: RequestQuery,
): (slice: Slice) => Promise<RequestRow[]> {
  const { status, operation_id: operationId, document: documentId, request_id: requestId } = query;
  const filters = { mode, status, operationId, documentId, requestId, created: createdRange(query) };
  return (slice) => findRequestSlice(context.store.read, filters, slice);
}

export async function listRequests(
  context: Context,
  mode: Mode,
  query: PageQuery & RequestQuery,
): Promise<Page<ApiRequestObject>> {
  await context.store.flush();
  return readPage("rql", query, requestsOf(context, mode, query), buildApiRequestObject);
}

/** Yields requests as they are logged, oldest first. */
export function followRequests(
  context: Context,
  mode: Mode,
  options: RequestQuery & FollowOptions,
): AsyncGenerator<ApiRequestObject> {
  return follow("rql", options, requestsOf(context, mode, options), buildApiRequestObject);
}

/** Throws `not_found`, also for a request of the other mode. */
export async function getRequest(context: Context, mode: Mode, id: string): Promise<ApiRequestDetail> {
  await context.store.flush();
  const row = await requireInMode("rql", mode, id, (by) => findRequestRow(context.store.read, by));
  return { ...buildApiRequestObject(row), ...(await readBodies(context, row)) };
}

type Bodies = Omit<ApiRequestDetail, keyof ApiRequestObject>;

/** Renames `url` to `path`, since only the path of requests to this server is known. */
async function readBodies(context: Context, row: RequestRow): Promise<Bodies> {
  const { request, ...others } = await readExchange(context, row, bodyIdOf(row));
  if (request === null || "omitted" in request) return { request, ...others };
  const { method, url, headers, body } = request;
  return { request: { method, path: url, headers, body }, ...others };
}

/** Both sides of the exchange `id` in the bodies `bodyId`, and why they are missing if they are. */
async function readExchange(
  { store }: Context,
  { id, bodies_purged_at }: Pick<RequestRow, "id" | "bodies_purged_at">,
  bodyId: string | null,
) {
  const none: LoggedExchange = { request: null, response: null };
  const body =
    bodyId === null || bodies_purged_at !== null ? undefined : await findBody(store.read, { id: bodyId });
  if (body === undefined) return { ...none, bodies_purged_at, bodies_unreadable: false };
  const kept: StoredExchange | undefined = openExchanges(store.cipher, body)[id];
  if (kept === undefined) return { ...none, bodies_purged_at, bodies_unreadable: true };
  const { request, response, standIn } = kept;
  const isWhole = standIn === undefined || request === null || "omitted" in request;
  return {
    request: isWhole ? request : { ...request, body: standIn },
    response,
    bodies_purged_at,
    bodies_unreadable: false,
  };
}

/**
 * Version 0.2.0 logged the request for an accepted document as its difference from the stored document, and the response without its body,
 * which the document's first event has. Retention deletes the last of these.
 */
type StoredExchange = LoggedExchange & { standIn?: unknown };

interface CallQuery extends CreatedQuery {
  document?: string | undefined;
}

function callsOf(
  context: Context,
  mode: Mode,
  query: CallQuery,
): (slice: Slice) => Promise<ProviderCallRow[]> {
  const filters = { mode, documentId: query.document, created: createdRange(query) };
  return (slice) => findCallSlice(context.store.read, filters, slice);
}

export function listProviderCalls(
  context: Context,
  mode: Mode,
  query: PageQuery & CallQuery,
): Promise<Page<ProviderCallObject>> {
  return readPage("pcl", query, callsOf(context, mode, query), buildProviderCallObject);
}

/** Yields provider calls as they end, oldest first. */
export function followProviderCalls(
  context: Context,
  mode: Mode,
  options: CallQuery & FollowOptions,
): AsyncGenerator<ProviderCallObject> {
  return follow("pcl", options, callsOf(context, mode, options), buildProviderCallObject);
}

/** Throws `not_found`, also for a call of the other mode. */
export async function getProviderCall(context: Context, mode: Mode, id: string): Promise<ProviderCallDetail> {
  const row = await requireInMode("pcl", mode, id, (by) => findCallRow(context.store.read, by));
  return { ...buildProviderCallObject(row), ...(await readCallBodies(context, row)) };
}

type CallBodies = Omit<ProviderCallDetail, keyof ProviderCallObject>;

async function readCallBodies(context: Context, row: ProviderCallRow): Promise<CallBodies> {
  const id = row.body_id;
  const exchange = await readExchange(context, { ...row, id: id ?? row.id }, id);
  return { ...exchange, bodies_withheld: row.purpose === "auth" };
}
