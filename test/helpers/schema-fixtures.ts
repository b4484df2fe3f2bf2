/**
 * Databases of released schemas as SQL text, for the test that each is brought up. `node test/helpers/schema-fixtures.ts N` writes
 * that of schema N to test/fixtures/schemas/, once, when N is released: it is never written again. What is in it was made by the
 * program itself; of an older schema it has the tables and columns that the schema had.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { createConnectSession } from "../../src/connect-sessions/connect-sessions.ts";
import { createConnection } from "../../src/connections/connections.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { MIGRATIONS } from "../../storage/sqlite.ts";
import { buildIssueBody, openBench } from "./appliance.ts";
import { CONNECT, CONNECTION_FORM } from "./connecting.ts";
import { createScriptedProvider } from "./scripted-provider.ts";

export const FIXTURES = resolve(import.meta.dirname, "../fixtures/schemas");

/** The master key of every fixture. */
export const FIXTURE_KEY = "5c".repeat(32);

const CAUSE = { mode: "test", requestId: null, idempotencyKey: null } as const;

/** `0003-webhooks` is 3. */
function numberOf(migration: string): number {
  return Number(migration.slice(0, 4));
}

/** The SQL text of a database of schema `version` with a little of everything in it. */
export async function dumpSchema(version: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-schema-"));
  try {
    await fill(folder);
    const database = new Database(join(folder, `schema-${version}.db`));
    try {
      await migrateTo(database, version);
      copyRows(database, join(folder, "data", "fiscal.db"));
      return dump(database, version);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One document of each outcome, and one that has none yet; a connection, a link, a webhook endpoint, a key. */
async function fill(folder: string): Promise<void> {
  const env = { FISCAL_MASTER_KEY: FIXTURE_KEY, FISCAL_ISSUING__DELAYS_SECONDS: "[0]" };
  const provider = createScriptedProvider({
    provider: "registry_direct",
    credentials: CONNECTION_FORM,
    verify: () => ({ kind: "accepted" }),
  });
  const bench = await openBench({ folder, env, adapters: [provider.adapter] });
  try {
    const { appliance } = bench;
    const merchant = await bench.makeMerchant();
    await bench.makeKey("test");
    const endpoint = { url: "https://example.com/hooks", enabled_events: ["*"] };
    await createWebhookEndpoint(appliance, endpoint, CAUSE);
    for (const sandbox of ["issued", "rejected", "unavailable"]) {
      const body = buildIssueBody(merchant, { metadata: { sandbox }, external_reference: sandbox });
      const claim = { operation: "issueDocument", key: sandbox, fingerprint: sandbox };
      await acceptDocument(appliance, body, CAUSE, claim);
    }
    await bench.settle();
    await acceptDocument(appliance, buildIssueBody(merchant, { external_reference: "queued" }), CAUSE);
    await createConnectSession(appliance, merchant, {}, CAUSE);
    await createConnection(appliance, merchant, CONNECT, CAUSE);
  } finally {
    await bench.close();
  }
}

async function migrateTo(database: Database.Database, version: number): Promise<void> {
  const known = Object.entries(MIGRATIONS).filter(([name]) => numberOf(name) <= version);
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => Object.fromEntries(known) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  database.pragma(`user_version = ${version}`);
}

function namesOf(database: Database.Database, sql: string): string[] {
  return (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid";

/** The rows of a full database, as far as the older one has a place for them. */
function copyRows(database: Database.Database, from: string): void {
  database.prepare("attach ? as filled").run(from);
  database.pragma("foreign_keys = OFF");
  for (const table of namesOf(database, TABLES)) {
    if (table.startsWith("kysely_")) continue;
    const filled = new Set(namesOf(database, `select name from pragma_table_info('${table}', 'filled')`));
    const columns = namesOf(database, `select name from pragma_table_info('${table}')`).filter((name) =>
      filled.has(name),
    );
    const list = columns.join(", ");
    database.exec(`insert into main.${table} (${list}) select ${list} from filled.${table}`);
  }
  database.exec("detach filled");
}

function dump(database: Database.Database, version: number): string {
  const made = database
    .prepare(
      "select sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid",
    )
    .all() as { sql: string }[];
  const lines = made.map(({ sql }) => `${sql};`);
  for (const table of namesOf(database, TABLES)) {
    const columns = namesOf(database, `select name from pragma_table_info('${table}')`);
    const quoted = columns.map((column) => `quote(${column})`).join(" || ', ' || ");
    const rows = database.prepare(`select ${quoted} as name from ${table}`).all() as { name: string }[];
    for (const { name: values } of rows)
      lines.push(`insert into ${table} (${columns.join(", ")}) values (${values});`);
  }
  return `${lines.join("\n")}\npragma user_version = ${version};\n`;
}

if (process.argv[1] === import.meta.filename) {
  const version = Number(process.argv[2]);
  const file = join(FIXTURES, `${String(version).padStart(4, "0")}.sql`);
  // Fails where it is there: a released schema is never another one.
  dumpSchema(version)
    .then((text) => writeFile(file, text, { flag: "wx" }))
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    });
}
