/**
 * Measures what grows with the number of documents, in a folder filled by fill.ts: `npm run growth -- FOLDER`. Prints the processor
 * time of each list with every pair of filters, and of the commands that read all of a year.
 */
import { resolve } from "node:path";
import { createServer } from "../server/listen.ts";
import { makeKey, openBenchAppliance, SETTINGS } from "./material.ts";
import { PROGRAM, run } from "./processes.ts";
import { median } from "./rounds.ts";

const LIST_MS = 20;
const ROUNDS = 3;
const [filled] = process.argv.slice(2);
if (filled === undefined) throw new Error("The first argument must name the folder that fill.ts has filled");
const folder = resolve(filled);

type Row = Record<string, unknown>;
type Filters = Readonly<Record<string, string>>;

const appliance = await openBenchAppliance(folder);
const key = await makeKey(appliance);
const { app } = createServer(appliance);

async function list(path: string, filters: Filters): Promise<Row[]> {
  const query = new URLSearchParams(filters);
  const url = `http://127.0.0.1/api/v1/${path}?${query}`;
  const response = await app.fetch(new Request(url, { headers: { authorization: `Bearer ${key}` } }));
  if (!response.ok) throw new Error(`${path}?${query}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { data: Row[] }).data;
}

async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}

/** Common and rare values of each filter, of which each pair is measured. */
async function filtersOf(path: string): Promise<[string, string][]> {
  const newest = (await list(path, {}))[0] ?? {};
  const merchants = await list("merchants", {});
  const of = (name: string, ...values: readonly unknown[]) =>
    values
      .filter((value) => typeof value === "string" || typeof value === "number")
      .map((value): [string, string] => [name, String(value)]);
  const times = [
    ...of("created[gte]", "2026-01-01T00:00:00Z"),
    ...of("created[lte]", "2030-01-01T00:00:00Z"),
  ];
  const byMerchant = of("merchant", ...merchants.map(({ id }) => id));
  if (path === "documents")
    return [
      ...times,
      ...byMerchant,
      ...of("status", "pending", "issued", "rejected", "failed"),
      ...of("type", "1.1", "2.1", "5.2", "11.1", "11.4"),
      ...of("provider", "sandbox", "registry_direct"),
      ...of("mark", newest["mark"]),
      ...of("external_reference", newest["external_reference"]),
      ...of("customer_tax_id", "094012834", "090000045"),
      ...of("issue_date[gte]", "2026-01-01", "2026-11-01"),
      ...of("issue_date[lte]", "2026-01-31", "2026-12-31"),
    ];
  const document = of("document", (await list("documents", {}))[0]?.["id"]);
  if (path === "events")
    return [
      ...times,
      ...byMerchant,
      ...document,
      ...of("type", "document.created", "document.issued", "document.rejected", "merchant.created"),
    ];
  if (path === "provider_calls") return [...times, ...document];
  return [
    ...times,
    ...document,
    ...of("status", "201", "400", "500"),
    ...of("operation_id", "issueDocument", "listEvents"),
  ];
}

for (const path of ["documents", "events", "provider_calls", "requests"]) {
  const filters = await filtersOf(path);
  const measured: [number, string][] = [];
  for (const [at, one] of filters.entries())
    for (const other of filters.slice(at)) {
      if (one !== other && one[0] === other[0]) continue;
      const both = Object.fromEntries([one, other]);
      await list(path, both);
      const cpuMs = await cpuMsOf(() => list(path, both));
      measured.push([cpuMs, new URLSearchParams(both).toString()]);
    }
  measured.sort(([left], [right]) => right - left);
  const [[slowest, name] = [0, ""]] = measured;
  process.stdout.write(`${path}: ${measured.length} lists, the slowest ${slowest.toFixed(1)} ms (${name})\n`);
  for (const [cpuMs, query] of measured)
    if (cpuMs > LIST_MS) process.stdout.write(`  ${cpuMs.toFixed(1)} ms: ${query}\n`);
}
await appliance.stop(0);

for (const command of [
  "doctor",
  "reports vat --from 2026-01-01 --to 2026-12-31",
  "reports income --from 2026-01-01 --to 2026-12-31",
]) {
  const env = { ...SETTINGS, HOME: folder, FISCAL_DATA_DIR: `${folder}/data` };
  const { cpuMs } = await run([PROGRAM, ...command.split(" ")], env);
  process.stdout.write(`${command}: ${((cpuMs ?? 0) / 1000).toFixed(1)} s\n`);
}
