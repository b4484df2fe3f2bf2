/**
 * Several machines, for real (CONTRIBUTING.md#several-machines): `npm run machines -- --documents 5000 --series 40 --kills 20
 * --cuts 20`. Ends with exit code 1 if anything is violated.
 */
import { parseArgs } from "node:util";
import { startPostgres } from "../helpers/postgres.ts";
import { type Plan, play, type Played } from "./play.ts";

const { values } = parseArgs({
  options: {
    documents: { type: "string", default: "200" },
    series: { type: "string", default: "8" },
    kills: { type: "string", default: "2" },
    cuts: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
  },
});

function readNumber(name: keyof typeof values): number {
  const text = values[name];
  if (!/^(0|[1-9]\d{0,8})$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function describe(
  { documents, series }: Plan,
  { seconds, events, happened, repeats, violations }: Played,
): string {
  const row = (name: string, count: number | string) => `${name.padEnd(44)}${count}`;
  const sorted = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, count]) => row(`  ${name}`, count));
  return [
    row("documents", documents),
    row("series", series),
    row("events", events),
    row("seconds", seconds.toFixed(0)),
    "accidents",
    ...sorted(happened),
    "repeated requests",
    ...sorted(repeats),
    ...violations.map((violation) => `violation: ${violation}`),
    row("violations", violations.length),
  ].join("\n");
}

const given = process.env["FISCAL_TEST_POSTGRES_URL"];
const postgres = given === undefined ? await startPostgres() : { url: given, stop: async () => {} };
if (postgres === undefined) throw new Error("No PostgreSQL for this platform: set FISCAL_TEST_POSTGRES_URL");
try {
  const plan = {
    documents: readNumber("documents"),
    series: readNumber("series"),
    kills: readNumber("kills"),
    cuts: readNumber("cuts"),
    seed: readNumber("seed"),
  };
  const played = await play(postgres.url, plan, print);
  print(describe(plan, played));
  process.exitCode = played.violations.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
