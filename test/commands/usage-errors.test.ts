/** Command lines that are refused before anything is done: exit code 2, nothing on standard output, and what is wrong. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readCommandLine } from "../helpers/command-lines.ts";
import { issueAll } from "../helpers/issuing.ts";
import { lines, openShop, receipt } from "../helpers/receipts.ts";
import { forAllTests } from "../helpers/set-up.ts";
import { expectRefused } from "../helpers/program.ts";

const PERIOD = "--from 2025-10-01 --to 2025-10-31";
const LISTEN = "--forward-to http://localhost/";
const VERIFY = "--secret-file secret.txt --body-file body.json";
const COFFEE = "--type 11.1 --line 'Καφές";

/** By command: its arguments, and what the error says. No message repeats `hunter2` or the wrong tax number. */
const REFUSED: Readonly<Record<string, readonly (readonly [args: string, ...says: string[]])[]>> = {
  "": [
    ["merchnats", "'merchnats'", "merchants"],
    ["help merchnats", "'merchnats'", "merchants"],
    ["--jsn merchants list", "--jsn", "--json"],
    ["merchants lst", "'lst'", "list"],
  ],
  audit: [
    ["--against evt_1:00", "--against"],
    ["--against evt_0351LhTBYfO6G8yNM8LBz9", "--against"],
    [`--against doc_0351LhTBYfO6G8yNM8LBz9:${"0".repeat(64)}`, "--against"],
  ],
  backup: [
    ["", "backup.directory"],
    ["''", "backup.directory"],
  ],
  "connections add --merchant shop": [
    ["", "--provider is missing: one of"],
    ["--provider sandbox", "--provider takes one of"],
    ["--provider registry_direct", "--user-id and --subscription-key are missing"],
    [
      `--provider registry_direct --user-id u --subscription-key ${"hunter2".repeat(40)}`,
      "credentials.subscription_key",
    ],
  ],
  console: [
    ["--sign-out-all --port 9", "--sign-out-all prints no link"],
    ["--port 0", "--port"],
    ["--url ftp://fiscal.example.com", "--url takes an http or https address"],
    ["--url https://name:hunter2@fiscal.example.com", "--url takes an http or https address"],
    ["--url https://fiscal.example.com --port 9", "contradict"],
  ],
  "doctor --merchant shop": [["", "--live-checklist"]],
  "documents abandon A-1": [
    ["--yes", "--reason is missing"],
    ["--reason x", "--yes is missing"],
    ["--reason ' ' --yes", "reason"],
  ],
  "documents export": [
    ["--to 2025-10-31", "--from is missing"],
    ["--from 2025-10-01", "--to is missing"],
    ["--from 2025-10-02 --to 2025-10-01", "--to is before --from"],
    ["--from 01/31/2025 --to 2025-02-01", "--from takes a day like"],
    ["--from 2025-01-32 --to 2025-02-01", "--from takes a day like"],
    [`${PERIOD} --type 9.9`, "--type takes one of"],
    [`${PERIOD} --status cancelled`, "--status takes one of"],
    [`${PERIOD} --format xlsx --totals t.csv`, "--totals is for --format csv"],
    [`${PERIOD} --output a.csv --totals ./a.csv`, "name the same file"],
    [`${PERIOD} --output a.csv --groups a.csv`, "name the same file"],
    [`${PERIOD} --output a.csv --groups b.csv --totals ./b.csv`, "name the same file"],
    [`${PERIOD} --json --format csv`, "contradict each other"],
    [`${PERIOD} --output a.txt`, "ends in .csv, .xlsx or .json"],
    [`${PERIOD} --output a.xls --format csv`, "ends in .csv, .xlsx or .json"],
    [`${PERIOD} --output a.xlsx --format csv`, "--format csv and --output ….xlsx contradict"],
    [`${PERIOD} --output a.csv --json`, "--json and --output ….csv contradict"],
    [`${PERIOD} --output a.json --groups b.csv`, "--groups is for --format csv"],
    [`${PERIOD} --output no/such/folder.csv`, "there is no such file or folder"],
  ],
  "documents issue": [
    ["", "missing argument"],
    ["nowhere.json", "nowhere.json cannot be used: there is no such file"],
    ["a.txt", "--format is missing"],
    ["a.csv", "--merchant is missing"],
    ["a.json --provider nobody", "--provider takes one of"],
    ["a.json --report nowhere/r.csv", "nowhere/r.csv cannot be used"],
  ],
  "documents issue --merchant shop": [
    ["shop.csv --map bad.toml", "bad.toml: columns.referense: is not a known column"],
    ["shop.csv --map nowhere.toml", "nowhere.toml cannot be used"],
    ["shop.csv --remember-map", "--map or --column is missing"],
    ["shop.csv --column Είδος", '--column takes "name in the file=our column"'],
    ["shop.csv --column Είδος=item", "columns.item: is not a known column"],
    ["shop.csv --default type=9", "defaults.type: must be one of"],
    ["a.ndjson --map map.toml", "--map is for tables"],
    ["a.ndjson --column a=unit", "--column is for tables"],
    ["a.ndjson --default type=1.1", "--default is for tables"],
    ["a.ndjson --sheet S", "--sheet is for tables"],
  ],
  "documents list": [
    ["--status sent", "--status", "pending, issued, rejected, failed"],
    ["--created-from yesterday", "--created-from", "2026-11-05T08:30:00Z"],
    ["--json=", "--json"],
    ["--json id,", "--json"],
    ["id --json", "validation_failed"],
    ["--json id status", "validation_failed"],
    ["--lang --json", "validation_failed"],
    ["--all --json --starting-after doc_1", "starting_after"],
    ["--month 2025-01 --issued-to 2025-01-15", "contradict"],
  ],
  "documents new --merchant shop": [
    ["", "--type is missing"],
    ["--type 1.1", "--customer is missing"],
    ["--type 1.1 --customer DE129273398", "--customer-name is missing"],
    ["--type 11.1", "--line is missing"],
    ["--type 11.1 --customer 094012834", "fiscal: --customer: is not allowed for type 11.1"],
    [`${COFFEE}; 1; 2; 24%'`, "--payment is missing"],
    [`${COFFEE}; 2; 24%'`, "description; quantity; price; vat"],
    [`${COFFEE}; x; 2; 24%'`, "--line 1: the quantity"],
    [`${COFFEE}; 1 box; 2; 24%'`, "--line 1: the unit"],
    [`${COFFEE}; 1; 1.234; 24%'`, "the price is ambiguous"],
    [`${COFFEE}; 1; 2; 25%'`, "the VAT must be"],
    [`${COFFEE}; 1; 2; 0%'`, "exemption cause"],
  ],
  "documents pdf": [
    ["", "name one, or give --month (or --from and --to) and --out"],
    ["A-1 --from 2025-01-01", "leave the document out"],
    ["A-1 --out x --zip y", "--out and --zip contradict each other"],
    ["A-1 --format a5", "--format"],
    ["--name {year}/{total}", "--name takes the words {merchant}, {year}"],
    ["--name {year}/{number}", "it needs {series} and {number}, {mark} or {id}"],
    ["--from 2025-01-01 --out x", "--to is missing"],
    ["--from 2025-01-02 --to 2025-01-01 --out x", "--to is before --from"],
    ["--from 2025-01-02 --month 2025-01 --out x", "--month and --from contradict each other"],
    ["--output x.pdf", "--output is for one document"],
  ],
  "documents reconcile": [
    ["--to 2025-12-31", "--from is missing"],
    ["--from 2025-01-01", "--to is missing"],
    ["--from 2025-02-01 --to 2025-01-01", "--to is before --from"],
    ["--month 2025-01 --to 2025-01-31", "--month and --to contradict each other"],
    [`${PERIOD} --output report.pdf`, "ends in .csv or .xlsx"],
    [`${PERIOD} --adopt`, "--yes is missing"],
    [`${PERIOD} --cancel-surplus`, "--yes is missing"],
    [`${PERIOD} --yes`, "--yes belongs to --adopt or --cancel-surplus"],
  ],
  "documents retry A-1": [
    ["--timeout 0", "--timeout takes a whole number from 1 to 86400"],
    ["--timeout 5 --no-wait", "--timeout and --no-wait contradict each other"],
  ],
  "documents show": [["", "`fiscal documents list` lists them"]],
  "documents template": [
    ["--output a.pdf", ".csv, .xlsx or .json"],
    ["--type 9.9", "1.1, 2.1, 5.1, 5.2, 11.1, 11.2, 11.4"],
    ["--json --format csv", "contradict each other"],
  ],
  erase: [
    ["", "--tax-id is missing"],
    ["--tax-id 123456783", "--yes is missing"],
    ["--tax-id ' '", "tax_id"],
  ],
  "events tail": [
    ["--after evt_0000000000000000000000 --from-start", "contradict"],
    ["--after x", "after"],
  ],
  "keys create --name x": [["--mode hunter2", "--mode"]],
  "keys create --mode test": [
    ["--name a --live", "contradict"],
    ["--name ' '", "name"],
  ],
  "keys rotate-master": [
    ["", "--yes is missing"],
    ["--yes --new-key-file nowhere", "nowhere"],
    ["--yes --new-key-file hidden.txt", "--new-key-file must be 64 hexadecimal digits"],
  ],
  "mcp --api-key-file": [
    ["nowhere", "nowhere cannot be used"],
    ["-", "carries the protocol"],
  ],
  "merchants add --metadata pair": [["", "--metadata", "key=value"]],
  "merchants archive": [["", "`fiscal merchants list` lists them"]],
  "merchants archive shop": [["", "--yes is missing"]],
  "merchants list": [
    ["--limit", "--limit"],
    ["--limit hunter2", "--limit"],
    ["--secret=hunter2", "--secret"],
    ["-s=hunter2", "-s"],
    ["hunter2", "too many"],
    ["--lang fr", "--lang takes one of el, en"],
    ["--all --ending-before mer_0000000000000000000000", "--all"],
    ["--starting-after doc_0000000000000000000000", "starting_after"],
  ],
  "merchants settings shop": [
    ["--file nowhere.json", "nowhere.json cannot be used: there is no such file or folder"],
    ["--file - --paper phone=1", "give one or the other"],
    ["--closed-until 31/2/2026", "--closed-until"],
    ["--paper phone=1 --paper 'adress=Ερμού 12'", "adress"],
    ["--paper phone=1 --paper __proto__=x", "__proto__"],
    ["--paper phone=1 --paper branches.0.address=x", "branches.0.address"],
    ["--paper phone=1 --paper branches=", "not branches"],
    ["--paper phone=1 --paper email=nobody", "email"],
    ["--paper phone=1 --paper address", "--paper takes key=value"],
    ["--paper logo=none.png", "none.png cannot be used"],
  ],
  "move --yes": [
    ["", "--to"],
    ["--to postgres://a@b/c --to-file address", "contradict"],
    ["--to-file nowhere", "nowhere"],
  ],
  openapi: [["--json=info", "--json"]],
  quickstart: [["--live", "--live"]],
  "reports vat": [
    ["--to 2025-12-31", "--from is missing"],
    ["--from 2025-01-01", "--to is missing"],
    ["--from 2025-02-01 --to 2025-01-01", "--to is before --from"],
    ["--month 2025-13", "--month takes a month like"],
    [`${PERIOD} --output report.pdf`, "ends in .csv or .xlsx"],
  ],
  restore: [["a.json", "--yes is missing"]],
  serve: [
    ["--workers 2", "a server is one process"],
    ["--workers", "a server is one process"],
    ["--port 65536", "--port"],
    ["--port http", "--port"],
    ["--socket fiscal.sock --port 0", "--socket"],
    ["--socket fiscal.sock --open", "--socket"],
    ["--socket fiscal.sock --qr", "--socket"],
  ],
  "tax-id lookup": [
    ["", "number"],
    ["123456783", "the two letters of its country"],
    ["GR", "the two letters of its country"],
    ["GR 123456789", "code"],
    ["US 123456783", "country"],
  ],
  trigger: [
    ["issued --live", "omit --live"],
    ["explode", "issued, rejected, unavailable, unavailable_once, timeout, pending"],
  ],
  "webhooks listen": [
    ["", "--forward-to"],
    ["--forward-to ftp://localhost/", "http or https"],
    ["--forward-to localhost:3000", "http or https"],
    ["--forward-to http://me:hunter2@localhost/", "without a user"],
    [`${LISTEN} --from-start --from-now`, "contradict"],
    [`${LISTEN} --events document.lost`, "--events"],
    [`${LISTEN} --secret-file gone.txt`, "gone.txt"],
    [`${LISTEN} --secret-file hidden.txt`, "whsec_"],
  ],
  "webhooks verify": [
    [VERIFY, "--header"],
    ["--body-file body.json --header t=1", "--secret-file"],
    ["--secret-file secret.txt --header t=1", "--body-file"],
    ["--secret-file - --body-file - --header t=1", "standard input"],
    ["--secret-file gone.txt --body-file body.json --header t=1", "gone.txt"],
    ["--secret-file empty.txt --body-file body.json --header t=1", "empty"],
    ["--secret-file large.txt --body-file body.json --header t=1", "large.txt"],
    [`${VERIFY} --header t=1 --at yesterday`, "--at"],
  ],
};

