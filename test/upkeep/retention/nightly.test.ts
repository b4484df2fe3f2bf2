import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetOnceADay } from "../../../src/upkeep/retention/nightly.ts";
import { resume } from "../../../src/upkeep/resume.ts";
import { findEventIdsIn } from "../../../storage/retention.ts";
import { hold } from "../../../storage/held.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";

const DAY_MS = 86_400_000;

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await bench.makeMerchant();
  bench.advance(401 * DAY_MS);
});
afterEach(() => bench.close());

const events = () => findEventIdsIn(bench.appliance.store.read, { after: "evt_", before: "evt`", limit: 10 });

test("what has had its time is forgotten once a day", async () => {
  await forgetOnceADay(bench.appliance);
  expect(await events()).toEqual([]);
  await bench.makeMerchant("later");
  await forgetOnceADay(bench.appliance);
  expect(bench.logged.filter((line) => line.includes("forgot what"))).toHaveLength(1);
});

test("a held appliance keeps what its backup had, and forgets it after the resume", async () => {
  const { appliance } = bench;
  await appliance.store.write((trx) => hold(trx, "2026-11-21T09:00:00.000Z"));
  await forgetOnceADay(appliance);
  expect(await events()).toHaveLength(1);
  await resume(appliance);
  await forgetOnceADay(appliance);
  expect(await events()).toEqual([]);
});
