import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, test } from "vitest";
import type { PrintedDiagnosis } from "../../commands/root/doctor.ts";
import { idBodyAt } from "../../storage/database/ids.ts";
import { openBench } from "../helpers/appliance.ts";
import { issue, NO_DELAYS } from "../helpers/issuing.ts";
import { openWorkshop, type Run } from "../helpers/program.ts";
import { addShop, receipt } from "../helpers/receipts.ts";
import { forEachTest, closing } from "../helpers/set-up.ts";

let merchant: string;
const workshop = forEachTest(openWorkshop);
beforeEach(async () => void (merchant = await addShop(workshop)));

const at = (...names: string[]) => workshop.at("data", ...names);
const databaseFile = () => at("fiscal.db");
/** How commands are suggested. */
const fiscal = () => `fiscal --data-dir ${at()}`;
const OLD = "2025-01-01T00:00:00.000Z";
const CONNECTION = "con_0000000000000000000001";

/** A row of the shop's connection to the authority. */
function connection(status: string, changes: Record<string, string> = {}): string {
  const error = status === "invalid" ? '{"code":"provider_credentials_invalid","provider_code":null}' : null;
  const columns: Record<string, string | null> = {
    id: CONNECTION,
    merchant_id: merchant,
    provider: "registry_direct",
    mode: "test",
    status,
    verified_at: OLD,
    last_error_json: error,
    created_at: OLD,
    ...changes,
  };
  const values = Object.values(columns).map((value) => (value === null ? "null" : `'${value}'`));
  return `insert into connections (${Object.keys(columns)}) values (${values})`;
}

const doctor = (env: Record<string, string> = {}, ...flags: string[]): Promise<Run> =>
  workshop.run(["doctor", "--json", ...flags], { env });
const findingsOf = (run: Run) => run.json<PrintedDiagnosis>().findings;

/** The findings that are not ok, as `severity, check: message`. */
function complaints(run: Run): string[] {
  return findingsOf(run)
    .filter(({ severity }) => severity !== "ok")
    .map(({ severity, check, message }) => `${severity}, ${check}: ${message}`);
}

/** Expects a single finding that is not ok, and returns the next steps. A problem ends doctor with 1. */
function expectOnly(run: Run, finding: RegExp, exitCode = finding.source.startsWith("^problem") ? 1 : 0) {
  expect(complaints(run)).toEqual([expect.stringMatching(finding)]);
  expect([run.exitCode, run.json<PrintedDiagnosis>().healthy]).toEqual([exitCode, exitCode === 0]);
  return findingsOf(run).flatMap(({ next_step: step }) => step ?? []);
}

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

  test("changes nothing and leaves no file behind, also while another program has the database open", async () => {
    const [before, bytes] = [await readdir(at()), await readFile(databaseFile())];
    expect((await doctor()).exitCode).toBe(0);
    expect(await readdir(at())).toEqual(before);
    expect((await readFile(databaseFile())).equals(bytes)).toBe(true);
    await using bench = await closing(openBench({ folder: workshop.folder }));
    await bench.makeKey("test");
    const used = await readFile(databaseFile());
    expect((await doctor()).exitCode).toBe(0);
    expect((await readFile(databaseFile())).equals(used)).toBe(true);
  });

  test("keeps the log of a program that has the database open", async () => {
    const open = new Database(databaseFile());
    try {
      open.exec("pragma journal_mode = WAL; update merchants set name = 'Other'");
      expect((await doctor()).exitCode).toBe(0);
      expect(await readdir(at())).toEqual(expect.arrayContaining(["fiscal.db-shm", "fiscal.db-wal"]));
      expect(open.prepare("select name from merchants").pluck().get()).toBe("Other");
    } finally {
      open.close();
    }
  });

  test("creates no data directory", async () => {
    const run = await workshop.runBare(["--data-dir", at("none"), "doctor", "--json"]);
    expectOnly(run, /^problem, database: There is no database at /);
    await expect(readFile(at("none"))).rejects.toThrow("ENOENT");
  });

  test.each<[Record<string, string>]>([
    [{ FISCAL_SERVER__HOST: "0.0.0.0", FISCAL_SERVER__PUBLIC_URL: "https://shop.example" }],
    [{ FISCAL_SERVER__PUBLIC_URL: "http://localhost:9000" }],
  ])("accepts %j", async (env) => {
    expect(complaints(await doctor(env))).toEqual([]);
  });

  test("accepts recent documents", async () => {
    await issue(workshop, [receipt("A-1")], ["--no-wait"]);
    expect(complaints(await doctor())).toEqual([]);
  });

  test("accepts disconnected connections and those of an archived merchant", async () => {
    workshop.change(connection("disconnected"), connection("invalid", { id: "con_0000000000000000000002" }));
    await workshop.run("merchants archive shop --yes");
    expect(complaints(await doctor())).toEqual([]);
  });
});

