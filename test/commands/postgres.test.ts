/** The command line with a database in PostgreSQL (docs/contract.md#several-machines). */
import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { createClock } from "../../src/foundation/clock.ts";
import { diagnose } from "../../src/upkeep/doctor/diagnosis.ts";
import { askForPostgres, makePostgresDatabase } from "../helpers/engines.ts";
import { withClient, withStandby } from "../helpers/postgres.ts";
import { openWorkshop, type Workshop } from "../helpers/program.ts";

const hasPostgres = (await askForPostgres()) !== undefined;

describe.skipIf(!hasPostgres)("with a database in PostgreSQL", () => {
  let workshop: Workshop;
  let url: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    workshop = await openWorkshop();
    url = (await makePostgresDatabase())!;
    const file = join(workshop.folder, "database-url");
    await writeFile(file, `${url}\n`);
    env = { FISCAL_STORAGE__URL_FILE: file };
  });
  afterAll(() => workshop.close());
  const run = (...args: string[]) => workshop.run(args, { env });

  test("init makes the tables and the master key, and changes nothing the second time", async () => {
    const made = await run("init", "--yes", "--json");
    expect(made.json()).toMatchObject({ database: "PostgreSQL", created: true });
    expect((await run("init", "--json")).json()).toMatchObject({ created: false });
    expect(await readdir(join(workshop.folder, "data"))).toEqual(["master.key"]);
  });

  test("documents are issued, and the audit is clean", async () => {
    await run("merchants", "add", "--external-id", "shop", "--name", "Shop", "--tax-id", "123456783");
    const today = new Date().toISOString().slice(0, 10);
    const rows = ["R1", "R2", "R3"].map((reference) => `${reference},11.1,${today},Coffee,1,10.00,24%,cash`);
    const batch = join(workshop.folder, "batch.csv");
    await writeFile(
      batch,
      `reference,type,issue_date,description,quantity,unit_price,vat_category,payment_method\n${rows.join("\n")}\n`,
    );
    const issued = await run("documents", "issue", batch, "--merchant", "shop");
    expect(issued.exitCode).toBe(0);
    const listed = (await run("documents", "list", "--json")).json<{
      data: { status: string; number: number }[];
    }>();
    expect(listed.data.map(({ status, number }) => [status, number])).toEqual([
      ["issued", 3],
      ["issued", 2],
      ["issued", 1],
    ]);
    expect((await run("audit", "--json")).json()).toMatchObject({ intact: true, documents: 3 });
    const { findings } = (await run("doctor", "--json")).json<{ findings: { severity: string }[] }>();
    expect(findings.filter(({ severity }) => severity === "problem")).toEqual([]);
  });

  test("doctor finds a trigger of another role, and a database that is open to every role", async () => {
    const found = async () => {
      const reply = await run("doctor", "--json");
      const { findings } = reply.json<{ findings: { severity: string; message: string }[] }>();
      const about = findings.filter(({ message }) => /schema is not|Every role/.test(message));
      return about.map(({ severity, message }) => `${severity}: ${message}`);
    };
    const name = new URL(url).pathname.slice(1);
    const open = "notice: Every role of the database server may connect to the database.";
    expect(await found()).toEqual([open]);
    await withClient(url, async (client) => {
      await client.query(`revoke connect on database "${name}" from public`);
      await client.query(
        "create function quiet() returns trigger language plpgsql as 'begin return null; end'",
      );
      await client.query(
        "create trigger quiet before insert on events for each row execute function quiet()",
      );
    });
    expect(await found()).toEqual([
      expect.stringMatching(/^problem: .*\+ function quiet; \+ trigger quiet on events\.$/),
    ]);
    await withClient(url, (client) => client.query("drop function quiet cascade"));
    expect(await found()).toEqual([]);
  });

  test("doctor notices a standby if none is synchronous", async () => {
    const found = async () => {
      const { findings } = (await run("doctor", "--json")).json<{ findings: { check: string }[] }>();
      return findings.filter(({ check }) => check === "replication");
    };
    expect(await found()).toEqual([]);
    await withStandby(url, async () => {
      expect(await found()).toEqual([
        expect.objectContaining({ severity: "notice", message: expect.stringContaining("1 asynchronous") }),
      ]);
    });
  });

  test("doctor goes by the database's clock, like the servers", async () => {
    const flags = { dataDir: join(workshop.folder, "data") };
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

  test.each([
    ["backup", "copy.db"],
    ["restore", "copy.db", "--yes"],
  ])("%s exits with 78 and names pg_dump", async (...args) => {
    const { exitCode, stderr } = await run(...args);
    expect(exitCode).toBe(78);
    expect(stderr).toContain("pg_dump");
  });

  test("a scheduled backup is refused", async () => {
    const { exitCode, stderr } = await workshop.run("merchants list", {
      env: { ...env, FISCAL_BACKUP__SCHEDULE: "0 3 * * *", FISCAL_BACKUP__DIRECTORY: workshop.folder },
    });
    expect(exitCode).toBe(78);
    expect(stderr).toContain("pg_dump");
  });

  test("quickstart uses a file of its own, not the database of the configuration", async () => {
    const before = await withClient(url, (client) => client.query("select count(*) as n from documents"));
    expect((await workshop.runBare("quickstart", { env })).exitCode).toBe(0);
    const after = await withClient(url, (client) => client.query("select count(*) as n from documents"));
    expect(after.rows).toEqual(before.rows);
  });

  test("another master key is refused", async () => {
    const { exitCode, stderr } = await workshop.run("merchants list", {
      env: { ...env, FISCAL_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") },
    });
    expect(exitCode).toBe(78);
    expect(stderr).toContain("master key");
  });
});

describe("an address of PostgreSQL that cannot be used", () => {
  let workshop: Workshop;
  beforeAll(async () => {
    workshop = await openWorkshop();
  });
  afterAll(() => workshop.close());

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
      const file = join(workshop.folder, "config.toml");
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

  test("in a file that cannot be read is named with its source", async () => {
    const env = { FISCAL_STORAGE__URL_FILE: join(workshop.folder, "nowhere") };
    const { exitCode, stderr } = await workshop.run("merchants list", { env });
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(
      /storage\.url_file \(environment variable FISCAL_STORAGE__URL_FILE\): The file .*nowhere cannot be read \(ENOENT\)/,
    );
  });

  test("is refused together with storage.url_file", async () => {
    const env = { FISCAL_STORAGE__URL: "postgres://a@b/c", FISCAL_STORAGE__URL_FILE: "url" };
    const { exitCode, stderr } = await workshop.run("merchants list", { env });
    expect(exitCode).toBe(78);
    expect(stderr).toMatch(
      /set storage\.url \(environment .*\) or storage\.url_file \(environment .*\), not both/,
    );
  });
});
