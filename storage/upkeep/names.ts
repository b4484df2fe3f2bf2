/**
 * Finds rows by the beginning of their id or name, for shell completion. Each query reads one index from one end, so that it
 * costs the same however much is stored.
 */
import { type Compilable, sql } from "kysely";
import { written } from "../database/queries.ts";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import type { Builder } from "../database/dialect.ts";

export interface NamedRow {
  id: string;
  /** The name that users gave it; null if it has none. */
  name: string | null;
  /** A short description to show next to it. */
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

/** Rows of `table` whose id or name begins with the prefix. Found by id, they are sorted newest first; otherwise by name. */
export function findNames(session: Session, table: NamedTable, query: NameQuery): Promise<NamedRow[]> {
  const build: (db: Builder, query: NameQuery) => Compilable<NamedRow> = BUILDERS[table];
  return session.query((db) => build(db, query));
}

/** Higher than all text that begins with the prefix, because no text contains U+FFFF. */
function endOf(prefix: string): string {
  return `${prefix}\uffff`;
}

/** Whether to search by id instead of name. An empty prefix lists the newest rows. */
function isById(prefix: string, idPrefix: string): boolean {
  return prefix === "" || prefix.startsWith(idPrefix);
}

/** Rows without a name, of which the column `about` says what they are. */
function byId(table: string, about: string, also = sql``) {
  return (db: Builder, { mode, prefix, limit }: NameQuery) =>
    written(sql<NamedRow>`
      select id, null as name, ${sql.ref(about)} as about from ${sql.table(table)}
      where mode = ${mode} and id >= ${prefix} and id < ${endOf(prefix)} ${also}
      order by id desc limit ${limit}`)(db);
}

/** Reads in a few milliseconds. */
const NUMBERED_MAX = 1000;

const BUILDERS = {
  merchants(db: Builder, { prefix, limit }: NameQuery) {
    const rows = db
      .selectFrom("merchants")
      .select(["id", "external_id as name", "name as about"])
      .limit(limit);
    if (isById(prefix, "mer_"))
      return rows.where("id", ">=", prefix).where("id", "<", endOf(prefix)).orderBy("id", "desc");
    const folded = prefix.toLowerCase();
    return rows
      .where("external_id_folded", ">=", folded)
      .where("external_id_folded", "<", endOf(folded))
      .orderBy("external_id_folded");
  },
  documents(db: Builder, { mode, prefix, limit }: NameQuery) {
    const rows = db
      .selectFrom("documents")
      .select(["id", "external_reference as name", "status as about"])
      .where("mode", "=", mode)
      .limit(limit);
    if (isById(prefix, "doc_"))
      return rows.where("id", ">=", prefix).where("id", "<", endOf(prefix)).orderBy("id", "desc");
    return rows
      .where("external_reference", ">=", prefix)
      .where("external_reference", "<", endOf(prefix))
      .orderBy("external_reference");
  },
  /** Of the newest documents, whatever their numbers begin with: the caller filters them. */
  numbers: (db: Builder, { mode }: NameQuery) =>
    written(sql<NamedRow>`
      select id, series || ' ' || number as name, status as about from documents
      where mode = ${mode} and number is not null order by id desc limit ${sql.lit(NUMBERED_MAX)}`)(db),
  connections: byId("connections", "provider"),
  endpoints: byId("webhook_endpoints", "url", sql`and removed_at is null`),
  events: byId("events", "type"),
  requests: byId("requests", "operation_id"),
  calls: byId("provider_calls", "operation"),
  // There are few keys and no index on their names. The caller filters them.
  keys: (db: Builder, { limit }: NameQuery) =>
    db
      .selectFrom("api_keys")
      .select(["id", "name", "mode as about"])
      .where("revoked_at", "is", null)
      .orderBy("id", "desc")
      .limit(limit),
  /** There are a few of them. */
  series: (db: Builder, { mode, prefix, limit }: NameQuery) =>
    db
      .selectFrom("series")
      .select((column) => ["series as id", column.lit(null).as("name"), "type as about"])
      .where("mode", "=", mode)
      .where("series", ">=", prefix)
      .where("series", "<", endOf(prefix))
      .orderBy("series")
      .limit(limit),
};
