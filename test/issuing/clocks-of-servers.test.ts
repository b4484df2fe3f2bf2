/** Servers whose clocks differ, on one database in PostgreSQL (docs/postgres.md#several-servers). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFollowingClock } from "../../src/foundation/clock.ts";
import { type Bench, openBench } from "../helpers/appliance.ts";
import { buildDocument } from "../helpers/documents.ts";
import { makePostgresDatabase } from "../helpers/engines.ts";
import { createScriptedProvider } from "../helpers/scripted-provider.ts";

const TEN_MINUTES_MS = 600_000;

let marks = 0;
const issued = () => {
  marks += 1;
  return { kind: "issued" as const, mark: `5${String(marks).padStart(14, "0")}`, uid: null, qrUrl: null };
};

const accept = ({ appliance, acceptFor }: Bench, merchant: string) =>
  acceptFor(merchant, { document: buildDocument("1.1", { issue_date: appliance.clock.today() }) });

async function settleUntil(bench: Bench, isDone: () => boolean): Promise<void> {
  while (!isDone()) await bench.settle();
}

test.each([
  { title: "ahead", aheadMs: TEN_MINUTES_MS },
  { title: "behind", aheadMs: -TEN_MINUTES_MS },
])("a server whose clock is ten minutes $title sends nothing twice and nothing late", async ({ aheadMs }) => {
  const url = await makePostgresDatabase();
  if (url === undefined) return;
  const folder = await mkdtemp(join(tmpdir(), "fiscal-clocks-"));
  const provider = createScriptedProvider({ provider: "sandbox" });
  const options = { folder, env: { FISCAL_STORAGE__URL: url }, adapters: [provider.adapter] };
  const right = await openBench({ ...options, clock: createFollowingClock() });
  const wrong = await openBench({ ...options, clock: createFollowingClock(() => Date.now() + aheadMs) });
  try {
    const merchant = await right.makeMerchant();
    for (const [sender, other] of [
      [right, wrong],
      [wrong, right],
    ] as const) {
      const sent = Promise.withResolvers<ReturnType<typeof issued>>();
      provider.expect({ asked: "issue", answer: () => sent.promise });
      const asked = provider.asked.length;
      const id = await accept(other, merchant);
      // Clocks may differ by the time of a round trip, so that the document is due in a moment.
      const settled = settleUntil(sender, () => provider.asked.length > asked);
      await expect.poll(() => provider.asked).toHaveLength(asked + 1);
      expect(await other.appliance.issuing.rescue()).toBe(0);
      await other.settle();
      sent.resolve(issued());
      await settled;
      expect(await right.see(id)).toMatchObject({ status: "issued" });
    }
    expect(provider.asked).toEqual(["issue 1", "issue 2"]);
  } finally {
    await right.close();
    await wrong.close();
    await rm(folder, { recursive: true });
  }
});
