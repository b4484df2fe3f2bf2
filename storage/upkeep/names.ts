/**
 * Finds rows by the beginning of their id or name, for shell completion. Each query reads one index from one end, so that it
 * costs the same however much is stored.
 */
import { type RawBuilder, sql } from "kysely";
import type { Mode } from "../stored-values.ts";
import { peek } from "../sqlite/open-sqlite.ts";

export interface NamedRow {
  id: string;
  /** The name that users gave it; null if it has none. */
  name: string | null;
  about: string | null;
}

export interface NameQuery {
  /** Ignored for merchants and keys. */
  mode: Mode;
  /** The beginning of the id or name; empty for the newest rows. */
  prefix: string;
  limit: number;
}

export type NamedTable = keyof typeof BUILDERS;

/**
 * Rows of `table` whose id or name begins with the prefix. Found by id, they are sorted newest first; otherwise by name. Empty if the
 * database file is missing, in use or of another version.
 */
export async function peekNames(database: string, table: NamedTable, query: NameQuery): Promise<NamedRow[]> {
  return (await peek(database, (session) => session.query(() => BUILDERS[table](query)))) ?? [];
}

/** The rows of a table, of which the column `about` says what they are. Those with a `name` can be searched for by it too. */
function rowsOf(
  table: string,
  about: string,
  {
    name,
    folded,
    idPrefix,
    modes = true,
    also = sql``,
  }: {
    name?: string;
    /** The column with the name in lower case, if that is searched. */
    folded?: string;
    /** What an id begins with. */
    idPrefix?: string;
    modes?: boolean;
    also?: RawBuilder<unknown>;
  } = {},
) {
  return ({ mode, prefix, limit }: NameQuery) => {
    // An empty prefix lists the newest rows.
    const isById =
      name === undefined || prefix === "" || (idPrefix !== undefined && prefix.startsWith(idPrefix));
    const from = isById || folded === undefined ? prefix : prefix.toLowerCase();
    const column = sql.ref(isById ? "id" : (folded ?? name));
    // The end is higher than all text that begins with the prefix, because no text contains U+FFFF.
    return sql<NamedRow>`
      select id, ${name === undefined ? sql`null` : sql.ref(name)} as name, ${sql.ref(about)} as about
      from ${sql.table(table)} where ${column} >= ${from} and ${column} < ${`${from}\uffff`}
        ${modes ? sql`and mode = ${mode}` : sql``} ${also}
      order by ${column} ${isById ? sql`desc` : sql`asc`} limit ${limit}`;
  };
}

/** Reads in a few milliseconds. */
const NUMBERED_MAX = 1000;

const BUILDERS = {
  merchants: rowsOf("merchants", "name", {
    name: "external_id",
    folded: "external_id_folded",
    idPrefix: "mer_",
    modes: false,
  }),
  documents: rowsOf("documents", "status", { name: "external_reference", idPrefix: "doc_" }),
  /** The newest documents that have a number. The prefix is not compared: the caller does that. */
  numbers: ({ mode }: NameQuery) => sql<NamedRow>`
    select id, series || ' ' || number as name, status as about from documents
    where mode = ${mode} and number is not null order by id desc limit ${sql.lit(NUMBERED_MAX)}`,
  connections: rowsOf("connections", "provider"),
  endpoints: rowsOf("webhook_endpoints", "url", { also: sql`and removed_at is null` }),
  events: rowsOf("events", "type"),
  requests: rowsOf("requests", "operation_id"),
  calls: rowsOf("provider_calls", "operation"),
  // There are few keys and no index on their names. The caller filters them.
  keys: ({ limit }: NameQuery) => sql<NamedRow>`
    select id, name, mode as about from api_keys where revoked_at is null order by id desc limit ${limit}`,
  /** There are a few of them. */
  series: ({ mode, prefix, limit }: NameQuery) => sql<NamedRow>`
    select series as id, null as name, type as about from series
    where mode = ${mode} and series >= ${prefix} and series < ${`${prefix}\uffff`} order by series limit ${limit}`,
};
