/** What holds for every kind of due work, on both engines. */
import { beforeEach, describe, expect, test } from "vitest";
import { createWebhookEndpoint } from "../../src/webhooks/endpoints.ts";
import { rescheduleWork, restartSafetyPauses } from "../../src/work/clock-jump.ts";
import {
  deliveriesOf,
  FILING_CHECKS,
  MAILS,
  PROVIDER_PDFS,
  SURPLUS_MARKS,
  type WorkKind,
} from "../../src/work/kinds.ts";
import { claimWork, workOff } from "../../src/work/work-off.ts";
import { hold } from "../../storage/upkeep/appliance-state.ts";
import type { WorkRow } from "../../storage/database/work.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { CAUSE, openBench } from "../helpers/appliance.ts";
import { forEachTest } from "../helpers/set-up.ts";

const HOUR_MS = 3_600_000;
const ID = "eml_1";
const MARK = "400000000000001";

type AnyKind = WorkKind<WorkRow, object>;

/** Inserts a row of the kind that is due at `due`, and returns the kind and what limits its claims. */
async function plant(trx: Transaction, name: string, due: string): Promise<[kind: unknown, scope: object]> {
  const [document] = await trx.query((db) => db.selectFrom("documents").select("id"));
  const [endpoint] = await trx.query((db) => db.selectFrom("webhook_endpoints").select("id"));
  const work = { due_at: due, lease_owner: null, tries: 0 };
  const of = { ...work, document_id: document!.id };
  switch (name) {
    case "mails": {
      const mail = { ...of, id: ID, sealed: null, status: "waiting", created_at: due } as const;
      await trx.query((db) => db.insertInto("mails").values(mail));
      return [MAILS, { only: null }];
    }
    case "provider PDFs":
      await trx.query((db) => db.insertInto("provider_pdfs").values({ ...of, sealed: null }));
      return [PROVIDER_PDFS, {}];
    case "filing checks":
      await trx.query((db) => db.insertInto("filing_checks").values(of));
      return [FILING_CHECKS, {}];
    case "surplus MARKs": {
      const mark = { ...of, mark: MARK, state: "cancelling", found_at: due } as const;
      await trx.query((db) => db.insertInto("surplus_marks").values(mark));
      return [SURPLUS_MARKS, {}];
    }
    default: {
      const sent = { ...work, id: "whd_1", endpoint_id: endpoint!.id, event_id: "evt_1", document_id: null };
      const delivery = { ...sent, status: "pending", created_at: due } as const;
      await trx.query((db) => db.insertInto("deliveries").values(delivery));
      return [deliveriesOf(bench.appliance.config), { endpointId: endpoint!.id, firstDue: "9" }];
    }
  }
}

const bench = forEachTest(openBench);
beforeEach(async () => {
  const { appliance } = bench;
  const url = "https://example.com/hooks";
  await createWebhookEndpoint(appliance, { url, enabled_events: ["connection.created"] }, CAUSE);
  await bench.acceptFor(await bench.makeMerchant());
});

