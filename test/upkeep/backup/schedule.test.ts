import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { backUpWhenDue, findBackupProblem, isBackupDue } from "../../../src/upkeep/backup/backup-schedule.ts";
import { type BackupState, readBackupState } from "../../../src/journal/held.ts";
import { hold } from "../../../storage/upkeep/appliance-state.ts";
import { type Bench, openBench } from "../../helpers/appliance.ts";

/** Each night at half past three in Athens: 01:30 in UTC in winter, 00:30 in summer. */
const NIGHTLY = "30 3 * * *";

/** `22 1:30` is on the 22nd of November 2026 in UTC. */
function at(text: string, year = 2026): string {
  const [day, time = ""] = text.split(" ");
  return `${year}-11-${day!.padStart(2, "0")}T${time.padStart(5, "0")}:00.000Z`;
}

const since = at("1 9:00");

describe("a backup is due", () => {
  const [begun, inAYear] = [at("22 1:30"), at("22 1:30", 2027)];
  test.each<[name: string, state: BackupState, now: string, due: boolean]>([
    ["not before the schedule was first seen", {}, at("21 9:00"), false],
    ["not before its time", { since: at("21 9:00") }, at("22 1:29"), false],
    ["at its time", { since: at("21 9:00") }, at("22 1:30"), true],
    ["at its time in summer", { since: "2026-07-21T09:00:00.000Z" }, "2026-07-22T00:30:00.000Z", true],
    ["days later, if no server was running", { since }, at("21 12:00"), true],
    ["not twice in a night", { since, begun, done: begun }, at("22 1:31"), false],
    ["not while one is running", { since, begun }, at("22 2:00"), false],
    ["an hour after a failed one", { since, begun, failed: at("22 1:31") }, at("22 2:31"), true],
    ["even if a fast clock was ahead", { since, begun: inAYear, done: inAYear }, at("22 1:31"), true],
  ])("%s", (_name, state, now, due) => {
    expect(isBackupDue(state, NIGHTLY, Date.parse(now))).toBe(due);
  });

  test("never on a day that does not exist", () => {
    const state = { since: "2020-01-01T00:00:00.000Z" };
    expect(isBackupDue(state, "0 3 31 2 *", Date.parse(at("21 9:00")))).toBe(false);
  });
});

const failed = at("2 1:31");
test.each<[name: string, state: BackupState, now: string, kind: string | undefined]>([
  ["nothing before one is due", { since }, at("2 1:00"), undefined],
  ["nothing while one may still be running", { since }, at("2 3:00"), undefined],
  ["an overdue backup", { since }, at("2 4:00"), "overdue"],
  ["a failed backup", { since, failed }, at("2 2:00"), "failed"],
  ["nothing after a later success", { since, failed, done: at("2 2:31") }, at("2 9:00"), undefined],
  ["an overdue backup after a fast clock", { since, done: at("2 1:31", 2027) }, at("2 4:00"), "overdue"],
])("findBackupProblem reports %s", (_name, state, now, kind) => {
  expect(findBackupProblem(state, NIGHTLY, Date.parse(now))?.kind).toBe(kind);
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
