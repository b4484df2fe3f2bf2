/** Which documents a claim finds while the first in the queue wait for their counter. */
import { beforeAll, expect, test } from "vitest";
import { claimForSending, findDueSends } from "../../storage/documents/send-claims.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { openBench } from "../helpers/appliance.ts";
import { forAllTests } from "../helpers/set-up.ts";

/** More than a claim looks at first. */
const WAITING = 520;

let lastId: string;
const bench = forAllTests(openBench);
beforeAll(async () => {
  const merchant = await bench.makeMerchant();
  await Promise.all(Array.from({ length: WAITING }, () => bench.acceptFor(merchant, { series: "BUSY" })));
  bench.advance(1000);
  lastId = await bench.acceptFor(merchant, { series: "FREE" });
  bench.advance(1000);
});

async function claim(trx: Transaction, limit: number, mayReadAll: () => boolean): Promise<string[]> {
  const due = new Date(trx.clockMs).toISOString();
  const rows = await findDueSends(trx, { provider: "sandbox", limit, excluded: [], due, mayReadAll });
  await claimForSending(trx, rows, { owner: "one", until: new Date(trx.clockMs + 60_000).toISOString() });
  return rows.map(({ id }) => id);
}

test("a document behind hundreds of others that wait for a busy counter is found by reading the whole queue", async () => {
  const claimed = await bench.appliance.store.write(async (trx) => {
    let reads = 0;
    const readAll = () => {
      reads += 1;
      return true;
    };
    const busy = await claim(trx, 1, readAll);
    const withoutReading = await claim(trx, 64, () => false);
    const found = await claim(trx, 64, readAll);
    return { busy, withoutReading, found, reads };
  });
  expect(claimed).toMatchObject({ withoutReading: [], found: [lastId], reads: 1 });
  expect(claimed.busy).toHaveLength(1);
});
