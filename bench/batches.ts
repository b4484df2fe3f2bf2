/** CSV rows accepted, beside a bare loop from CSV into the same tables. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { parse } from "csv-parse";
import { acceptDocument } from "../src/documents/accept.ts";
import { readCsvDocuments } from "../src/documents/csv.ts";
import { fingerprint } from "../src/idempotency.ts";
import { csvLines, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, withFolder } from "./measure.ts";
import { openReferenceStore } from "./reference/store.ts";

const ROWS = 10_000;
const ROUNDS = 3;
/** Documents in a write, as the command line does it and as the bare loop does. */
const BATCH = 256;
const BARE_BATCH = 500;

function bytes(): Readable {
  return Readable.from(
    (function* () {
      for (const line of csvLines(ROWS)) yield Buffer.from(line);
    })(),
  );
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
  report("CSV rows accepted as documents, beside a bare loop that parses and writes the same rows unchecked");
  report(
    `  ${ratio(of(({ ours, bare }) => ours / bare))} of the bare loop (${of(({ ours }) => ours).toFixed(0)} rows/s; bare ${of(({ bare }) => bare).toFixed(0)} rows/s)`,
  );
}
