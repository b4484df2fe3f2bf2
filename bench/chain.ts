/** Measures the cost of the keyed chain of events: its share of accepting a document, and how fast a journal is verified. */
import { audit } from "../src/upkeep/audit/audit-journal.ts";
import { acceptDocument } from "../src/documents/accept.ts";
import { createAuditKey } from "../storage/audit-key.ts";
import { CHAIN_START, digestOfEvent, digestRemovable, linkAfter } from "../storage/event-chain.ts";
import { findEventsAfter } from "../storage/event-notes.ts";
import { insertEvent } from "../storage/events.ts";
import { inspectDatabase } from "../storage/inspection.ts";
import { buildBody, makeMerchant, openBenchAppliance } from "./material.ts";
import { median, report, timed, withFolder } from "./measure.ts";

const DOCUMENTS = 4000;
const AT_ONCE = 64;
const ROUNDS = 3;
const JOURNAL = 200_000;

/** The cost of authenticating the events of accepted documents, as a share of the rest. */
async function round(): Promise<number> {
  return withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    const merchant = await makeMerchant(appliance);
    const cause = { mode: "test" as const, requestId: null, idempotencyKey: null };
    const accepting = await timed(async () => {
      for (let from = 0; from < DOCUMENTS; from += AT_ONCE) {
        const bodies = Array.from({ length: AT_ONCE }, (_, index) =>
          buildBody(merchant, `order-${from + index}`),
        );
        await Promise.all(bodies.map((body) => acceptDocument(appliance, body, cause)));
      }
    });
    const events = await findEventsAfter(appliance.store.read, "", DOCUMENTS);
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
    return hashing / (accepting - hashing);
  });
}

async function verify(): Promise<void> {
  await withFolder(async (folder) => {
    const appliance = await openBenchAppliance(folder);
    await makeMerchant(appliance);
    const [event] = await findEventsAfter(appliance.store.read, "", 1);
    if (event === undefined) throw new Error("A merchant was made, and no event tells it");
    const object = JSON.stringify({ id: "mer_0", object: "merchant", padding: "x".repeat(1500) });
    for (let made = 0; made < JOURNAL; made += 1000)
      await appliance.store.write(async (trx) => {
        for (let index = 0; index < 1000; index += 1)
          await insertEvent(trx, { ...event, id: trx.newId("evt"), object_json: object });
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
    report(
      `  verifying ${JOURNAL} events of 1.5 KB: ${((JOURNAL / elapsed) * 1000).toFixed(0)}/s,` +
        ` ${((peak - before) / 1048576).toFixed(0)} MB more memory at the most`,
    );
  });
}

export async function benchChain(): Promise<void> {
  report("The keyed chain of events, compared with accepting without it");
  const rounds: number[] = [];
  for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round());
  report(`  authenticating adds ${(median(rounds) * 100).toFixed(1)} % to accepting documents, 64 at once`);
  await verify();
}