test.each<[setting: string, value: string, finding: RegExp, exitCode?: number]>([
  ["SERVER__PORT", "many", /^problem, configuration: server\.port /, 78],
  ["SERVER__HOST", "0.0.0.0", /^problem, configuration: server\.host is public/],
  ["SERVER__PUBLIC_URL", "http://shop.example", /^problem, configuration: server\.public_url is http/],
  ["SERVER__TRUSTED_PROXIES", "0.0.0.0/0", /^problem, configuration: server\.trusted_proxies/],
  ["PROVIDERS__PROVIDER_A__LIVE_URL", "http://a.example", /^problem, .*provider_a\.live_url is http/],
  ["MASTER_KEY", "0".repeat(64), /^problem, master key: The master key is not the one/],
])("doctor with the setting %s of %s finds %s", async (setting, value, finding, exitCode) => {
  expectOnly(await doctor({ [`FISCAL_${setting}`]: value }), finding, exitCode);
});

const hourAhead = () => Date.now() + 3_600_000;
const damage = async (bytes: string | Buffer) => writeFile(databaseFile(), bytes);

type Fault = readonly [happen: () => unknown, finding: RegExp, next?: () => string];

/** Expects only this finding once it has come about, and a next step that contains the text. */
async function expectFound([happen, finding, next]: Fault): Promise<void> {
  await happen();
  const steps = expectOnly(await doctor(), finding);
  if (next !== undefined) expect(steps.join("\n")).toContain(next());
}

const FAULTS: Readonly<Record<string, Fault>> = {
  "a token that others can read": [
    () => writeFile(at("config.toml"), '[server]\nmetrics_token = "0123456789abcdefghij"\n', { mode: 0o644 }),
    /^notice, configuration: .*config\.toml contains server\.metrics_token/,
  ],
  "a data directory that its group may write to": [
    () => chmod(at(), 0o720),
    /^problem, files: Other users may write to the data directory /,
    () => "chmod 700",
  ],
  "a data directory that others may write to": [
    () => chmod(at(), 0o702),
    /^problem, files: Other users may write to the data directory /,
    () => "chmod 700",
  ],
  "a database that others can open": [
    () => chmod(databaseFile(), 0o644),
    /^problem, files: Other users may open/,
    () => `chmod 600 ${databaseFile()}`,
  ],
  "a database that cannot be opened": [
    () => mkdir(at("fiscal.db-wal"), { mode: 0o700 }),
    /^problem, database: .* cannot be read: unable to open database file/,
    () => "run this as the user who owns it",
  ],
  "a file that is not a database": [
    () => damage("not a database, and long enough to be looked at".repeat(100)),
    /^problem, database: .*cannot be read/,
  ],
  "a trigger that fiscal did not create": [
    () => workshop.change("create trigger redirect after insert on merchants begin select 1; end"),
    /^problem, database: The schema is not .*: \+ trigger redirect\.$/,
  ],
  "a newer schema": [
    () => workshop.change("pragma user_version = 99"),
    /^problem, database: .*written by a newer fiscal/,
  ],
  "an empty file": [
    () => workshop.change("pragma user_version = 0"),
    /^problem, database: The database holds no tables of fiscal/,
  ],
  "a held appliance": [
    () => workshop.change("update appliance set state = 'held'"),
    /^problem, database: The appliance is held/,
  ],
  "rows that refer to nothing": [
    () => workshop.change("insert into filing_checks (document_id) values ('doc_0000000000000000000000')"),
    /^problem, database: Rows of filing_checks refer/,
  ],
  "an id of the future": [
    () => workshop.change(`update appliance set last_id = '${idBodyAt(hourAhead())}'`),
    /^notice, clock: The clock ran ahead and was set back by about 3\d\d\d seconds/,
  ],
  "a clock that was set back while no server ran": [
    () => workshop.change(`update appliance set clock_at = '${new Date(hourAhead()).toISOString()}'`),
    /^notice, clock: The clock ran ahead and was set back by about 3\d\d\d seconds/,
  ],
  "a master key that others can read": [
    () => chmod(at("master.key"), 0o640),
    /^problem, master key: Users other than its owner may read/,
  ],
  "credentials that do not decrypt": [
    () =>
      workshop.change(
        connection("active", { mode: "live" }),
        "update connections set credentials = x'00112233'",
      ),
    /^problem, master key: .*does not decrypt the credentials/,
  ],
  "an invalid connection in test mode": [
    () => workshop.change(connection("invalid")),
    /^problem, connections: The test connection of shop to registry_direct/,
    () => `${fiscal()} connections verify ${CONNECTION}`,
  ],
  "an invalid connection in live mode": [
    () => workshop.change(connection("invalid", { mode: "live" })),
    /^problem, connections: The live connection of shop to registry_direct/,
    () => `${fiscal()} --live connections verify ${CONNECTION}`,
  ],
  "a connection without an adapter": [
    () => workshop.change(connection("active", { provider: "provider_b" })),
    /^problem, connections: .*provider_b has no adapter/,
  ],
};

