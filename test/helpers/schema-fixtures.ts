/**
 * Dumps a database with a little of everything in it as SQL, to test that later versions migrate it. When a schema is
 * released, `node test/helpers/schema-fixtures.ts` writes its dump to test/fixtures/schemas/, where it is never changed.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";
import { createConnectSession } from "../../src/connect-sessions/connect-sessions.ts";
import { createConnection } from "../../src/connections/connections.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { SCHEMA_VERSION } from "../../storage/database/schema.ts";
import { buildIssueBody, CAUSE, openBench } from "./appliance.ts";
import { CONNECT, CONNECTION_FORM } from "./connecting.ts";
import { createScriptedProvider } from "./scripted-provider.ts";

export const FIXTURES = resolve(import.meta.dirname, "../fixtures/schemas");

/** The master key of every fixture. */
export const FIXTURE_KEY = "5c".repeat(32);

/** The SQL of a database of this version's schema. */
export async function dumpSchema(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-schema-"));
  try {
    await fill(folder);
    const database = new Database(join(folder, "data", "fiscal.db"), { readonly: true });
    try {
      return dump(database);
    } finally {
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A document of each outcome and a pending one; a connection, a connect link, a webhook endpoint, a key. */
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
      const use = { operation: "issueDocument", key: sandbox, fingerprint: sandbox };
      await acceptDocument(appliance, body, CAUSE, use);
    }
    await bench.settle();
    await acceptDocument(appliance, buildIssueBody(merchant, { external_reference: "queued" }), CAUSE);
    await createConnectSession(appliance, merchant, {}, CAUSE);
    await createConnection(appliance, merchant, CONNECT, CAUSE);
  } finally {
    await bench.close();
  }
}

function namesOf(database: Database.Database, sql: string): string[] {
  return (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

const TABLES =
  "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by rowid";
const SCHEMA =
  "select sql as name from sqlite_master where sql is not null and name not like 'sqlite_%' order by rowid";

function dump(database: Database.Database): string {
  const lines = namesOf(database, SCHEMA).map((sql) => `${sql};`);
  for (const table of namesOf(database, TABLES)) {
    const columns = namesOf(database, `select name from pragma_table_info('${table}')`);
    const quoted = columns.map((column) => `quote(${column})`).join(" || ', ' || ");
    for (const values of namesOf(database, `select ${quoted} as name from ${table}`))
      lines.push(`insert into ${table} (${columns.join(", ")}) values (${values});`);
  }
  return `${lines.join("\n")}\npragma user_version = ${SCHEMA_VERSION};\n`;
}

if (process.argv[1] === import.meta.filename) {
  const file = join(FIXTURES, `${String(SCHEMA_VERSION).padStart(4, "0")}.sql`);
  // "wx" refuses to overwrite the fixture of a released schema.
  dumpSchema()
    .then((text) => writeFile(file, text, { flag: "wx" }))
    .catch((error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exitCode = 1;
    });
}
