/**
 * The authority lists late what it filed: by then the document was sent again. What the second send comes to does not undo the
 * first, which stands until it is cancelled.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type GatewayBench, openGatewayBench } from "../helpers/gateway-bench.ts";
import type { Trouble } from "../helpers/gateway-troubles.ts";

const LISTED_AFTER_MS = 300_000;

/** The authority read the one document and refused it. */
const REFUSED: Trouble = {
  kind: "status",
  status: 200,
  headers: { "content-type": "application/xml" },
  body: "<ResponseDoc><response><index>1</index><statusCode>ValidationError</statusCode><errors><error><message>Vat number is not active</message><code>102</code></error></errors></response></ResponseDoc>",
  arrives: false,
};

let bench: GatewayBench;
let sent: string;
beforeEach(async () => {
  bench = await openGatewayBench();
  const { gateway, registry } = bench;
  registry.listingDelayMs = LISTED_AFTER_MS;
  gateway.next("SendInvoices", { kind: "cut" });
  sent = await bench.accept();
  await bench.settle();
  registry.listingDelayMs = 0;
});
afterEach(() => bench.close());

test("issued by the second send: the first is cancelled", async () => {
  await bench.workOff([sent]);
  await bench.tendAll();
  expect(bench.registry.ledger.map(({ cancelledByMark }) => cancelledByMark === null)).toEqual([false, true]);
  expect(await bench.findDiscrepancies()).toEqual([]);
});

test("refused at the second send: the first does not go on standing without a document", async () => {
  bench.gateway.next("SendInvoices", REFUSED);
  await bench.workOff([sent]);
  bench.advance(LISTED_AFTER_MS);
  await bench.tendAll();
  expect(await bench.findDiscrepancies()).toEqual([]);
});

test("refused at the second send: no other document takes the MARK of the first for its own", async () => {
  bench.gateway.next("SendInvoices", REFUSED);
  await bench.workOff([sent]);
  bench.advance(LISTED_AFTER_MS);
  await bench.settle();
  // Of the same day and the same total, to somebody else.
  const customer = { tax_id: { country: "GR", code: "090000045" } };
  bench.gateway.next("SendInvoices", { kind: "cut", arrives: false });
  const other = await bench.accept("1.1", { customer });
  expect(await bench.workOff([other])).toMatchObject([{ status: "issued" }]);
  const { mark } = await bench.get(other);
  expect(bench.registry.ledger.find((filed) => filed.mark === mark)).toMatchObject({
    counterpart: "090000045",
  });
});