test.each(Object.entries(FAULTS))("doctor reports %s", (_what, fault) => expectFound(fault));

describe("doctor on the files", () => {
  test.each([
    ["a path that does not exist", () => at("master.key", "fiscal.db")],
    ["a folder in place of the database", () => workshop.folder],
  ])("reports %s", async (_what, path) => {
    const run = await doctor({ FISCAL_STORAGE__DATABASE: path() });
    expectOnly(run, /^problem, database: There is no database at /);
  });

  test("says why the database cannot be looked at, and not that there is none", async () => {
    const loop = workshop.at("loop.db");
    await symlink(loop, loop);
    const run = await doctor({ FISCAL_STORAGE__DATABASE: loop });
    const [next] = expectOnly(run, /^problem, database: The database .* cannot be examined: its links lead/);
    expect(next).toContain("run this as the user who owns it");
  });

  test("reads every page of a large file only with --deep", async () => {
    workshop.change(
      `insert into bodies (id, sealed, created_at) values ('x', zeroblob(140000000), '${OLD}')`,
    );
    expect(findingsOf(await doctor())).toContainEqual(
      expect.objectContaining({
        severity: "ok",
        message: "The database file opens. It is large, so its pages were not read.",
        next_step: expect.stringContaining("doctor --deep"),
      }),
    );
    const deep = findingsOf(await doctor({}, "--deep")).map(({ message }) => message);
    expect(deep).toContain("The database file is sound.");
  });

  test("reports a damaged page without a stack trace, and continues", async () => {
    await issue(workshop, [receipt("A-1")]);
    const page = 4096;
    // Not the page of the schema.
    await damage((await readFile(databaseFile())).fill(0xff, 2 * page, 2 * page + 200));
    const run = await doctor();
    expect(run).toMatchObject({ exitCode: 1, stderr: "" });
    expect(complaints(run)[0]).toMatch(/^problem, database: The database file is damaged: /);
    expect(findingsOf(run).some(({ check }) => check === "keys")).toBe(true);
    expect(run.stdout + run.stderr).not.toMatch(/ at .*\.ts:\d+/);
  });

  test("reports a missing master key and creates none", async () => {
    await rm(at("master.key"));
    expectOnly(await doctor(), /^problem, master key: The master key .* is missing/);
    await expect(readFile(at("master.key"))).rejects.toThrow("ENOENT");
  });
});

