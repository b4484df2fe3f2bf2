import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backUpWhenDue, findBackupProblem, isBackupDue } from "../../../src/upkeep/backup/backup-schedule.ts";
import { type BackupState, readBackupState } from "../../../src/journal/held.ts";
import { hold } from "../../../storage/upkeep/held.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";

/** Each night at half past three in Athens: 01:30 in UTC in winter, 00:30 in summer. */
const NIGHTLY = "30 3 * * *";

/** `11-22 01:30` is in 2026. */
const instant = (text: string) =>
  new Date(`${text.length < 15 ? "2026-" : ""}${text}Z`.replace(" ", "T")).toISOString();
const stateOf = (times: Record<string, string>): BackupState =>
  Object.fromEntries(Object.entries(times).map(([name, time]) => [name, instant(time)]));

describe("a backup is due", () => {
  const since = "11-01 09:00:00";
  const begun = "11-22 01:30:01";
  test.each<[name: string, times: Record<string, string>, now: string, due: boolean]>([
    ["not before the schedule was first seen", {}, "11-21 09:00:00", false],
    ["not before its time", { since: "11-21 09:00:00" }, "11-22 01:29:59", false],
    ["at its time", { since: "11-21 09:00:00" }, "11-22 01:30:00", true],
    ["at its time in summer", { since: "07-21 09:00:00" }, "07-22 00:30:00", true],
    ["days later, if no server was running", { since }, "11-21 12:00:00", true],
    ["not twice in a night", { since, begun, done: begun }, "11-22 01:31:00", false],
    ["not while one is running", { since, begun }, "11-22 02:00:00", false],
    ["an hour after a failed one", { since, begun, failed: "11-22 01:30:05" }, "11-22 02:30:02", true],
    [
      "even if a fast clock stored times in the future",
      { since, begun: "2027-11-22 01:30:01", done: "2027-11-22 01:30:01" },
      "11-22 01:31:00",
      true,
    ],
  ])("%s", (_name, times, now, due) => {
    expect(isBackupDue(stateOf(times), NIGHTLY, Date.parse(instant(now)))).toBe(due);
  });

  test("never on a day that does not exist", () => {
    const state = { since: "2020-01-01T00:00:00.000Z" };
    expect(isBackupDue(state, "0 3 31 2 *", Date.parse("2026-11-21T09:00:00.000Z"))).toBe(false);
  });
});

describe("findBackupProblem reports", () => {
  const since = "11-01 09:00:00";
  const failed = "11-02 01:31:00";
  test.each<[name: string, times: Record<string, string>, now: string, kind: string | undefined]>([
    ["nothing before one is due", { since }, "11-02 01:00:00", undefined],
    ["nothing while one may still be running", { since }, "11-02 03:00:00", undefined],
    ["an overdue backup", { since }, "11-02 04:00:00", "overdue"],
    ["a failed backup", { since, failed }, "11-02 02:00:00", "failed"],
    [
      "nothing after a failure and a later success",
      { since, failed, done: "11-02 02:31:00" },
      "11-02 09:00:00",
      undefined,
    ],
    [
      "an overdue backup even if a fast clock stored times in the future",
      { since, done: "2027-11-02 01:31:00" },
      "11-02 04:00:00",
      "overdue",
    ],
  ])("%s", (_name, times, now, kind) => {
    expect(findBackupProblem(stateOf(times), NIGHTLY, Date.parse(instant(now)))?.kind).toBe(kind);
  });
});

describe("backUpWhenDue", () => {
  let bench: Bench;
  let made: number;
  const backUp = async () => {
    made += 1;
  };
  const run = (how = backUp) => backUpWhenDue(bench.appliance, how);
  beforeEach(async () => {
    made = 0;
    bench = await openBench({
      env: { FISCAL_BACKUP__SCHEDULE: NIGHTLY, FISCAL_BACKUP__DIRECTORY: "kept" },
    });
    await run();
  });
  afterEach(() => bench.close());

  test("makes one backup when it is due, even if two servers run it at once", async () => {
    await run();
    expect(made).toBe(0);
    bench.advance(86_400_000);
    await Promise.all([run(), run()]);
    expect(made).toBe(1);
    expect((await readBackupState(bench.appliance.store.read)).done).toBeDefined();
  });

  test("logs a failure, and tries again an hour later", async () => {
    bench.advance(86_400_000);
    await run(async () => {
      throw new Error("no room");
    });
    expect(bench.logged.join("\n")).toContain("the scheduled backup failed");
    expect(bench.logged.join("\n")).toContain("no room");
    await run();
    expect(made).toBe(0);
    bench.advance(3_600_001);
    await run();
    expect(made).toBe(1);
  });

  test("restarts the schedule if a fast clock had started it in the future", async () => {
    bench.advance(-365 * 86_400_000);
    await run();
    bench.advance(86_400_000);
    await run();
    expect(made).toBe(1);
  });

  test("makes no backup while the appliance is held", async () => {
    await bench.appliance.store.write((trx) => hold(trx, { backupAt: trx.now }));
    bench.advance(86_400_000);
    await run();
    expect(made).toBe(0);
  });
});