const FILES: Readonly<Record<string, string>> = {
  "a.json": '{"merchant":"x"}',
  "a.txt": '{"merchant":"x"}',
  "a.csv": '{"merchant":"x"}',
  "a.ndjson": lines([receipt("B-1")]),
  "shop.csv": "Παραστατικό;Είδος\nB-1;Καφές\n",
  "map.toml": '[columns]\nreference = "Παραστατικό"\n',
  "bad.toml": '[columns]\nreferense = "Παραστατικό"\n',
  "hidden.txt": "hunter2",
  "secret.txt": `whsec_${Buffer.alloc(32, 3).toString("base64")}\n`,
  "body.json": "{}",
  "empty.txt": "\n",
  "large.txt": "x".repeat(70_000),
};

const workshop = forAllTests(openShop);
let before: unknown[];
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) await workshop.write(name, text);
  await issueAll(workshop, [receipt("A-1", "unavailable")]);
  before = await readAll();
});

async function readAll(): Promise<unknown[]> {
  const lists = ["events list --all", "keys list", "merchants settings shop", "documents list"];
  const data = workshop.at("data");
  return Promise.all([
    ...lists.map(async (list) => (await workshop.run([...list.split(" "), "--json"])).json()),
    readFile(join(data, "master.key"), "utf8"),
    (await readdir(data)).filter((name) => name.startsWith("master.key")),
  ]);
}

const rows = Object.entries(REFUSED).flatMap(([command, all]) =>
  all.map(([args, ...says]) => [`${command} ${args}`.trim(), says] as const),
);

test.each(rows)("fiscal %s: %j", async (line, says) => {
  const run = await workshop.run(readCommandLine(`fiscal ${line}`).words);
  expectRefused(run, 2, ...says);
  expect(run.stderr).not.toMatch(/hunter2|123456789/);
});

test("none of them changed anything", async () => {
  expect(await readAll()).toEqual(before);
});