describe("doctor on webhooks", () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await workshop.read<{ id: string }>("webhooks add --url http://127.0.0.1:9/ --events '*'"));
  });

  test("reports an endpoint that was disabled because every delivery failed", async () => {
    workshop.change("update webhook_endpoints set status = 'disabled', disabled_reason = 'failing'");
    await addShop(workshop, "second");
    const finding = /^problem, webhooks: .* is disabled because everything failed there; 1 event held/;
    expect(expectOnly(await doctor(), finding).join()).toContain(`webhooks replay ${id}`);
  });

  test("reports an endpoint that has failed for more than a day", async () => {
    workshop.change(`update webhook_endpoints set failures = 3, failing_since = '${OLD}'`);
    expectOnly(await doctor(), /^problem, webhooks: Everything posted to a test webhook endpoint/);
  });

  test("notices an endpoint that its owner disabled, and what is held for it", async () => {
    await workshop.run(`webhooks update ${id} --status disabled`);
    expectOnly(await doctor(), /^notice, webhooks: A test webhook endpoint is disabled; 0 events held/);
    await addShop(workshop, "second");
    expectOnly(await doctor(), /^notice, webhooks: A test webhook endpoint is disabled; 1 event held/);
  });
});

const LONG_AGO = `next_at = '2100-01-01', created_at = '${OLD}', updated_at = '${OLD}'`;

