/** Measures tax number lookups from the cache, compared with a bare SELECT and JSON.parse of the same response. */
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Appliance } from "../src/appliance.ts";
import { createAnswerCache } from "../src/tax-ids/lookup-cache.ts";
import { openBenchAppliance } from "./material.ts";
import { type Row, rowOf } from "./results.ts";
import { alternate, type Effort, type Sample, timed, withFolder } from "./rounds.ts";

const ANSWERS = 1_000;
const LOOKUPS = 20_000;
/** Yields to the event loop, because a server also has other work. */
const LOOKUPS_A_TURN = 50;

const FINDING = {
  valid: true,
  name: "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΝΩΝΥΜΗ ΕΤΑΙΡΕΙΑ||ΥΠΟΔΕΙΓΜΑ",
  address: "ΛΕΩΦΟΡΟΣ ΔΟΚΙΜΩΝ 101 10431 - ΑΘΗΝΑ",
};

const codeOf = (index: number) => String(100_000_000 + (index % ANSWERS));

async function fill(appliance: Appliance): Promise<void> {
  const cache = createAnswerCache({ ...appliance, cacheHours: 24 });
  const checkedAt = appliance.clock.now();
  const kept = Array.from({ length: ANSWERS }, (_none, index) =>
    cache.store({ country: "DE", code: codeOf(index) }, { ...FINDING, checkedAt }),
  );
  await Promise.all(kept);
}

type Lookup = (code: string) => unknown;

function openBare(file: string, checkedAt: string): Lookup {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.exec(
    `create table answers (country text not null, code text not null, json text not null, primary key (country, code))
     strict, without rowid`,
  );
  const insert = database.prepare("insert into answers (country, code, json) values ('DE', ?, ?)");
  database.transaction(() => {
    for (let index = 0; index < ANSWERS; index += 1) {
      const code = codeOf(index);
      const answer = { object: "tax_id_lookup", country: "DE", code, ...FINDING };
      insert.run(code, JSON.stringify({ ...answer, source: "eu_registry", checked_at: checkedAt }));
    }
  })();
  const select = database.prepare<[string, string], { json: string }>(
    "select json from answers where country = ? and code = ?",
  );
  return (code) => JSON.parse(select.get("DE", code)?.json ?? "") as unknown;
}

async function measure(lookup: Lookup): Promise<Sample> {
  const elapsedMs = await timed(async () => {
    for (let index = 0; index < LOOKUPS; index += 1) {
      await lookup(codeOf(index));
      if (index % LOOKUPS_A_TURN === 0) await new Promise<void>((turn) => setImmediate(turn));
    }
  });
  return { perSecond: (LOOKUPS / elapsedMs) * 1000 };
}

export async function* benchLookups({ rounds }: Effort): AsyncGenerator<Row> {
  const measured = await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    await fill(appliance);
    const bare = openBare(join(folder, "bare.db"), appliance.clock.now());
    const ours: Lookup = (code) => appliance.taxIds.lookup("live", { country: "DE", code });
    const taken = await alternate(rounds, { ours: () => measure(ours), bare: () => measure(bare) });
    await appliance.stop(0);
    return taken;
  });
  yield rowOf(measured, {
    name: "lookups",
    ours: "ours",
    reference: "bare",
    about: "a tax-number lookup from the cache, compared with a bare SELECT and JSON.parse",
    value: (one, other) => other.perSecond / one.perSecond,
  });
}
