/** Each document is kept with the message that filed it. See docs/contract.md#document-substance. */
import { expect, test } from "vitest";
import { disconnectConnection } from "../../src/connections/connections.ts";
import { findFiling } from "../../src/journal/substance.ts";
import { openExchanges } from "../../src/logs/log-bodies.ts";
import { deleteExpiredData } from "../../src/upkeep/retention/retention.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const bench = forEachTest(openRegistryBench);

const filingOf = (id: string) => findFiling(bench.appliance, id);

/** The messages that were sent, as the log has them. */
async function sentMessages(): Promise<string[]> {
  const { store } = bench.appliance;
  const bodies = await store.read.query((db) => db.selectFrom("bodies").selectAll());
  const requests = bodies.map((body) => openExchanges(store.cipher, body)[body.id]?.request);
  return requests.flatMap((request) =>
    request !== null && request !== undefined && "body" in request && typeof request.body === "string"
      ? [request.body]
      : [],
  );
}

const invoiceIn = (xml = "") => /<invoice>.*<\/invoice>/s.exec(xml)![0];

test("each document of a message keeps its own invoice, and outlives logs and connection", async () => {
  const ids = [await bench.accept(), await bench.accept(), await bench.accept()];
  await bench.processAll(ids);
  const [message] = await sentMessages();
  expect(bench.registry.requests).toContain("SendInvoices 3");
  const kept = await Promise.all(ids.map(filingOf));
  for (const [index, filing] of kept.entries()) {
    expect(filing).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><InvoicesDoc /);
    expect(filing).toContain(`<aa>${index + 1}</aa>`);
    expect(message).toContain(invoiceIn(filing));
  }
  const aroundInvoices = kept[0]!.split(invoiceIn(kept[0]));
  expect(message).toBe(aroundInvoices.join(kept.map(invoiceIn).join("")));

  await disconnectConnection(bench.appliance, bench.connection, CAUSE);
  bench.advance(500 * DAY_MS);
  await deleteExpiredData(bench.appliance);
  expect(await sentMessages()).toEqual([]);
  expect(await Promise.all(ids.map(filingOf))).toEqual(kept);
});

test("is on disk before it is sent, so a MARK that is found later belongs to it", async () => {
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.settle();
  const sent = await filingOf(id);
  expect(await bench.get(id)).toMatchObject({ stage: "reconciling" });
  expect(sent).toBe((await sentMessages())[0]);

  const [document] = await bench.processAll([id]);
  expect(document).toMatchObject({ status: "issued" });
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices"))).toHaveLength(1);
  expect(await filingOf(id)).toBe(sent);
});

test("of a rejected document nothing is kept, since nothing was filed", async () => {
  bench.registry.refuse("BAD", "223", "Refused");
  const id = await bench.accept({}, { series: "BAD" });
  const [document] = await bench.processAll([id]);
  expect(document).toMatchObject({ status: "rejected" });
  expect(await filingOf(id)).toBeUndefined();
});
