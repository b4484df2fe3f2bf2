/** Measures a page of the newest ten events among ten thousand and among a million. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { listEvents } from "../src/journal/list-events.ts";
import { idBodyAt } from "../storage/ids.ts";
import { makeMerchant, openBenchAppliance } from "./material.ts";
import { median, ratio, report, withFolder } from "./measure.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const PAGES = 400;
const ROUNDS = 5;

function fill(file: string, events: number, merchantId: string): void {
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  const insert = database.prepare(
    `insert into events (id, type, mode, object_json, document_id, merchant_id, created_at)
     values (?, ?, 'test', ?, ?, ?, '2026-11-21T10:00:00.000Z')`,
  );
  const snapshot = JSON.stringify({ id: "doc_0", object: "document", padding: "x".repeat(300) });
  const types = ["document.created", "document.issued"];
  database.transaction(() => {
    for (let event = 0; event < events; event += 1) {
      const body = idBodyAt(1_700_000_000_000 + event);
      insert.run(`evt_${body}`, types[event % 2], snapshot, `doc_${idBodyAt(event >> 1)}`, merchantId);
    }
  })();
  database.close();
}

/** Microseconds per page: the best of the rounds' medians. */
async function measure(folder: string): Promise<() => Promise<number>> {
  const appliance = await openBenchAppliance(folder);
  return async () => {
    const times: number[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      const started = performance.now();
      await listEvents(appliance, "test", { limit: 10 });
      times.push((performance.now() - started) * 1000);
    }
    return median(times);
  };
}

export async function benchPages(): Promise<void> {
  await withFolder(async (folder) => {
    const folders = { few: join(folder, "few"), many: join(folder, "many") };
    for (const [name, events] of [
      ["few", FEW],
      ["many", MANY],
    ] as const) {
      const appliance = await openBenchAppliance(folders[name]);
      const merchant = await makeMerchant(appliance);
      await appliance.stop(0);
      fill(join(folders[name], "data", "fiscal.db"), events, merchant);
    }
    const [few, many] = [await measure(folders.few), await measure(folders.many)];
    const pairs: { few: number; many: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) pairs.push({ few: await few(), many: await many() });
    const of = (pick: (pair: { few: number; many: number }) => number) => median(pairs.map(pick));
    report("A page of the newest ten events among 1,000,000, compared with one among 10,000");
    report(
      `  ${ratio(of((pair) => pair.many / pair.few))} (${of((pair) => pair.many).toFixed(0)} µs; among 10,000 ${of((pair) => pair.few).toFixed(0)} µs)`,
    );
  });
}
