/**
 * Tests random histories of network faults, documents and listing delays: once the faults end, each document issued here is
 * registered exactly once at the tax authority, and nothing else is.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { retryDocument } from "../../src/documents/retry.ts";
import { CAUSE, type GatewayBench, openGatewayBench } from "../helpers/gateway-bench.ts";
import { REPLACING } from "../helpers/fake-registry/authority.ts";
import { CUSTOMERS } from "../helpers/documents.ts";
import type { Change, Trouble } from "../helpers/gateway-troubles.ts";
import type { RegistryMethod } from "../helpers/unreliable-gateway.ts";

const arrives = fc.constantFrom(true, false);

const trouble: fc.Arbitrary<Trouble> = fc.oneof(
  fc.record({ kind: fc.constant("cut" as const), arrives }),
  fc.record({ kind: fc.constant("half" as const), arrives }),
  fc.record({ kind: fc.constant("late" as const) }),
  fc.record({ kind: fc.constant("part" as const), count: fc.integer({ min: 1, max: 4 }), answers: arrives }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(500, 502, 504, 408, 200, 400, 403),
    arrives,
  }),
  fc.record({
    kind: fc.constant("status" as const),
    status: fc.constantFrom(429, 413, 404),
    headers: fc.constant({ "retry-after": "20" }),
    arrives: fc.constant(false),
  }),
  fc
    .constantFrom<Change>("unindexed", "doubled", "foreign", "markless", "wrapped twice", "blank")
    .map((change) => ({ kind: "changed" as const, change })),
);

/** One step of a history, after which the queue continues. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant("accept" as const),
      type: fc.constantFrom("1.1" as const, "2.1" as const, "11.1" as const),
      series: fc.constantFrom("A", "Β"),
      day: fc.constantFrom("2026-11-02", "2026-11-03"),
      abroad: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant("trouble" as const),
      method: fc.constantFrom<RegistryMethod>("SendInvoices", "RequestTransmittedDocs", "CancelInvoice"),
      trouble,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant("wait" as const), seconds: fc.constantFrom(3, 30, 200) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom("deliver" as const, "outage" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant("list late" as const), seconds: fc.constantFrom(0, 60, 300) }),
  },
  // From here on the authority rejects this series, even if it registered documents of it before.
  { weight: 1, arbitrary: fc.record({ does: fc.constant("refuse" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(bench: GatewayBench, what: Step, ids: string[], waits: { count: number }): Promise<void> {
  const { gateway, registry } = bench;
  switch (what.does) {
    case "accept": {
      const isRetail = what.type === "11.1";
      const customer = what.abroad ? CUSTOMERS.abroad : CUSTOMERS.greek;
      const overrides = { issue_date: what.day, ...(isRetail ? {} : { customer }) };
      const line = what.abroad && !isRetail ? { lines: [EXEMPT] } : {};
      ids.push(await bench.accept(what.type, { ...overrides, ...line }, { series: what.series }));
      return;
    }
    case "trouble":
      return gateway.next(what.method, what.trouble);
    case "wait":
      bench.advance(what.seconds * 1000);
      // No request stays in the network longer than ten minutes, when registrations are checked.
      waits.count += 1;
      if (waits.count % 3 === 0) await gateway.deliverLate();
      await bench.appliance.issuing.rescue();
      return bench.settle();
    case "deliver":
      return gateway.deliverLate();
    case "outage":
      await gateway.goDown();
      await bench.settle();
      return gateway.comeBack();
    case "refuse":
      return registry.refuse("Β", "102", "Vat number is not active");
    case "list late":
      registry.listingDelayMs = what.seconds * 1000;
      return;
  }
}

const EXEMPT = {
  description: "Καφές",
  quantity: "1",
  unit_price: 500,
  vat_category: "exempt" as const,
  vat_exemption: 8,
};

test("after any history of faults, each issued document is registered once, and nothing else is", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...REPLACING),
      fc.array(step, { minLength: 3, maxLength: 25 }),
      async (replacing, steps) => {
        const bench = await openGatewayBench({ replacing });
        try {
          const ids: string[] = [];
          const waits = { count: 0 };
          for (const what of steps) await play(bench, what, ids, waits);
          await bench.gateway.deliverLate();
          bench.gateway.calm("late");
          await bench.processAll(ids, 2);
          bench.gateway.calm();
          bench.registry.listingDelayMs = 0;
          await settleAll(bench, ids);
          expect(await bench.findDiscrepancies()).toEqual([]);
        } finally {
          await bench.close();
        }
      },
    ),
    { numRuns: 60 },
  );
});

/** Retries failed documents until every document is issued or rejected. */
async function settleAll(bench: GatewayBench, ids: readonly string[]): Promise<void> {
  const documents = await bench.processAll(ids);
  const failed = documents.filter(({ status }) => status === "failed");
  for (const { id } of failed) await retryDocument(bench.appliance, id, CAUSE);
  const after = await bench.processAll(ids);
  await bench.finishSurplusMarks();
  const others = after.filter(({ status }) => status !== "issued" && status !== "rejected");
  expect(others.map(({ status, stage, error }) => ({ status, stage, error }))).toEqual([]);
}