test("a check that cannot read its data hides neither what it found before nor the findings of others", async () => {
  await issue(workshop, [receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
  await issue(workshop, [receipt("A-2")], ["--no-wait"]);
  workshop.change(
    `update documents set error_json = '{"code":' where status = 'failed'`,
    `update documents set ${LONG_AGO} where status = 'pending'`,
  );
  const run = await doctor();
  expect(complaints(run)).toEqual([
    expect.stringMatching(/^problem, documents: Queued for .*: 1 test document\./),
    expect.stringMatching(/^problem, documents: .*SyntaxError/),
  ]);
  expect(new Set(findingsOf(run).map(({ check }) => check)).size).toBeGreaterThan(8);
  expect(run.exitCode).toBe(1);
});

describe("doctor on documents that wait", () => {
  beforeEach(async () => void (await issue(workshop, [receipt("A-1"), receipt("A-2")], ["--no-wait"])));

  test.each([
    ["queued", "phase = 'queued'", "Queued for"],
    ["in sending", "phase = 'submitting', lease_until = '2100-01-01', next_at = null", "Being sent"],
    ["without a MARK", "phase = 'awaiting_mark'", "Without a MARK"],
    ["unknown", "phase = 'reconciling'", "with an unknown outcome"],
    ["set aside", "next_at = null", "Set aside"],
  ])("reports those that are %s for long", async (_name, state, says) => {
    workshop.change(`update documents set ${LONG_AGO}`, `update documents set ${state}`);
    const run = await doctor();
    expectOnly(run, new RegExp(`^problem, documents: .*${says}.*: 2 test documents\\.`));
    expect(findingsOf(run).find(({ check }) => check === "documents")?.subjects).toHaveLength(2);
  });

  test("reports those that wait for a connection", async () => {
    const waiting = `next_at = null, connection_id = '${CONNECTION}', provider = 'registry_direct'`;
    workshop.change(
      connection("invalid"),
      `update documents set ${LONG_AGO}`,
      `update documents set ${waiting}`,
    );
    const found = complaints(await doctor());
    expect(found).toHaveLength(2);
    expect(found[1]).toMatch(/Waiting for a connection that the provider refuses: 2 test documents\./);
  });

  test("reports a queue that nothing processes", async () => {
    workshop.change(`update documents set next_at = '${new Date(Date.now() - 600_000).toISOString()}'`);
    const finding = /^problem, queue: Due, but no server is processing them: 2 test documents\./;
    expect(expectOnly(await doctor(), finding)).toEqual([`${fiscal()} serve`]);
  });
});

test("doctor reports failed documents that can be sent again, until their number is abandoned", async () => {
  await issue(workshop, [receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
  const finding = /^problem, documents: Not delivered, and can be sent again: 1 test document\./;
  expect(expectOnly(await doctor(), finding)[0]).toContain(`${fiscal()} documents retry doc_`);
  // It works unchanged when live is the default mode.
  const [inLive] = findingsOf(await doctor({ FISCAL_DEFAULT_MODE: "live" })).flatMap(
    (one) => one.next_step ?? [],
  );
  expect(inLive).toContain(`FISCAL_DEFAULT_MODE=test ${fiscal()} documents retry doc_`);
  await workshop.run("documents abandon A-1 --reason 'issued on paper' --yes");
  expect(complaints(await doctor())).toEqual([]);
  // Sent again, it has another number, which is not abandoned.
  await workshop.run("documents retry A-1", { env: NO_DELAYS });
  expectOnly(await doctor(), finding);
});

const MARK = "400000000000009";
const surplus = (state: string) =>
  workshop.change(`insert into surplus_marks (document_id, mark, state, tries, found_at)
    select id, '${MARK}', '${state}', 5, '${OLD}' from documents where external_reference = 'A-1'`);

/** The document `A-1`. */
let issued: string;

/** The same of documents that were issued. */
const FAULTS_OF_ISSUED: typeof FAULTS = {
  "contents of documents that do not decrypt": [
    () =>
      workshop.change(`update document_inputs set sealed = x'00112233'
        where document_id = (select max(id) from documents)`),
    /^problem, master key: .*does not decrypt .* the contents of some documents/,
    () => `${fiscal()} audit`,
  ],
  "a provider's PDF that is no longer tried": [
    () =>
      workshop.change(`insert into provider_pdfs (document_id, sealed, due_at, tries)
        select id, null, iif(external_reference = 'A-1', null, '${OLD}'), 10 from documents`),
    /^notice, documents: The provider's PDF could not be fetched, and is no longer tried/,
    () => `documents pdf ${issued}`,
  ],
  "a second MARK that someone must cancel": [
    () => surplus("stuck"),
    /^problem, documents: Registered twice, .*: 1 test document\./,
  ],
  // docs/contract.md#highest-mark-wins
  "a later MARK that was registered after the document's own was reported": [
    () => surplus("later"),
    /^problem, documents: Registered again at the authority .*: 1 test document\./,
    () => `the later MARK ${MARK} as the valid one and not 4`,
  ],
  "unexplained numbers": [
    () => workshop.change("update series set next_number = next_number + 2"),
    /^problem, numbering: Nothing explains ALP 3 to 4 \(supplier .*, test\)\./,
  ],
};

test.each(Object.entries(FAULTS_OF_ISSUED))("doctor reports %s", async (_what, fault) => {
  await issue(workshop, [receipt("A-1"), receipt("A-2")]);
  ({ id: issued } = await workshop.read<{ id: string }>("documents show A-1"));
  await expectFound(fault);
});

test("doctor on records distinguishes keys that expired in use, that will expire, and unused ones", async () => {
  await workshop.run("keys create --mode live --name 'web shop' --expires-in 5");
  expectOnly(await doctor(), /^notice, keys: The live key "web shop" \(….{4}\) is refused from /);
  workshop.change(`update api_keys set expires_at = '${OLD}'`);
  expectOnly(await doctor(), /^notice, keys: .* is refused from 2025-01-01/);
  workshop.change("update api_keys set last_used_at = expires_at");
  expectOnly(await doctor(), /^problem, keys: .* is refused from 2025-01-01/);
  workshop.change(`update api_keys set revoked_at = '${OLD}'`);
  expect(complaints(await doctor())).toEqual([]);
});

test("doctor on records reports bodies kept beyond their retention", async () => {
  workshop.change(
    `insert into bodies (id, sealed, created_at) values ('rql_${idBodyAt(0)}', x'00', '${OLD}')`,
  );
  expectOnly(await doctor(), /^problem, retention: Logged bodies are kept .* has never run/);
  workshop.change("insert into watermarks (name, through) values ('forgetting', '2026-01-02')");
  expectOnly(await doctor(), /^problem, retention: .*last ran on 2026-01-02/);
});

const online = (url: string) => doctor({ FISCAL_PROVIDERS__REGISTRY_DIRECT__LIVE_URL: url }, "--online");

async function withServer(headers: Record<string, string>): Promise<Run> {
  const server = createServer((_request, response) => {
    response.sendDate = false;
    response.writeHead(403, headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    return await online(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

test("doctor --online compares the clock with the authority's", async () => {
  const ahead = await withServer({ Date: new Date(hourAhead()).toUTCString() });
  expectOnly(ahead, /^problem, clock: The clock is 3\d\d\d seconds behind/);
  expect(complaints(await withServer({ Date: new Date().toUTCString() }))).toEqual([]);
  expect(complaints(await withServer({}))).toEqual([]);
});

test("doctor --online reports that the authority does not respond", async () => {
  expectOnly(await online("http://127.0.0.1:9"), /^problem, clock: 127\.0\.0\.1:9 cannot be reached/);
});
