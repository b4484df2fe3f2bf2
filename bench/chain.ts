/** Measures the cost of the keyed chain of events: its share of accepting a document, and how fast a journal is verified. */
import { audit } from "../src/upkeep/audit/audit-journal.ts";
import { acceptDocument } from "../src/documents/accept.ts";
import { createAuditKey } from "../storage/journal/audit-key.ts";
import { CHAIN_START, digestOfEvent, digestRemovable, linkAfter } from "../storage/journal/event-chain.ts";
import { findEventsAfter } from "../storage/journal/event-notes.ts";
import { linkEvent } from "../storage/journal/events.ts";
import { inspectDatabase } from "../storage/sqlite/inspection.ts";
import { buildBody, makeMerchant, openBenchAppliance, TEST_CAUSE } from "./material.ts";
import { watchOthers } from "./machine.ts";
import { type Row, rowOf } from "./results.ts";
import { type Effort, type Sample, timed, withFolder } from "./rounds.ts";

const DOCUMENTS = 4000;
const AT_ONCE = 64;
const JOURNAL = 200_000;

interface Costs {
  accepting: Sample;
  authenticating: Sample;
}

/** Accepts documents, then authenticates their events once more. */
async function accept(documents: number): Promise<Costs> {
  return withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    const accepting = await timed(async () => {
      for (let from = 0; from < documents; from += AT_ONCE) {
        const bodies = Array.from({ length: AT_ONCE }, (_, index) =>
          buildBody(merchant, `order-${from + index}`),
        );
        await Promise.all(bodies.map((body) => acceptDocument(appliance, body, TEST_CAUSE)));
      }
    });
    const events = await findEventsAfter(appliance.store.read, { after: "", limit: documents });
    const key = createAuditKey(new Uint8Array(32));
    const hashing = await timed(async () => {
      let { link } = CHAIN_START;
      for (const event of events) {
        // As much as a digest of the contents costs.
        key.authenticate(event.object_json);
        const digest = digestOfEvent(key, event, digestRemovable(key, event));
        link = linkAfter(key, link, digest, event.document_id);
      }
    });
    await appliance.stop(0);
    return {
      accepting: { perSecond: (documents / accepting) * 1000 },
      authenticating: { perSecond: (events.length / hashing) * 1000 },
    };
  });
}

/** Verifies a journal. */
async function verify(journal: number): Promise<Sample> {
  return withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    await makeMerchant(appliance);
    const [event] = await findEventsAfter(appliance.store.read, { after: "", limit: 1 });
    if (event === undefined) throw new Error("A merchant was made, and no event tells it");
    const object = JSON.stringify({ id: "mer_0", object: "merchant", padding: "x".repeat(1500) });
    for (let made = 0; made < journal; made += 1000)
      await appliance.store.write(async (trx) => {
        for (let index = 0; index < 1000; index += 1)
          await trx.insertRows({
            events: [linkEvent(trx, { ...event, id: trx.newId("evt"), object_json: object })],
          });
      });
    await appliance.stop(0);
    const inspection = inspectDatabase(appliance.config.storage.database);
    const before = process.memoryUsage().rss;
    let peak = before;
    const elapsed = await timed(() =>
      audit(inspection.session, appliance.store.cipher, {
        onProgress: () => (peak = Math.max(peak, process.memoryUsage().rss)),
      }),
    );
    inspection.close();
    return { perSecond: (journal / elapsed) * 1000, peakMegabytes: (peak - before) / 1048576 };
  });
}

export async function* benchChain({ rounds, share }: Effort): AsyncGenerator<Row> {
  const samples: Costs[] = [];
  const others = watchOthers();
  for (let round = 0; round < rounds; round += 1) samples.push(await accept(DOCUMENTS * share));
  yield rowOf(
    { samples, others: others() },
    {
      name: "chain",
      unit: "%",
      ours: "accepting",
      reference: "authenticating",
      about: `what authenticating events adds to accepting documents, ${AT_ONCE} at once`,
      value: (whole, part) => 100 / (part.perSecond / whole.perSecond - 1),
    },
  );
  const verified = { verifying: await verify(JOURNAL * share) };
  yield rowOf(
    { samples: [verified], others: others() },
    {
      name: "chain-verify",
      unit: "events/s",
      ours: "verifying",
      about: "verifying events of 1.5 KB; the memory is what it adds",
      value: ({ perSecond }) => perSecond,
    },
  );
}
