import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { idBodyAt } from "../../storage/database/ids.ts";
import { openBench } from "../helpers/appliance.ts";
import { issue, NO_DELAYS } from "../helpers/issuing.ts";
import { openWorkshop, type Run, type RunOptions } from "../helpers/program.ts";
import { addShop, receipt } from "../helpers/receipts.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

let merchant: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => {
  merchant = await addShop(workshop);
});

const databaseFile = () => join(workshop.folder, "data", "fiscal.db");
const keyFile = () => join(workshop.folder, "data", "master.key");

/** Changes the database directly. */
function plant(...statements: string[]): void {
  const database = new Database(databaseFile());
  database.pragma("foreign_keys = OFF");
  for (const text of statements) database.exec(text);
  database.close();
}

function doctor(args: string[] = [], options: RunOptions = {}): Promise<Run> {
  return workshop.run(["doctor", "--json", ...args], options);
}

/** The findings that are not ok, as `severity, check: message`. */
function complaints(run: Run): string[] {
  return run
    .json<PrintedDiagnosis>()
    .findings.filter(({ severity }) => severity !== "ok")
    .map(({ severity, check, message }) => `${severity}, ${check}: ${message}`);
}

/** Expects `exitCode` and a single finding that is not ok and matches `pattern`. */
function expectOnly(run: Run, exitCode: number, pattern: RegExp): void {
  expect(complaints(run)).toEqual([expect.stringMatching(pattern)]);
  expect(run.exitCode).toBe(exitCode);
  expect(run.json<PrintedDiagnosis>().healthy).toBe(exitCode === 0);
}

function nextSteps(run: Run): (string | null)[] {
  return run
    .json<PrintedDiagnosis>()
    .findings.map(({ next_step }) => next_step)
    .filter((step) => step !== null);
}

const OLD = "2025-01-01T00:00:00.000Z";
const data = () => `--data-dir ${join(workshop.folder, "data")}`;

