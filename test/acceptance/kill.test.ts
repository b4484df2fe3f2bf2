/**
 * Kills the server many times while documents are issued: nothing accepted is lost, and nothing is filed twice. On PostgreSQL the
 * machines of test/machines do the same.
 */
import { expect, test } from "vitest";
import { openBench } from "../helpers/appliance.ts";
import { makeFolder } from "../helpers/folder.ts";
import { checkEverything, checkNumbers, waitUntilFinal } from "../helpers/reckoning.ts";
import { seeded } from "../helpers/seeded.ts";
import { postDocument, prepareShop, type Shop } from "../helpers/shop.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const DOCUMENTS = 120;
const KILLS = 4;
const CLIENTS = 8;
/** The pause between a client's documents, so that they still arrive at the last kill. */
const PAUSE_MS = 40;

test("each document is issued once across SIGKILLs, with consecutive numbers, single events and an intact chain", async () => {
  const folder = makeFolder();
  const env = { FISCAL_RATE_LIMIT__REQUESTS: "0", FISCAL_ISSUING__LEASE_SECONDS: "1" };
  const random = seeded(20_261_121);
  let server: ServerProcess | undefined;
  try {
    const shop = await prepareShop({ folder, env });
    server = await startBuilt({ folder, env });
    const accepted = new Map<string, string>();
    let next = 0;
    const client = async () => {
      while (next < DOCUMENTS) {
        next += 1;
        const reference = `order-${next}`;
        while (!accepted.has(reference)) {
          const id = await post(server!.url, shop, reference);
          if (id === undefined) await new Promise((turn) => setTimeout(turn, 5));
          else accepted.set(reference, id);
        }
        await new Promise((turn) => setTimeout(turn, PAUSE_MS));
      }
    };
    const clients = Array.from({ length: CLIENTS }, client);
    for (let kill = 0; kill < KILLS; kill += 1) {
      await new Promise((turn) => setTimeout(turn, 30 + random() * 250));
      await server.kill();
      server = await startBuilt({ folder, env });
    }
    await Promise.all(clients);
    expect(accepted.size).toBe(DOCUMENTS);
    await waitUntilFinal(server.url, shop.key);
    expect(await server.stop()).toBe(0);
    server = undefined;

    const after = await openBench({ folder, env, startMs: Date.now() });
    try {
      await checkEverything(after, [...accepted.values()]);
    } finally {
      await after.close();
    }
    await checkNumbers({ folder, env }, DOCUMENTS);
    const chain = await runBuilt(["audit", "--json"], { folder, env });
    expect(JSON.parse(chain.stdout)).toMatchObject({ intact: true, documents: DOCUMENTS, problems: [] });
  } finally {
    await server?.kill();
  }
});

/** The document's id; undefined if there was no response, and the caller retries under the same key. */
async function post(url: string, shop: Shop, reference: string): Promise<string | undefined> {
  try {
    const { status, body } = await postDocument(url, shop, reference);
    if (status === 201) return body.data?.id;
    expect(body.code).toBe("idempotency_in_progress");
    return undefined;
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Error && error.name === "SyntaxError"))
      return undefined;
    throw error;
  }
}