describe.each(["mails", "provider PDFs", "filing checks", "surplus MARKs", "deliveries"])("%s", (name) => {
  let kind: AnyKind;
  let scope: object;
  const inMs = (ms: number) => new Date(bench.appliance.clock.nowMs() + ms).toISOString();
  const write = <T>(unit: (trx: Transaction) => Promise<T>) => bench.appliance.store.write(unit);
  const claim = async (alive: string[] = []) =>
    (await write((trx) => claimWork(trx, kind, scope, { limit: 9, alive })))[0];
  /** Before the next attempt after so many. */
  const pauseMs = (tries: number) => Math.max(kind.safetyMs, kind.delaysSeconds[tries]! * 1000);
  const makeDue = async (ms: number) => {
    [kind, scope] = (await write((trx) => plant(trx, name, inMs(ms)))) as [AnyKind, object];
  };

  test("are claimed when they are due, and once", async () => {
    await makeDue(1);
    expect(await claim()).toBeUndefined();
    bench.advance(1);
    expect(await claim()).toMatchObject({ due_at: inMs(kind.leaseMs), tries: 0 });
    expect(await claim()).toBeUndefined();
  });

  test("are claimed by nobody while the appliance is held", async () => {
    await makeDue(0);
    await write((trx) => hold(trx, { backupAt: inMs(0) }));
    expect(await claim()).toBeUndefined();
  });

  test("are taken over when their claim expires, unless this process is working on them", async () => {
    await makeDue(0);
    const lost = await claim();
    bench.advance(kind.leaseMs - 1);
    expect(await claim()).toBeUndefined();
    bench.advance(1);
    expect(await claim([lost!.lease_owner!])).toBeUndefined();
    const taken = await claim();
    // The result of a lost attempt may exist, except that a delivery is simply made again.
    expect(taken?.tries).toBe(name === "deliveries" ? 0 : 1);
    const result = { due_at: null, tries: 1 };
    expect(await write((trx) => kind.table.settle(trx, lost!, result))).toBe(false);
    expect(await write((trx) => kind.table.settle(trx, taken!, result))).toBe(true);
    expect(await claim()).toBeUndefined();
  });

  test("wait no longer after a clock that ran ahead is set back", async () => {
    await makeDue(6 * HOUR_MS);
    await rescheduleWork(bench.appliance, true);
    bench.advance(pauseMs(0));
    expect(await claim()).toBeDefined();
  });

  test("keep the pauses of their schedule, and are due after no longer one", async () => {
    await makeDue(0);
    const claimed = await claim();
    await write((trx) => kind.table.settle(trx, claimed!, { due_at: inMs(HOUR_MS), tries: 1 }));
    await rescheduleWork(bench.appliance, false);
    expect(await claim()).toBeUndefined();
    bench.advance(HOUR_MS);
    const again = await claim();
    await write((trx) => kind.table.settle(trx, again!, { due_at: inMs(1000 * HOUR_MS), tries: 2 }));
    await rescheduleWork(bench.appliance, false);
    bench.advance(pauseMs(2));
    expect(await claim()).toBeDefined();
  });

  test("use up no attempt for jumps of the clock", async () => {
    await makeDue(0);
    const claimed = await claim();
    await write((trx) => kind.table.settle(trx, claimed!, { due_at: inMs(HOUR_MS * 1000), tries: 1 }));
    for (let jump = 0; jump < 3; jump += 1) {
      await rescheduleWork(bench.appliance, true);
      bench.advance(Math.floor(pauseMs(1) / 4));
      expect(await claim()).toBeUndefined();
    }
    bench.advance(pauseMs(1));
    expect(await claim()).toMatchObject({ tries: 1 });
  });

  test("whose claim ends later than any are taken over, unless this process is working on them", async () => {
    bench.advance(HOUR_MS);
    await makeDue(0);
    const owner = (await claim())!.lease_owner!;
    bench.advance(-HOUR_MS);
    await rescheduleWork(bench.appliance, true, [owner]);
    bench.advance(kind.safetyMs);
    expect(await claim()).toBeUndefined();
    await rescheduleWork(bench.appliance, true);
    bench.advance(kind.safetyMs);
    expect(await claim()).toBeDefined();
  });

  test("wait again for as long as they must after a clock jumps ahead", async () => {
    await makeDue(HOUR_MS);
    bench.setAhead(HOUR_MS);
    await restartSafetyPauses(bench.appliance);
    bench.advance(kind.safetyMs - 1);
    expect(await claim()).toBeUndefined();
    bench.advance(1);
    expect(await claim()).toBeDefined();
  });

  test("are repeated after an unexpected error, whatever their schedule says", async () => {
    await makeDue(0);
    const attempts: number[] = [];
    for (let days = 0; days < 40; days += 1) {
      await workOff(bench.appliance, kind, { scope }, async ({ tries }) => {
        attempts.push(tries);
        throw new Error("unexpected");
      });
      bench.advance(48 * HOUR_MS);
    }
    expect(attempts).toEqual(Array.from({ length: 40 }, (_, tries) => tries));
    expect(bench.logged.join("\n")).toContain("background work failed; trying again");
  });
});
