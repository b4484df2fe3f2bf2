import { beforeEach, expect, test } from "vitest";
import { runRetentionDaily } from "../../../src/upkeep/retention/retention.ts";
import { resume } from "../../../src/upkeep/resume.ts";
import { findEventsIn } from "../../../storage/upkeep/removal.ts";
import { hold } from "../../../storage/upkeep/appliance-state.ts";
import { openBench } from "../../helpers/appliance.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const bench = forEachTest(openBench);
beforeEach(async () => {
  await bench.makeMerchant();
  bench.advance(401 * DAY_MS);
});

const events = () => findEventsIn(bench.appliance.store.read, { after: "evt_", before: "evt`", limit: 10 });

test("runs once a day", async () => {
  await runRetentionDaily(bench.appliance);
  expect(await events()).toEqual([]);
  await bench.makeMerchant("later");
  await runRetentionDaily(bench.appliance);
  expect(bench.logged.filter((line) => line.includes("past its retention period"))).toHaveLength(1);
});

test("deletes nothing while the appliance is held, and runs after the resume", async () => {
  const { appliance } = bench;
  await appliance.store.write((trx) => hold(trx, { backupAt: "2026-11-21T09:00:00.000Z" }));
  await runRetentionDaily(appliance);
  expect(await events()).toHaveLength(1);
  await resume(appliance);
  await runRetentionDaily(appliance);
  expect(await events()).toEqual([]);
});
