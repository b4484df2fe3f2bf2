/** The command line with a database in PostgreSQL (docs/contract.md#several-machines). */
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { diagnose } from "../../src/upkeep/doctor/diagnosis.ts";
import { askForPostgres, makePostgresDatabase } from "../helpers/engines.ts";
import { withClient, withStandby } from "../helpers/postgres.ts";
import { type DocumentList, issue } from "../helpers/issuing.ts";
import { expectRefused, openWorkshop } from "../helpers/program.ts";
import { receipt } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";

const hasPostgres = (await askForPostgres()) !== undefined;

describe.skipIf(!hasPostgres)("with a database in PostgreSQL", () => {
  const workshop = forAllTests(openWorkshop);
  let url: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    url = (await makePostgresDatabase())!;
    const file = workshop.at("database-url");
    await writeFile(file, `${url}\n`);
    env = { FISCAL_STORAGE__URL_FILE: file };
  });
  const run = (line: string, more = {}) => workshop.run(line, { env: { ...env, ...more } });
  const read = <T>(line: string) => workshop.read<T>(line, { env });

  /** The findings of doctor. */
  async function diagnosed(): Promise<{ severity: string; check: string; message: string }[]> {
    return (await run("doctor --json")).json<PrintedDiagnosis>().findings;
  }

  test("init makes the tables and the master key, and changes nothing the second time", async () => {
    expect(await read("init --yes")).toMatchObject({ database: "PostgreSQL", created: true });
    expect(await read("init")).toMatchObject({ created: false });
    expect(await readdir(workshop.at("data"))).toEqual(["master.key"]);
  });

  test("documents are issued, and the audit is clean", async () => {
    await run("merchants add --external-id shop --name Shop --tax-id 123456783");
    const bodies = ["R1", "R2", "R3"].map((reference) => receipt(reference));
    expect((await issue(workshop, bodies, [], { env })).exitCode).toBe(0);
    const { data } = await read<DocumentList>("documents list");
    expect(data).toMatchObject([3, 2, 1].map((number) => ({ status: "issued", number })));
    expect(await read("audit")).toMatchObject({ intact: true, documents: 3 });
    expect((await diagnosed()).filter(({ severity }) => severity === "problem")).toEqual([]);
  });

  test("doctor finds a trigger of another role, and a database that is open to every role", async () => {
    const found = async () =>
      (await diagnosed())
        .filter(({ message }) => /schema is not|Every role/.test(message))
        .map(({ severity, message }) => `${severity}: ${message}`);
    const name = new URL(url).pathname.slice(1);
    const open = "notice: Every role of the database server may connect to the database.";
    expect(await found()).toEqual([open]);
    await withClient(url, async (client) => {
      for (const statement of [
        `revoke connect on database "${name}" from public`,
        "create function quiet() returns trigger language plpgsql as 'begin return null; end'",
        "create trigger quiet before insert on events for each row execute function quiet()",
      ])
        await client.query(statement);
    });
    const planted = /^problem: .*\+ function quiet; \+ trigger quiet on events\.$/;
    expect(await found()).toEqual([expect.stringMatching(planted)]);
    await withClient(url, (client) => client.query("drop function quiet cascade"));
    expect(await found()).toEqual([]);
  });

  test("doctor notices a standby if none is synchronous", async () => {
    const found = async () => (await diagnosed()).filter(({ check }) => check === "replication");
    expect(await found()).toEqual([]);
    const message = expect.stringContaining("1 asynchronous");
    await withStandby(url, async () =>
      expect(await found()).toEqual([expect.objectContaining({ severity: "notice", message })]),
    );
  });

  test("doctor goes by the database's clock, like the servers", async () => {
    const flags = { dataDir: workshop.at("data") };
    const { findings } = await diagnose({
      config: loadConfig({ env, cwd: workshop.folder, flags }),
      clock: createClock(() => Date.now() - 3_600_000),
      command: (_mode, words) => words,
      online: false,
      deep: false,
    });
    expect(findings.filter(({ check, severity }) => check === "clock" && severity !== "ok")).toEqual([]);
    expect(findings.map(({ check }) => check)).toContain("clock");
  });

  test.each<[string, Record<string, string>, string]>([
    ["backup copy.db", {}, "pg_dump"],
    ["restore copy.db --yes", {}, "pg_dump"],
    ["merchants list", { FISCAL_BACKUP__SCHEDULE: "0 3 * * *", FISCAL_BACKUP__DIRECTORY: "." }, "pg_dump"],
    ["merchants list", { FISCAL_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }, "master key"],
  ])("%s with %j exits with 78 and names %s", async (line, more, says) => {
    expectRefused(await run(line, more), 78, says);
  });

  test("quickstart uses a file of its own, not the database of the configuration", async () => {
    const before = await withClient(url, (client) => client.query("select count(*) as n from documents"));
    expect((await workshop.runBare("quickstart", { env })).exitCode).toBe(0);
    const after = await withClient(url, (client) => client.query("select count(*) as n from documents"));
    expect(after.rows).toEqual(before.rows);
  });
});

