/** PgBouncer in front of PostgreSQL (docs/postgres.md#setting-up). */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { StorageError } from "../../storage/database/errors.ts";
import { askForPostgres, makePostgresDatabase, openPostgresIn } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { asOtherUser, giveToPostgres, untilReady, withClient } from "../helpers/postgres.ts";

const isInstalled = (process.env["PATH"] ?? "")
  .split(delimiter)
  .some((folder) => existsSync(join(folder, "pgbouncer")));
/** PgBouncer finds the test's own server, which asks for no password. */
const canStart = (await askForPostgres())?.includes("@socket") === true;

const masterKey = new Uint8Array(32);
const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
});

/** Starts PgBouncer in front of a new database, and returns the address. */
async function startPgBouncer(settings: readonly string[]): Promise<string> {
  const database = new URL((await makePostgresDatabase())!);
  const folder = makeFolder();
  const file = join(folder, "pgbouncer.ini");
  const behind = `host=${database.searchParams.get("host")} port=${database.port}`;
  const own = [`unix_socket_dir = ${folder}`, "listen_addr =", "listen_port = 6432", "auth_type = any"];
  await writeFile(
    file,
    ["[databases]", `* = ${behind} user=postgres`, "[pgbouncer]", ...own, ...settings, ""].join("\n"),
  );
  giveToPostgres(file);
  giveToPostgres(folder, 0o700);
  const bouncer = spawn("pgbouncer", ["--quiet", file], { ...asOtherUser, cwd: folder, stdio: "ignore" });
  undo.unshift(async () => {
    const ended = new Promise((done) => bouncer.once("exit", done));
    bouncer.kill("SIGKILL");
    await ended;
  });
  database.port = "6432";
  database.searchParams.set("host", folder);
  await untilReady(database.href, bouncer);
  return database.href;
}

describe.skipIf(!isInstalled || !canStart)("PgBouncer", () => {
  test("in session mode lets servers write, and tell each other about it", async () => {
    const url = await startPgBouncer(["pool_mode = session", "default_pool_size = 30"]);
    const open = async () => {
      const store = await openPostgresIn(makeFolder(), { url, masterKey });
      undo.unshift(store.close);
      return store;
    };
    const [one, other] = [await open(), await open()];
    let isWoken = false;
    other.onNews("documents", () => void (isWoken = true));
    const tell = () => one.write(async (trx) => trx.announce("documents"));
    await expect.poll(async () => (await tell(), isWoken)).toBe(true);
    await other.probe();
  });

  async function expectRefusal(url: string): Promise<void> {
    const opening = openPostgresIn(makeFolder(), { url, masterKey });
    const error = (await opening.catch((failure: unknown) => failure)) as StorageError;
    expect(error).toBeInstanceOf(StorageError);
    expect(error.text.en).toContain("set pool_mode = session");
    expect(error.text.el).toContain("ορίστε pool_mode = session");
  }

  test.each(["statement", "transaction"])("is refused in %s mode", async (mode) => {
    await expectRefusal(await startPgBouncer([`pool_mode = ${mode}`]));
  });

  test("is refused in transaction mode also if it gives out two connections in turn", async () => {
    const url = await startPgBouncer(["pool_mode = transaction", "server_round_robin = 1"]);
    await withClient(url, (one) =>
      withClient(url, async (other) => {
        for (const statement of ["begin; select 1", "commit"])
          for (const client of [one, other]) await client.query(statement);
      }),
    );
    await expectRefusal(url);
  });
});
