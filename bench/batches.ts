/** Measures accepting CSV rows, compared with a bare loop from CSV into the same tables. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { acceptDocument } from "../src/documents/accept.ts";
import { readCsvDocuments } from "../src/intake/csv.ts";
import { fingerprint } from "../src/journal/idempotency.ts";
import { csvLines, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, timedProcess, withFolder } from "./measure.ts";
import { openReferenceStore } from "./reference/store.ts";

const ROWS = 20_000;
const ROUNDS = 3;
/** Documents per write, for the command line and the bare loop. */
const BATCH = 256;
const BARE_BATCH = 500;

/** In pieces of 64 KiB, as a file is read. */
const PIECE_CHARACTERS = 65_536;

function bytes(): Readable {
  return Readable.from(pieces());
}

function* pieces(): Generator<Buffer> {
  let text = "";
  for (const line of csvLines(ROWS)) {
    text += line;
    if (text.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(text);
}

async function acceptOurs(folder: string): Promise<{ perSecond: number; merchant: string }> {
  const appliance = await openBenchAppliance(folder);
  const merchant = await makeMerchant(appliance);
  cpSync(join(folder, "data", "fiscal.db"), join(folder, "bare.db"));
  cpSync(join(folder, "data", "fiscal.db-wal"), join(folder, "bare.db-wal"));
  const cause = { mode: "test" as const, requestId: null, idempotencyKey: null };
  const started = performance.now();
  let waiting: Promise<unknown>[] = [];
  const supplier = { taxId: "123456783", branch: 0 };
  for await (const row of readCsvDocuments(bytes(), { supplier, today: "2026-11-21" })) {
    if ("problems" in row) throw new Error(JSON.stringify(row.problems));
    const body = { merchant, ...row.body };
    const claim = {
      operation: "issueDocument",
      key: `cli:${merchant}:${row.reference}`,
      fingerprint: fingerprint({}, body),
    };
    waiting.push(acceptDocument(appliance, body, cause, claim));
    if (waiting.length === BATCH) {
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
  const perSecond = (ROWS / (performance.now() - started)) * 1000;
  await appliance.stop(0);
  return { perSecond, merchant };
}

async function acceptBare(file: string, merchant: string): Promise<number> {
  const store = openReferenceStore(file, merchant);
  const started = performance.now();
  let batch: string[][] = [];
  const flush = () => {
    store.transaction(() => {
      for (const record of batch) store.insert(JSON.stringify(record), record[0] ?? "");
    });
    batch = [];
  };
  for await (const record of bytes().pipe(parse({ from_line: 2 })) as AsyncIterable<string[]>) {
    batch.push(record);
    if (batch.length === BARE_BATCH) flush();
  }
  flush();
  const perSecond = (ROWS / (performance.now() - started)) * 1000;
  store.close();
  return perSecond;
}

export async function benchBatches(): Promise<void> {
  const rounds: { ours: number; bare: number }[] = [];
  for (let count = 0; count < ROUNDS; count += 1) {
    await withFolder(async (folder) => {
      const { perSecond, merchant } = await acceptOurs(folder);
      rounds.push({ ours: perSecond, bare: await acceptBare(join(folder, "bare.db"), merchant) });
    });
  }
  const of = (pick: (result: { ours: number; bare: number }) => number) => median(rounds.map(pick));
  report(
    "CSV rows accepted as documents, compared with a bare loop that parses and writes the same rows unchecked",
  );
  report(
    `  ${ratio(of(({ ours, bare }) => ours / bare))} of the bare loop (${of(({ ours }) => ours).toFixed(0)} rows/s; bare ${of(({ bare }) => bare).toFixed(0)} rows/s)`,
  );
  await withFolder(async (folder) => {
    const { megabytes, perSecond } = await issueLarge(folder);
    report(
      `  ${LARGE_ROWS} rows by \`documents issue --no-wait\`: peak ${megabytes.toFixed(0)} MB, ${perSecond.toFixed(0)} rows/s with start and summary`,
    );
  });
}

const LARGE_ROWS = 100_000;
const PROGRAM = join(import.meta.dirname, "..", "bin", "fiscal.js");
const POLL_MS = 100;

/** Runs the built program with a large file. Its memory is the kernel's high water mark (Linux); NaN elsewhere. */
async function issueLarge(folder: string): Promise<{ megabytes: number; perSecond: number }> {
  const program = [PROGRAM, "--data-dir", join(folder, "data")];
  const merchant = ["merchants", "add", "--external-id", "bench", "--name", "B", "--tax-id", "123456783"];
  timedProcess([...program, ...merchant]);
  const file = join(folder, "large.csv");
  writeFileSync(file, [...csvLines(LARGE_ROWS)].join(""));
  const started = performance.now();
  const issue = ["documents", "issue", file, "--merchant", "bench", "--no-wait"];
  const child = spawn(process.execPath, [...program, ...issue], { stdio: "ignore" });
  let megabytes = Number.NaN;
  const poll = setInterval(() => {
    megabytes = highWaterOf(child.pid) ?? megabytes;
  }, POLL_MS);
  const [exitCode] = (await once(child, "exit")) as [number];
  clearInterval(poll);
  if (exitCode !== 0) throw new Error(`documents issue ended with ${exitCode}`);
  return { megabytes, perSecond: (LARGE_ROWS / (performance.now() - started)) * 1000 };
}

function highWaterOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch {
    // The process has just ended, or this is not Linux: keep the last figure.
    return undefined;
  }
}
