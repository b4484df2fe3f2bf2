import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backUpWhenDue, findBackupProblem, isBackupDue } from "../../../src/upkeep/backup/backup-schedule.ts";
import { type BackupState, readBackupState } from "../../../src/journal/held.ts";
import { hold } from "../../../storage/upkeep/appliance-state.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";

/** Each night at half past three in Athens: 01:30 in UTC in winter, 00:30 in summer. */
const NIGHTLY = "30 3 * * *";

describe("a backup is due", () => {
  test.each<[name: string, state: BackupState, now: string, due: boolean]>([
    ["not before the schedule was first seen", {}, "2026-11-21T09:00:00.000Z", false],
    ["not before its time", { since: "2026-11-21T09:00:00.000Z" }, "2026-11-22T01:29:59.000Z", false],
    ["at its time", { since: "2026-11-21T09:00:00.000Z" }, "2026-11-22T01:30:00.000Z", true],
    ["at its time in summer", { since: "2026-07-21T09:00:00.000Z" }, "2026-07-22T00:30:00.000Z", true],
    [
      "days later, if no server was running",
      { since: "2026-11-01T09:00:00.000Z" },
      "2026-11-21T12:00:00.000Z",
      true,
    ],
    [
      "not twice in a night",
      {
        since: "2026-11-01T09:00:00.000Z",
        begun: "2026-11-22T01:30:01.000Z",
        done: "2026-11-22T01:30:01.000Z",
      },
      "2026-11-22T01:31:00.000Z",
      false,
    ],
    [
      "not while one is running",
      { since: "2026-11-01T09:00:00.000Z", begun: "2026-11-22T01:30:01.000Z" },
      "2026-11-22T02:00:00.000Z",
      false,
    ],
    [
      "an hour after a failed one",
      {
        since: "2026-11-01T09:00:00.000Z",
        begun: "2026-11-22T01:30:01.000Z",
        failed: "2026-11-22T01:30:05.000Z",
      },
      "2026-11-22T02:30:02.000Z",
      true,
    ],
    [
      "even if a fast clock stored times in the future",
      {
        since: "2026-11-01T09:00:00.000Z",
        begun: "2027-11-22T01:30:01.000Z",
        done: "2027-11-22T01:30:01.000Z",
      },
      "2026-11-22T01:31:00.000Z",
      true,
    ],
  ])("%s", (_name, state, now, due) => {
    expect(isBackupDue(state, NIGHTLY, Date.parse(now))).toBe(due);
  });

  test("never on a day that does not exist", () => {
    const state = { since: "2020-01-01T00:00:00.000Z" };
    expect(isBackupDue(state, "0 3 31 2 *", Date.parse("2026-11-21T09:00:00.000Z"))).toBe(false);
  });
});

describe("findBackupProblem reports", () => {
  const since = "2026-11-01T09:00:00.000Z";
  test.each<[name: string, state: BackupState, now: string, kind: string | undefined]>([
    ["nothing before one is due", { since }, "2026-11-02T01:00:00.000Z", undefined],
    ["nothing while one may still be running", { since }, "2026-11-02T03:00:00.000Z", undefined],
    ["an overdue backup", { since }, "2026-11-02T04:00:00.000Z", "overdue"],
    ["a failed backup", { since, failed: "2026-11-02T01:31:00.000Z" }, "2026-11-02T02:00:00.000Z", "failed"],
    [
      "nothing after a failure and a later success",
      { since, failed: "2026-11-02T01:31:00.000Z", done: "2026-11-02T02:31:00.000Z" },
      "2026-11-02T09:00:00.000Z",
      undefined,
    ],
    [
      "an overdue backup even if a fast clock stored times in the future",
      { since, done: "2027-11-02T01:31:00.000Z" },
      "2026-11-02T04:00:00.000Z",
      "overdue",
    ],
  ])("%s", (_name, state, now, kind) => {
    expect(findBackupProblem(state, NIGHTLY, Date.parse(now))?.kind).toBe(kind);
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
