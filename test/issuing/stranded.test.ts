/** Waiting for stranded documents ends and reports the connection that they wait for. */
import { expect, test } from "vitest";
import { verifyConnection } from "../../src/connections/connections.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { ACCOUNT, openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openRegistryBench);

test("a document whose account is refused during reconciliation counts as stranded", async () => {
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.settle();
  bench.registry.accounts[0]!.key = "changed";
  bench.advance(3_000);
  const { stranded } = await bench.appliance.issuing.drain({ documentIds: new Set([id]) });
  expect(stranded).toEqual([{ connectionId: bench.connection, documents: 1 }]);
  expect(await bench.get(id)).toMatchObject({ status: "pending", stage: "reconciling" });

  // Once verified, it is queried at once.
  bench.registry.accounts[0]!.key = ACCOUNT.key;
  await verifyConnection(bench.appliance, bench.connection, CAUSE);
  const drained = await bench.appliance.issuing.drain({ documentIds: new Set([id]) });
  expect(drained).toEqual({ stranded: [], open: 0 });
  expect(await bench.get(id)).toMatchObject({ status: "issued" });
  expect(bench.registry.ledger).toHaveLength(1);
});
