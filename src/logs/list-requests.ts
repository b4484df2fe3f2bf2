/**
 * Reads the log of API requests: one with its bodies, a page of them, or new ones as they arrive. Entries are written a moment after
 * the response, so the first two write what is still missing (docs/contract.md#request-log).
 */
import { findBody } from "../../storage/logs/bodies.ts";
import { isId } from "../../storage/database/ids.ts";
import {
  findRequestRow,
  listRequestRows,
  listRequestsAfter,
  type RequestFilters,
  type RequestRow,
} from "../../storage/logs/requests.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { bodyIdOf } from "../../storage/upkeep/retention.ts";
import type { Context } from "../journal/context.ts";
import type { Page, PageQuery } from "../foundation/pages.ts";
import { AppError } from "../foundation/errors.ts";
import { follow, type FollowOptions } from "../foundation/follow.ts";
import { createdRange, pageOf, pageRequest } from "../foundation/pages.ts";
import { type LoggedExchange, openExchanges } from "./log-bodies.ts";
import { type ApiRequestDetail, type ApiRequestObject, buildApiRequestObject } from "./log-objects.ts";
import { type LoggedRequest, restoreBodies } from "./stand-in.ts";

interface RequestQuery {
  status?: number | undefined;
  operation_id?: string | undefined;
  document?: string | undefined;
  request_id?: string | undefined;
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}

function filtersOf(mode: Mode, query: RequestQuery): RequestFilters {
  return {
    mode,
    status: query.status,
    operationId: query.operation_id,
    documentId: query.document,
    requestId: query.request_id,
    created: createdRange(query),
  };
}

export async function listRequests(
  context: Context,
  mode: Mode,
  query: PageQuery & RequestQuery,
): Promise<Page<ApiRequestObject>> {
  await context.store.flush();
  const page = await listRequestRows(context.store.read, filtersOf(mode, query), pageRequest(query, "rql"));
  return pageOf(page, query, buildApiRequestObject);
}

/** Yields requests as they are logged, oldest first. */
export function followRequests(
  context: Context,
  mode: Mode,
  options: RequestQuery & FollowOptions,
): AsyncGenerator<ApiRequestObject> {
  const filters = filtersOf(mode, options);
  const fetch = (after: string | undefined, limit: number) =>
    listRequestsAfter(context.store.read, filters, after, limit);
  return follow("rql", options, fetch, buildApiRequestObject);
}

/** Throws `not_found`, also for a request of the other mode. */
export async function getRequest(context: Context, mode: Mode, id: string): Promise<ApiRequestDetail> {
  await context.store.flush();
  const row = isId(id, "rql") ? await findRequestRow(context.store.read, { id }) : undefined;
  if (row === undefined || row.mode !== mode)
    throw new AppError("not_found", {
      en: "There is no such request in this mode",
      el: "Δεν υπάρχει τέτοιο αίτημα σε αυτό το περιβάλλον",
    });
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
