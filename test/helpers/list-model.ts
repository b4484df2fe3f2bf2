/** A list of the API, ways of adding to it, and a model of what is in it in the order of acceptance. */
import type { ConnectingServer } from "./connecting.ts";

/** What is known of an item without having listed it. */
export type Item = { id: string; created: string } & Record<string, unknown>;

export interface Filter {
  query: string;
  has(item: Item): boolean;
}

export interface ListCase {
  path: string;
  /** Oldest first. */
  model: Item[];
  /** Adds to the list, and perhaps to others; `choice` is from 0 to below `choices`. */
  add(choice: number): Promise<void>;
  choices: number;
  /** As things are now: filters by what the list holds. */
  filters(): Filter[];
  /** Where reading the list is itself noted in it: takes what was read into the model. */
  noteRead?: (requestId: string) => Promise<void>;
}

/** Makes a case on a fresh server. */
export type Make = (server: ConnectingServer) => Promise<ListCase>;

/** No filter. */
export const ALL: Filter = { query: "", has: () => true };

/** From and up to an instant in the middle of what there is. */
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