describe("doctor without problems", () => {
  test("ends with 0 and says so", async () => {
    await issue(workshop, [receipt("A-1"), receipt("A-2", "rejected")]);
    const run = await doctor();
    expect(complaints(run)).toEqual([]);
    expect(run.exitCode).toBe(0);
    const { object, healthy, findings } = run.json<PrintedDiagnosis>();
    expect({ object, healthy }).toEqual({ object: "diagnosis", healthy: true });
    expect(findings[0]).toEqual({
      check: "configuration",
      severity: "ok",
      message: expect.stringContaining("none, the defaults apply"),
      message_el: expect.stringContaining("κανένα, ισχύουν οι προεπιλογές"),
      next_step: null,
      next_step_el: null,
      mode: null,
      subjects: [],
    });
    const read = await workshop.run("doctor");
    expect(read).toMatchObject({ exitCode: 0, stderr: "No problems found.\n" });
    expect(read.stdout).toMatch(/ok\t(.*\t)?numbering\t(.*\t)?Every number is accounted for/);
  });

  test("changes nothing, and works while another program has the database open", async () => {
    await using bench = await closing(openBench({ folder: workshop.folder }));
    await bench.makeKey("test");
    const before = await readFile(databaseFile());
    expect((await doctor()).exitCode).toBe(0);
    expect((await readFile(databaseFile())).equals(before)).toBe(true);
  });

  test("suggests commands that work unchanged when live is the default mode", async () => {
    await issue(workshop, [receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
    const run = await doctor([], { env: { FISCAL_DEFAULT_MODE: "live" } });
    expect(nextSteps(run)[0]).toContain(`FISCAL_DEFAULT_MODE=test fiscal ${data()} documents retry doc_`);
  });

  test("reports a path that does not exist", async () => {
    const env = { FISCAL_STORAGE__DATABASE: join(keyFile(), "fiscal.db") };
    expectOnly(await doctor([], { env }), 1, /^problem, database: .* cannot be examined \(ENOTDIR\)/);
  });

  test("reports a folder in place of the database", async () => {
    const run = await doctor([], { env: { FISCAL_STORAGE__DATABASE: workshop.folder } });
    expectOnly(run, 1, /^problem, database: .* cannot be examined \(not a file\)/);
  });

  test("distinguishes a file it cannot open from a damaged one", async () => {
    await mkdir(`${databaseFile()}-wal`, { mode: 0o700 });
    const run = await doctor();
    expectOnly(run, 1, /^problem, database: .* cannot be read: unable to open database file/);
    expect(nextSteps(run)).toEqual([expect.stringContaining("run this as the user who owns it")]);
  });

  test("creates no data directory", async () => {
    const run = await workshop.runBare(`--data-dir ${join(workshop.folder, "none")} doctor --json`);
    expectOnly(run, 1, /^problem, database: There is no database at /);
    await expect(readFile(join(workshop.folder, "none"))).rejects.toThrow("ENOENT");
  });
});

describe("doctor on the configuration", () => {
  test("ends with 78 if it cannot be loaded", async () => {
    const run = await doctor([], { env: { FISCAL_SERVER__PORT: "many" } });
    expectOnly(run, 78, /^problem, configuration: server\.port /);
  });

  test.each<[Record<string, string>, number, RegExp]>([
    [{ FISCAL_SERVER__HOST: "0.0.0.0" }, 1, /^problem, configuration: server\.host is public/],
    [
      { FISCAL_SERVER__PUBLIC_URL: "http://shop.example" },
      1,
      /^problem, configuration: server\.public_url is http/,
    ],
    [{ FISCAL_SERVER__TRUSTED_PROXIES: "0.0.0.0/0" }, 1, /^problem, configuration: server\.trusted_proxies/],
    [
      { FISCAL_PROVIDERS__PROVIDER_A__LIVE_URL: "http://a.example" },
      1,
      /^problem, .*provider_a\.live_url is http/,
    ],
  ])("with %j ends with %i", async (env, exitCode, pattern) => {
    expectOnly(await doctor([], { env }), exitCode, pattern);
  });

  test.each<[Record<string, string>]>([
    [{ FISCAL_SERVER__HOST: "0.0.0.0", FISCAL_SERVER__PUBLIC_URL: "https://shop.example" }],
    [{ FISCAL_SERVER__PUBLIC_URL: "http://localhost:9000" }],
  ])("accepts %j", async (env) => {
    expect(complaints(await doctor([], { env }))).toEqual([]);
  });

  test("notices a configuration file with a token that others can read", async () => {
    const file = join(workshop.folder, "data/config.toml");
    await writeFile(file, '[server]\nmetrics_token = "0123456789abcdefghij"\n', { mode: 0o644 });
    expectOnly(await doctor(), 0, /^notice, configuration: .*config\.toml contains server\.metrics_token/);
  });
});

describe("doctor on the files", () => {
  test.each([0o720, 0o702])("reports a data directory that others may write to (%o)", async (mode) => {
    await chmod(join(workshop.folder, "data"), mode);
    const run = await doctor();
    expectOnly(run, 1, /^problem, files: Other users may write to the data directory /);
    expect(nextSteps(run)[0]).toContain("chmod 700");
  });

  test("reports a database that others can open", async () => {
    await chmod(databaseFile(), 0o644);
    const run = await doctor();
    expectOnly(run, 1, /^problem, files: Other users may open/);
    expect(nextSteps(run)[0]).toContain(`chmod 600 ${databaseFile()}`);
  });

  test("reads every page of a large file only with --deep", async () => {
    plant(
      "insert into bodies (id, sealed, created_at) values ('x', zeroblob(140000000), '2026-11-21T09:00:00.000Z')",
    );
    const quick = (await doctor()).json<PrintedDiagnosis>().findings;
    expect(quick).toContainEqual(
      expect.objectContaining({
        severity: "ok",
        message: "The database file opens. It is large, so its pages were not read.",
        next_step: expect.stringContaining("doctor --deep"),
      }),
    );
    const deep = (await doctor(["--deep"])).json<PrintedDiagnosis>().findings;
    expect(deep.map(({ message }) => message)).toContain("The database file is sound.");
  });

  test("reports a damaged page without a stack trace, and continues", async () => {
    await issue(workshop, [receipt("A-1")]);
    const bytes = await readFile(databaseFile());
    const page = 4096;
    // Not the page of the schema.
    bytes.fill(0xff, 2 * page, 2 * page + 200);
    await writeFile(databaseFile(), bytes);
    const run = await doctor();
    expect(run).toMatchObject({ exitCode: 1, stderr: "" });
    expect(complaints(run)[0]).toMatch(/^problem, database: The database file is damaged: /);
    expect(run.json<PrintedDiagnosis>().findings.some(({ check }) => check === "keys")).toBe(true);
    expect(run.stdout + run.stderr).not.toMatch(/ at .*\.ts:\d+/);
  });

  test("reports triggers that fiscal did not create", async () => {
    const planted = new Database(databaseFile());
    planted.exec("create trigger redirect after insert on merchants begin select 1; end");
    planted.close();
    const run = await doctor();
    expectOnly(run, 1, /^problem, database: The schema is not .*: \+ trigger redirect\.$/);
  });

  test("reports a file that is not a database", async () => {
    await writeFile(databaseFile(), "not a database, and long enough to be looked at".repeat(100));
    const run = await doctor();
    expect(run.exitCode).toBe(1);
    expect(complaints(run)).toEqual([expect.stringMatching(/^problem, database: .*cannot be read/)]);
  });
});

describe("doctor on the database", () => {
  test.each<[string, string, number, RegExp]>([
    ["a newer schema", "pragma user_version = 99", 1, /^problem, database: .*written by a newer fiscal/],
    [
      "an empty file",
      "pragma user_version = 0",
      1,
      /^problem, database: The database holds no tables of fiscal/,
    ],
    [
      "a held appliance",
      "update appliance set state = 'held'",
      1,
      /^problem, database: The appliance is held/,
    ],
    [
      "rows that refer to nothing",
      `insert into filing_checks (document_id) values ('doc_0000000000000000000000')`,
      1,
      /^problem, database: Rows of filing_checks refer/,
    ],
    [
      "an id of the future",
      `update appliance set last_id = '${idBodyAt(Date.now() + 3_600_000)}'`,
      0,
      /^notice, clock: The clock ran ahead and was set back by about 3\d\d\d seconds.*/,
    ],
    [
      "a clock that was set back while no server ran",
      `update appliance set clock_at = '${new Date(Date.now() + 3_600_000).toISOString()}'`,
      0,
      /^notice, clock: The clock ran ahead and was set back by about 3\d\d\d seconds.*/,
    ],
  ])("reports %s", async (_name, fault, exitCode, pattern) => {
    plant(fault);
    expectOnly(await doctor(), exitCode, pattern);
  });
});

describe("doctor on a database that nobody has open", () => {
  const beside = async () => (await readdir(join(workshop.folder, "data"))).sort();

  test("leaves no file behind and does not change the database", async () => {
    const before = await beside();
    const bytes = await readFile(databaseFile());
    expect((await doctor()).exitCode).toBe(0);
    expect(await beside()).toEqual(before);
    expect((await readFile(databaseFile())).equals(bytes)).toBe(true);
  });

  test("keeps the log of a program that has it open", async () => {
    const open = new Database(databaseFile());
    try {
      open.exec("pragma journal_mode = WAL; update merchants set name = 'Other'");
      expect((await doctor()).exitCode).toBe(0);
      expect(await beside()).toEqual(expect.arrayContaining(["fiscal.db-shm", "fiscal.db-wal"]));
      expect(open.prepare("select name from merchants").pluck().get()).toBe("Other");
    } finally {
      open.close();
    }
  });
});

test("doctor names documents whose provider's PDF is no longer tried, and how to fetch it", async () => {
  await issue(workshop, [receipt("A-1"), receipt("A-2")]);
  plant(`insert into provider_pdfs (document_id, sealed, due_at, tries)
    select id, null, iif(external_reference = 'A-1', null, '${OLD}'), 10 from documents`);
  const run = await doctor();
  expectOnly(run, 0, /^notice, documents: The provider's PDF could not be fetched, and is no longer tried/);
  const next = nextSteps(run)[0]!;
  const { id } = await workshop.read<{ id: string }>("documents show A-1");
  expect(next).toContain(`documents pdf ${id}`);
});

describe("doctor on the master key", () => {
  test("reports a missing key and creates none", async () => {
    await rm(keyFile());
    expectOnly(await doctor(), 1, /^problem, master key: The master key .* is missing/);
    await expect(readFile(keyFile())).rejects.toThrow("ENOENT");
  });

  test("reports a wrong key, and one that others can read", async () => {
    expectOnly(
      await doctor([], { env: { FISCAL_MASTER_KEY: "0".repeat(64) } }),
      1,
      /^problem, master key: The master key is not the one/,
    );
    await chmod(keyFile(), 0o640);
    expectOnly(await doctor(), 1, /^problem, master key: Users other than its owner may read/);
  });

  test("reports credentials that it cannot decrypt", async () => {
    plant(connection("con_0000000000000000000001", "live", "active", { credentials: "x'00112233'" }));
    expectOnly(await doctor(), 1, /^problem, master key: .*does not decrypt the credentials/);
  });

  test("reports contents of documents that it cannot decrypt", async () => {
    await issue(workshop, [receipt("A-1"), receipt("A-2")]);
    plant(
      "update document_inputs set sealed = x'00112233' where document_id = (select max(id) from documents)",
    );
    const run = await doctor();
    expectOnly(run, 1, /^problem, master key: .*does not decrypt .* the contents of some documents/);
    expect(nextSteps(run)[0]).toContain(`fiscal ${data()} audit`);
  });
});

function connection(
  id: string,
  mode: string,
  status: string,
  more: { provider?: string; credentials?: string } = {},
): string {
  const { provider = "registry_direct", credentials = "null" } = more;
  const error =
    status === "invalid" ? `'{"code":"provider_credentials_invalid","provider_code":null}'` : "null";
  return `insert into connections (id, merchant_id, provider, mode, status, credentials, verified_at, last_error_json, last_error_at, created_at)
    values ('${id}', '${merchant}', '${provider}', '${mode}', '${status}', ${credentials}, '${OLD}', ${error}, null, '${OLD}')`;
}

describe("doctor on connections", () => {
  const id = "con_0000000000000000000001";

  test.each(["test", "live"])(
    "reports an invalid one of %s mode with the command that mends it",
    async (mode) => {
      plant(connection(id, mode, "invalid"));
      const run = await doctor();
      expectOnly(
        run,
        1,
        new RegExp(`^problem, connections: The ${mode} connection of shop to registry_direct`),
      );
      const flag = mode === "live" ? " --live" : "";
      expect(nextSteps(run)).toEqual([
        expect.stringContaining(`fiscal ${data()}${flag} connections verify ${id}`),
      ]);
    },
  );

  test("reports one without an adapter", async () => {
    plant(connection(id, "test", "active", { provider: "provider_b" }));
    expectOnly(await doctor(), 1, /^problem, connections: .*provider_b has no adapter/);
  });

  test("accepts disconnected ones and those of an archived merchant", async () => {
    plant(
      connection(id, "test", "disconnected"),
      connection("con_0000000000000000000002", "test", "invalid"),
    );
    await workshop.run("merchants archive shop --yes");
    expect(complaints(await doctor())).toEqual([]);
  });
});

describe("doctor on webhooks", () => {
  async function add(): Promise<string> {
    const args = ["webhooks", "add", "--url", "http://127.0.0.1:9/", "--events", "*", "--json"];
    return (await workshop.run(args)).json<{ id: string }>().id;
  }

  test("reports an endpoint that was disabled because every delivery failed", async () => {
    const id = await add();
    plant("update webhook_endpoints set status = 'disabled', disabled_reason = 'failing'");
    await addShop(workshop, "second");
    const run = await doctor();
    expectOnly(run, 1, /^problem, webhooks: .* is disabled because everything failed there; 1 event held/);
    expect(nextSteps(run).join()).toContain(`webhooks replay ${id}`);
  });

  test("reports an endpoint that has failed for more than a day", async () => {
    await add();
    plant(`update webhook_endpoints set failures = 3, failing_since = '${OLD}'`);
    expectOnly(await doctor(), 1, /^problem, webhooks: Everything posted to a test webhook endpoint/);
  });

  test("notices an endpoint that its owner disabled, and what is held for it", async () => {
    const id = await add();
    await workshop.run(`webhooks update ${id} --status disabled`);
    expectOnly(await doctor(), 0, /^notice, webhooks: A test webhook endpoint is disabled; 0 events held/);
    await addShop(workshop, "second");
    expectOnly(await doctor(), 0, /^notice, webhooks: A test webhook endpoint is disabled; 1 event held/);
  });
});

test("a check that cannot read its data does not hide the findings of others", async () => {
  await issue(workshop, [receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
  plant(`update documents set error_json = '{"code":'`);
  const run = await doctor();
  const { findings } = run.json<PrintedDiagnosis>();
  expect(findings).toContainEqual(
    expect.objectContaining({
      severity: "problem",
      message: expect.stringContaining("SyntaxError") as string,
    }),
  );
  expect(new Set(findings.map(({ check }) => check)).size).toBeGreaterThan(8);
  expect(run.exitCode).toBe(1);
});

describe("doctor on documents", () => {
  const age = `created_at = '${OLD}', updated_at = '${OLD}'`;

  test.each([
    ["queued", "phase = 'queued'", /Queued for/],
    ["in sending", "phase = 'submitting', lease_until = '2100-01-01', next_at = null", /Being sent/],
    ["without a MARK", "phase = 'awaiting_mark', next_at = '2100-01-01'", /Without a MARK/],
    ["unknown", "phase = 'reconciling', next_at = '2100-01-01'", /with an unknown outcome/],
    ["set aside", "next_at = null", /Set aside/],
  ])("reports documents that are %s for long", async (_name, state, pattern) => {
    await issue(workshop, [receipt("A-1"), receipt("A-2")], ["--no-wait"]);
    plant(`update documents set next_at = '2100-01-01', ${age}`, `update documents set ${state}`);
    const run = await doctor();
    expectOnly(run, 1, pattern);
    expect(complaints(run)[0]).toMatch(/^problem, documents: .*: 2 test documents\./);
    expect(
      run.json<PrintedDiagnosis>().findings.find(({ check }) => check === "documents")?.subjects,
    ).toHaveLength(2);
  });

  test("reports documents that wait for a connection", async () => {
    await issue(workshop, [receipt("A-1")], ["--no-wait"]);
    const id = "con_0000000000000000000001";
    plant(
      connection(id, "test", "invalid"),
      `update documents set next_at = null, connection_id = '${id}', provider = 'registry_direct', ${age}`,
    );
    const found = complaints(await doctor());
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/Waiting for a connection that the provider refuses: 1 test document\./);
  });

  test("accepts recent documents", async () => {
    await issue(workshop, [receipt("A-1")], ["--no-wait"]);
    expect(complaints(await doctor())).toEqual([]);
  });

  test("reports failed documents that can be sent again, until their number is abandoned", async () => {
    await issue(workshop, [receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
    const run = await doctor();
    expectOnly(run, 1, /^problem, documents: Not delivered, and can be sent again: 1 test document\./);
    expect(nextSteps(run)[0]).toContain(`fiscal ${data()} documents retry doc_`);
    await workshop.run("documents abandon A-1 --reason 'issued on paper' --yes");
    expect(complaints(await doctor())).toEqual([]);
  });

  test("reports a second MARK that someone must cancel", async () => {
    await issue(workshop, [receipt("A-1")]);
    plant(
      `insert into surplus_marks (document_id, mark, state, tries, found_at) select id, '400000000000009', 'stuck', 5, '${OLD}' from documents`,
    );
    expectOnly(await doctor(), 1, /^problem, documents: Registered twice, .*: 1 test document\./);
  });

  // docs/contract.md#highest-mark-wins
  test("reports a later MARK that was registered after the document's own was reported", async () => {
    await issue(workshop, [receipt("A-1")]);
    plant(
      `insert into surplus_marks (document_id, mark, state, found_at) select id, '400000000000009', 'later', '${OLD}' from documents`,
    );
    const run = await doctor();
    expectOnly(run, 1, /^problem, documents: Registered again at the authority .*: 1 test document\./);
    expect(nextSteps(run)[0]).toContain("the later MARK 400000000000009 as the valid one and not 4");
  });

  test("reports a queue that nothing processes", async () => {
    await issue(workshop, [receipt("A-1")], ["--no-wait"]);
    const minutesAgo = new Date(Date.now() - 600_000).toISOString();
    plant(`update documents set next_at = '${minutesAgo}'`);
    const run = await doctor();
    expectOnly(run, 1, /^problem, queue: Due, but no server is processing them: 1 test document\./);
    expect(nextSteps(run)).toEqual([`fiscal ${data()} serve`]);
  });
});

describe("doctor on records", () => {
  test("reports an unexplained number", async () => {
    await issue(workshop, [receipt("A-1")]);
    plant("update series set next_number = next_number + 2");
    expectOnly(await doctor(), 1, /^problem, numbering: Nothing explains ALP 2 to 3 \(supplier .*, test\)\./);
  });

  test("distinguishes keys that expired in use, that will expire, and unused ones", async () => {
    await workshop.run("keys create --mode live --name 'web shop' --expires-in 5");
    expectOnly(await doctor(), 0, /^notice, keys: The live key "web shop" \(….{4}\) is refused from /);
    plant(`update api_keys set expires_at = '${OLD}'`);
    expectOnly(await doctor(), 0, /^notice, keys: .* is refused from 2025-01-01/);
    plant("update api_keys set last_used_at = expires_at");
    expectOnly(await doctor(), 1, /^problem, keys: .* is refused from 2025-01-01/);
    plant(`update api_keys set revoked_at = '${OLD}'`);
    expect(complaints(await doctor())).toEqual([]);
  });

  test("reports bodies kept beyond their retention", async () => {
    plant(`insert into bodies (id, sealed, created_at) values ('rql_${idBodyAt(0)}', x'00', '${OLD}')`);
    expectOnly(await doctor(), 1, /^problem, retention: Logged bodies are kept .* has never run/);
    plant("insert into watermarks (name, through) values ('forgetting', '2026-01-02')");
    expectOnly(await doctor(), 1, /last ran on 2026-01-02/);
  });
});

describe("doctor --online", () => {
  async function withServer(headers: Record<string, string>): Promise<Run> {
    const server = createServer((_request, response) => {
      response.sendDate = false;
      response.writeHead(403, headers).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const env = { FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: `http://127.0.0.1:${port}` };
      return await doctor(["--online"], { env });
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  test("compares the clock with the authority's", async () => {
    const hourAhead = new Date(Date.now() + 3_600_000).toUTCString();
    expectOnly(
      await withServer({ Date: hourAhead }),
      1,
      /^problem, clock: The clock is 3\d\d\d seconds behind/,
    );
    expect(complaints(await withServer({ Date: new Date().toUTCString() }))).toEqual([]);
    expect(complaints(await withServer({}))).toEqual([]);
  });

  test("reports that the authority does not respond", async () => {
    const env = { FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: "http://127.0.0.1:9" };
    expectOnly(await doctor(["--online"], { env }), 1, /^problem, clock: 127\.0\.0\.1:9 cannot be reached/);
  });
});
