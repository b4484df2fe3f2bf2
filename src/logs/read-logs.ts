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
import { type LoggedExchange, openExchanges, buildLoggedBody, openExchange } from "./log-bodies.ts";
import {
  type ApiRequestDetail,
  type ApiRequestObject,
  buildApiRequestObject,
  buildProviderCallObject,
  type ProviderCallDetail,
  type ProviderCallObject,
} from "./log-objects.ts";
import { findDocumentInput } from "../../storage/documents/documents.ts";
import { findFirstEvent } from "../../storage/journal/events.ts";
import { readJson } from "../foundation/json.ts";

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

async function readBodies(context: Context, row: RequestRow): Promise<Bodies> {
  const none = {
    request: null,
    response: null,
    bodies_purged_at: row.bodies_purged_at,
    bodies_unreadable: false,
  };
  if (row.bodies_purged_at !== null) return none;
  const { read } = context.store;
  const body = await findBody(read, { id: bodyIdOf(row) });
  if (body === undefined) return none;
  const kept = openExchanges(read.cipher, body)[row.id] as LoggedRequest | undefined;
  if (kept === undefined) return { ...none, bodies_unreadable: true };
  return { ...none, ...buildSides(await restoreBodies(context, row, kept)) };
}

/** Renames `url` to `path`, since only the path of requests to this server is known. */
function buildSides({ request, response }: LoggedExchange): Pick<ApiRequestDetail, "request" | "response"> {
  if (request === null || "omitted" in request) return { request, response };
  const { method, url, headers, body } = request;
  return { request: { method, path: url, headers, body }, response };
}

type Key = string | number;

/** Paths, each with the value sent there. Without a second element, nothing was sent at the path. */
type Difference = [path: Key[], sent?: unknown][];

/**
 * Version 0.2.0 logged the bodies of an accepted document as a stand-in: its difference from the stored document. Both bodies are null
 * then, and the response is the snapshot of the document's first event. Retention deletes the last of these.
 */
type LoggedRequest = LoggedExchange & {
  standIn?: {
    /** The other members of the request. */
    around: Record<string, unknown>;
    difference: Difference;
  };
};

/** The exchange with its bodies. */
async function restoreBodies(
  context: Context,
  row: RequestRow,
  { standIn, request, response }: LoggedRequest,
): Promise<LoggedExchange> {
  if (standIn === undefined) return { request, response };
  const { around, difference } = standIn;
  const { read } = context.store;
  const documentId = row.document_id ?? "";
  const input = await findDocumentInput(read, documentId);
  const first = await findFirstEvent(read, { documentId });
  const hasBoth = input !== undefined && first?.type === "document.created";
  if (!hasBoth) throw new Error(`The document ${documentId} of the request ${row.id} is missing`);
  const document = applyDifference(readJson(input.input_json), difference);
  return {
    request:
      request === null || "omitted" in request ? request : { ...request, body: { ...around, document } },
    response:
      response === null || "omitted" in response
        ? response
        : { ...response, body: buildLoggedBody(`{"data":${first.object_json}}`, true) },
  };
}

/** Applies the changes to `kept`, which is modified, and returns the result. */
function applyDifference(kept: unknown, difference: Difference): unknown {
  let whole = kept;
  for (const [path, ...sent] of difference) {
    const last = path.at(-1);
    if (last === undefined) {
      whole = sent[0];
      continue;
    }
    const place = path.slice(0, -1).reduce((value, key) => (value as Record<Key, unknown>)[key], whole);
    const object = place as Record<Key, unknown>;
    if (sent.length === 0) delete object[last];
    else
      Object.defineProperty(object, last, {
        value: sent[0],
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return whole;
}

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
  const none = {
    request: null,
    response: null,
    bodies_purged_at: row.bodies_purged_at,
    bodies_unreadable: false,
    bodies_withheld: row.purpose === "auth",
  };
  if (row.body_id === null || row.bodies_purged_at !== null) return none;
  const body = await findBody(context.store.read, { id: row.body_id });
  if (body === undefined) return none;
  const exchange = openExchange(context.store.cipher, body.id, body.sealed);
  if (exchange === undefined) return { ...none, bodies_unreadable: true };
  return { ...none, request: exchange.request, response: exchange.response };
}
