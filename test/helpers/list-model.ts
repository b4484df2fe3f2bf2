/** A list of the API, ways of adding to it, and a model of its items in order of acceptance. */
import type { ConnectingServer } from "./connecting.ts";

/** What is known of an item without listing it. */
export type Item = { id: string; created: string } & Record<string, unknown>;

export interface Filter {
  query: string;
  has(item: Item): boolean;
}

export interface ListCase {
  path: string;
  /** Oldest first. */
  model: Item[];
  /** Adds to the list, and perhaps to others; `choice` is at least 0 and less than `choices`. */
  add(choice: number): Promise<void>;
  choices: number;
  /** Filters for the list's current items. */
  filters(): Filter[];
  /** For lists that record their own reading: adds those records to the model. */
  noteRead?: (requestId: string) => Promise<void>;
}

/** Creates a case on a new server. */
export type Make = (server: ConnectingServer) => Promise<ListCase>;

/** A query that everything fits. */
export const every = (query: string): Filter => ({ query, has: () => true });
export const none = (query: string): Filter => ({ query, has: () => false });

/** The items with these values, which the query has under the same names unless it is given. */
export const by = (
  values: Record<string, string | number | boolean>,
  query = Object.entries(values)
    .map((pair) => pair.join("="))
    .join("&"),
): Filter => ({
  query,
  has: (item) => Object.entries(values).every(([name, value]) => item[name] === value),
});

/** Between two instants in the middle of the list. */
export function createdFilters(model: readonly Item[]): Filter[] {
  const middle = model[Math.floor(model.length / 2)]?.created ?? "2026-11-21T00:00:00.000Z";
  return [
    { query: `created[gte]=${middle}`, has: ({ created }) => created >= middle },
    { query: `created[lte]=${middle}`, has: ({ created }) => created <= middle },
  ];
}

let count = 0;
export const unique = () => `walk-${(count += 1)}`;

export async function create(server: ConnectingServer, path: string, body: unknown): Promise<Item> {
  const reply = await server.post(path, body);
  if (reply.status !== 201) throw new Error(`POST ${path}: ${reply.text}`);
  return reply.body.data;
}

export const merchant = (server: ConnectingServer, extra: object = {}) =>
  create(server, "/api/v1/merchants", { external_id: unique(), name: "x", ...extra });