describe("an address of PostgreSQL that cannot be used", () => {
  const workshop = forAllTests(openWorkshop);

  test.each([
    { commands: ["merchants", "list"], exitCode: 78 },
    { commands: ["init", "--yes"], exitCode: 78 },
    { commands: ["audit"], exitCode: 78 },
    { commands: ["doctor", "--json"], exitCode: 1 },
  ])("is reported by $commands without its password", async ({ commands, exitCode }) => {
    const env = { FISCAL_STORAGE__URL: "postgres://fiscal:hunter2@127.0.0.1:1/fiscal" };
    const ended = await workshop.run(commands, { env });
    expect(ended.exitCode).toBe(exitCode);
    expect(ended.stderr + ended.stdout).toContain("ECONNREFUSED; check that it is running");
    expect(ended.stderr + ended.stdout).not.toContain("hunter2");
    expect(await readdir(workshop.folder)).not.toContain("fiscal.db");
  });

  test("is reported with what to do, in Greek too", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    try {
      const env = { FISCAL_STORAGE__URL: `postgres://fiscal:hunter2@127.0.0.1:${port}/fiscal` };
      const { exitCode, stderr } = await workshop.run("merchants list --lang el", { env });
      expect(exitCode).toBe(78);
      expect(stderr).toContain("ελέγξτε ότι εκτελείται και δέχεται το fiscal");
      expect(stderr).not.toContain("hunter2");
    } finally {
      silent.close();
    }
  });

  test.each(["merchants list", "audit", "doctor --json"])(
    "is named with its source by %s",
    async (command) => {
      const file = workshop.at("config.toml");
      await writeFile(file, '[storage]\nurl = "postgres://127.0.0.1:1/fiscal"\n', { mode: 0o600 });
      const inFile = await workshop.run([...command.split(" "), "--config", file]);
      expect(inFile.stdout + inFile.stderr).toContain(`storage.url in ${file}: The address`);
      const env = { FISCAL_STORAGE__URL: "mysql://fiscal:hunter2@127.0.0.1/fiscal" };
      const { stdout, stderr } = await workshop.run([...command.split(" "), "--config", file], { env });
      expect(stdout + stderr).toContain(
        "storage.url (environment variable FISCAL_STORAGE__URL): The address of the PostgreSQL database must begin with",
      );
      expect(stdout + stderr).not.toContain("hunter2");
    },
  );

  test.each<[string, Record<string, string>, RegExp]>([
    [
      "in a file that cannot be read is named with its source",
      { FISCAL_STORAGE__URL_FILE: "nowhere" },
      /storage\.url_file \(environment variable FISCAL_STORAGE__URL_FILE\): The file .*nowhere cannot be read \(ENOENT\)/,
    ],
    [
      "is refused together with storage.url_file",
      { FISCAL_STORAGE__URL: "postgres://a@b/c", FISCAL_STORAGE__URL_FILE: "url" },
      /set storage\.url \(environment .*\) or storage\.url_file \(environment .*\), not both/,
    ],
  ])("%s", async (_name, env, says) => {
    const run = await workshop.run("merchants list", { env });
    expectRefused(run, 78);
    expect(run.stderr).toMatch(says);
  });
});
