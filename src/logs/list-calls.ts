/** Reads the log of provider calls: one with its bodies, a page of them, or new ones as they arrive. */
import { findBody } from "../../storage/logs/requests.ts";
import {
  type CallFilters,
  findCallRow,
  listCallRows,
  listCallsAfter,
  type ProviderCallRow,
} from "../../storage/logs/calls.ts";
import { isId } from "../../storage/database/ids.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import {
  type Page,
  type PageQuery,
  follow,
  type FollowOptions,
  createdRange,
  pageOf,
  pageRequest,
} from "../foundation/pages.ts";
import { AppError } from "../foundation/errors.ts";
import { openExchange } from "./log-bodies.ts";
import { buildProviderCallObject, type ProviderCallDetail, type ProviderCallObject } from "./log-objects.ts";

interface CallQuery {
  document?: string | undefined;
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}

function filtersOf(mode: Mode, query: CallQuery): CallFilters {
  return { mode, documentId: query.document, created: createdRange(query) };
}

export async function listProviderCalls(
  context: Context,
  mode: Mode,
  query: PageQuery & CallQuery,
): Promise<Page<ProviderCallObject>> {
  const page = await listCallRows(context.store.read, filtersOf(mode, query), pageRequest(query, "pcl"));
  return pageOf(page, query, buildProviderCallObject);
}

/** Yields provider calls as they begin, oldest first. */
export function followProviderCalls(
  context: Context,
  mode: Mode,
  options: CallQuery & FollowOptions,
): AsyncGenerator<ProviderCallObject> {
  const filters = filtersOf(mode, options);
  const fetch = (after: string | undefined, limit: number) =>
    listCallsAfter(context.store.read, filters, after, limit);
  return follow("pcl", options, fetch, buildProviderCallObject);
}

/** Throws `not_found`, also for a call of the other mode. */
export async function getProviderCall(context: Context, mode: Mode, id: string): Promise<ProviderCallDetail> {
  const row = isId(id, "pcl") ? await findCallRow(context.store.read, { id }) : undefined;
  if (row === undefined || row.mode !== mode)
    throw new AppError("not_found", {
      en: "There is no such provider call in this mode",
      el: "Δεν υπάρχει τέτοια κλήση παρόχου σε αυτό το περιβάλλον",
    });
  return { ...buildProviderCallObject(row), ...(await readBodies(context, row)) };
}

type Bodies = Omit<ProviderCallDetail, keyof ProviderCallObject>;

async function readBodies(context: Context, row: ProviderCallRow): Promise<Bodies> {
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
