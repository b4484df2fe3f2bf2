/** Measures a page of the newest ten events among ten thousand and among ten million. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Appliance } from "../src/appliance.ts";
import { listEvents } from "../src/journal/list-events.ts";
import { idBodyAt } from "../storage/database/ids.ts";
import { makeMerchant, openBenchAppliance } from "./material.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, median, type Sample, timed, withFolder } from "./rounds.ts";

const FEW = 10_000;
const MANY = 10_000_000;
const PAGES = 400;
const FIRST_MS = 1_700_000_000_000;

function fill(file: string, events: number, merchantId: string): void {
  const database = new Database(file);
  database.pragma("synchronous = OFF");
  const insert = database.prepare(
    `insert into events (id, type, mode, object_json, document_id, merchant_id, created_at, chain)
     values (?, ?, 'test', ?, ?, ?, '2026-11-21T10:00:00.000Z', zeroblob(32))`,
  );
  const snapshot = JSON.stringify({ id: "doc_0", object: "document" });
  const types = ["document.created", "document.issued"];
  database.transaction(() => {
    for (let event = 0; event < events; event += 1) {
      const documentId = `doc_${idBodyAt(FIRST_MS + (event >> 1))}`;
      insert.run(`evt_${idBodyAt(FIRST_MS + event)}`, types[event % 2], snapshot, documentId, merchantId);
    }
  })();
  database.close();
}

async function openFilled(folder: string, events: number): Promise<Appliance> {
  const appliance = await openBenchAppliance(folder);
  const merchant = await makeMerchant(appliance);
  await appliance.stop(0);
  fill(join(folder, "data", "fiscal.db"), events, merchant);
  return openBenchAppliance(folder);
}

async function readPages(appliance: Appliance): Promise<Sample> {
  const times: number[] = [];
  for (let page = 0; page < PAGES; page += 1)
    times.push(await timed(() => listEvents(appliance, "test", { limit: 10 })));
  const p50Ms = median(times);
  return { perSecond: 1000 / p50Ms, p50Ms };
}

export async function* benchPages({ rounds, share }: Effort): AsyncGenerator<Row> {
  const events = MANY * share;
  const measured = await withFolder(async (folder) => {
    const few = await openFilled(join(folder, "few"), FEW);
    const many = await openFilled(join(folder, "many"), events);
    return alternate(rounds, { few: () => readPages(few), many: () => readPages(many) });
  });
  yield rowOf(measured, {
    name: "pages",
    ours: "many",
    reference: "few",
    goal: { atMost: 1.05 },
    about: `a page of the newest ten events among ${events}, compared with one among ${FEW}`,
    value: (many, few) => many.p50Ms! / few.p50Ms!,
  });
}
