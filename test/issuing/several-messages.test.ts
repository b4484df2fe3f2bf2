/** Batches that need several messages, and queries about many documents at once. */
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { SETTLEMENTS } from "../../src/issuing/settle-document.ts";
import { buildDocument, buildLine } from "../helpers/documents.ts";
import { openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(() =>
  openRegistryBench({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0]" }, pageSize: 1000 }),
);

/** Two of these fill a message. */
const LARGE = {
  lines: buildDocument("11.1", { lines: Array.from({ length: 1000 }, () => buildLine()) }).lines,
};
const whole = buildDocument("11.1", LARGE);

async function acceptLarge(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push(await bench.accept(whole));
  return ids;
}

test("the MARKs of a message are looked up together, not one by one", async () => {
  const { commit } = SETTLEMENTS;
  const reads = new Map<number, number>();
  const spy = vi.spyOn(SETTLEMENTS, "commit");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async (trx, settlements) => {
    let count = 0;
    const counting = new Proxy(trx, {
      get(target, name) {
        if (name === "all" || name === "first") count += 1;
        const member = Reflect.get(target, name) as unknown;
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    const settled = await commit(counting, settlements);
    reads.set(settlements.length, count);
    return settled;
  });
  for (const documents of [5, 20]) {
    const ids: string[] = [];
    for (let count = 0; count < documents; count += 1) ids.push(await bench.accept());
    await bench.processAll(ids);
  }
  expect([...reads.keys()]).toEqual([5, 20]);
  expect(reads.get(20)).toBe(reads.get(5));
});

describe("documents in several messages", () => {
  test("have their MARKs while a later message is in progress", async () => {
    const ids = await acceptLarge(3);
    bench.registry.next("SendInvoices", { kind: "changed", change: "wrapped twice" }, "hangs after filing");
    bench.appliance.issuing.poke();
    await expect.poll(() => bench.registry.count("SendInvoices")).toBe(2);
    await expect
      .poll(async () => (await Promise.all(ids.map(bench.get))).map(({ status }) => status))
      .toEqual(["issued", "issued", "pending"]);
    await bench.appliance.stop(0);
  });

  test("after an unanswered one lose no attempt", async () => {
    const ids = await acceptLarge(3);
    bench.registry.next("SendInvoices", "cut before filing");
    await bench.settle();
    // It had a single attempt, which was not used up.
    expect(await bench.get(ids[2]!)).toMatchObject({ status: "issued", number: 3 });
    expect(await bench.get(ids[0]!)).toMatchObject({ stage: "reconciling" });
  });
});

test("a message rejected as a whole is logged as rejected, with the authority's message", async () => {
  const body =
    "<ResponseDoc><response><index>1</index><statusCode>XMLSyntaxError</statusCode><errors><error><message>No such element</message><code>101</code></error></errors></response></ResponseDoc>";
  bench.registry.next("SendInvoices", { kind: "status", status: 200, body });
  const ids = [await bench.accept({ type: "11.1" }), await bench.accept({ type: "11.1" })];
  await bench.settle();
  for (const id of ids) expect(await bench.get(id)).toMatchObject({ status: "issued" });
  const calls = await bench.appliance.store.read.query((db) =>
    db
      .selectFrom("provider_calls")
      .select(["outcome", "settled_at", "error_json"])
      .where("operation", "=", "issue")
      .orderBy("id"),
  );
  expect(calls.map(({ outcome }) => outcome)).toEqual(["rejected", "ok", "ok"]);
  expect(calls[0]!.settled_at).not.toBeNull();
  expect(JSON.parse(calls[0]!.error_json!)).toMatchObject({
    provider_code: "101",
    provider_message: "No such element",
  });
});

test("one listing answers for every reconciling document of the day", async () => {
  const ids: string[] = [];
  for (let made = 0; made < 120; made += 1)
    ids.push(await bench.accept({ type: "11.1" }, { series: `S${made}` }));
  // Three messages of at most fifty.
  const lost = "cut after filing" as const;
  bench.registry.next("SendInvoices", lost, lost, lost);
  await bench.settle();
  bench.advance(3_000);
  await bench.settle();
  expect(bench.registry.count("RequestTransmittedDocs")).toBe(2);
  for (const id of ids) expect(await bench.get(id)).toMatchObject({ status: "issued" });
});
