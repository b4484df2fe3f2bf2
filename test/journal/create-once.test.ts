import { beforeEach, describe, expect, test } from "vitest";
import { abandonOnce, beginOnce, finishOnce, type ProgressMark } from "../../src/journal/create-once.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";

const USE = { operation: "createConnection", key: "order-1", fingerprint: "f" };
const FIRST = { id: "con_1", json: "{}", eventId: null };
const LEASE_MS = 60_000;

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  return () => bench.close();
});

const write = <T>(unit: (trx: Transaction) => Promise<T>) => bench.appliance.store.write(unit);

async function begin(): Promise<ProgressMark> {
  const begun = await write((trx) => beginOnce(trx, "test", USE, LEASE_MS));
  if ("replayed" in begun) throw new Error("The key was used before");
  return begun.mark;
}

const finish = (mark: ProgressMark) => write((trx) => finishOnce(trx, mark, FIRST));

describe("a key in progress", () => {
  test("is taken over when its mark expires, and not before", async () => {
    await begin();
    bench.advance(LEASE_MS - 1);
    await expect(begin()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    bench.advance(1);
    await begin();
  });

  test("that was taken over is finished by the second request only", async () => {
    const lost = await begin();
    bench.advance(LEASE_MS);
    const taken = await begin();
    await expect(finish(lost)).rejects.toMatchObject({ code: "idempotency_in_progress" });
    expect(await finish(taken)).toMatchObject({ id: "con_1", replayed: false });
    await expect(finish(taken)).rejects.toMatchObject({ code: "idempotency_in_progress" });
    expect(await write((trx) => beginOnce(trx, "test", USE, LEASE_MS))).toMatchObject({
      replayed: { id: "con_1", replayed: true },
    });
  });

  test("that was taken over is freed by the second request only", async () => {
    const lost = await begin();
    bench.advance(LEASE_MS);
    const taken = await begin();
    await write((trx) => abandonOnce(trx, lost));
    await expect(begin()).rejects.toMatchObject({ code: "idempotency_in_progress" });
    await write((trx) => abandonOnce(trx, taken));
    await begin();
  });
});
