/**
 * Tests documents that the authority lists only after they were sent again: the surplus registration must be cancelled,
 * whatever the outcome of the second send.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { REPLACING } from "../helpers/fake-registry/authority.ts";
import { findDiscrepancies, openRegistryBench } from "../helpers/registry-bench.ts";
import type { Trouble } from "../helpers/gateway-troubles.ts";
import { forEachTest } from "../helpers/set-up.ts";

const LISTED_AFTER_MS = 300_000;

/** The authority rejects the document. */
const REFUSED: Trouble = {
  kind: "status",
  status: 200,
  headers: { "content-type": "application/xml" },
  body: "<ResponseDoc><response><index>1</index><statusCode>ValidationError</statusCode><errors><error><message>Vat number is not active</message><code>102</code></error></errors></response></ResponseDoc>",
};

describe.each(REPLACING)("with replaced documents %s", (replacing) => {
  let sent: string;
  const bench = forEachTest(() => openRegistryBench({ replacing }));
  beforeEach(async () => {
    const { registry } = bench;
    registry.listingDelayMs = LISTED_AFTER_MS;
    registry.next("SendInvoices", "cut after filing");
    sent = await bench.accept();
    await bench.settle();
    registry.listingDelayMs = 0;
  });

  test("after the second send is issued, the first is cancelled and the document keeps its MARK", async () => {
    const [issued] = await bench.processAll([sent]);
    await bench.finishSurplusMarks();
    expect(bench.registry.ledger.map(({ cancelledByMark }) => cancelledByMark === null)).toEqual([
      false,
      true,
    ]);
    const { mark, cancellation_mark } = await bench.get(sent);
    expect({ mark, cancellation_mark }).toEqual({ mark: issued!.mark, cancellation_mark: null });
    expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  });

  test("after the second send is rejected, the first registration is cancelled", async () => {
    bench.registry.next("SendInvoices", REFUSED);
    await bench.processAll([sent]);
    bench.advance(LISTED_AFTER_MS);
    await bench.finishSurplusMarks();
    expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  });

  test("after the second send is rejected, no other document takes the MARK of the first", async () => {
    bench.registry.next("SendInvoices", REFUSED);
    await bench.processAll([sent]);
    bench.advance(LISTED_AFTER_MS);
    await bench.settle();
    // Same day and total, but another customer.
    const customer = { tax_id: { country: "GR", code: "090000045" } };
    bench.registry.next("SendInvoices", "cut before filing");
    const other = await bench.accept({ customer });
    expect(await bench.processAll([other])).toMatchObject([{ status: "issued" }]);
    const { mark } = await bench.get(other);
    expect(bench.registry.ledger.find((filed) => filed.mark === mark)).toMatchObject({
      counterpart: "090000045",
    });
  });
});
