/** Several servers share a database, and the remains of a killed one do not hinder the others. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { onEngines } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { checkNumbers, waitUntilFinal } from "../helpers/reckoning.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";
import { postDocument, prepareShop } from "../helpers/shop.ts";

let folder: string;
const servers: ServerProcess[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
});

let env: Record<string, string>;

async function start(): Promise<ServerProcess> {
  const server = await startBuilt({ folder, env });
  servers.push(server);
  return server;
}

async function stop(): Promise<void> {
  for (const server of servers.splice(0)) expect(await server.stop()).toBe(0);
}

const DOCUMENTS = 60;

describe.each(await onEngines({ SQLite: {}, PostgreSQL: {} }))("on $engine", ({ makeStorage }) => {
  beforeEach(async () => {
    // Work that a killed server had started is soon taken over.
    env = { FISCAL_ISSUING__LEASE_SECONDS: "1", ...(await makeStorage()) };
  });

  test("three servers share the work and issue each document once, even if one is killed", async () => {
    const shop = await prepareShop({ folder, env });
    await Promise.all([start(), start(), start()]);
    const accepted = await Promise.all(
      Array.from({ length: DOCUMENTS }, async (_, index) => {
        const { url } = servers[index % servers.length]!;
        return (await postDocument(url, shop, `order-${index}`)).status;
      }),
    );
    expect(new Set(accepted)).toEqual(new Set([201]));
    await servers.shift()!.kill();
    await stop();
    const drained = await runBuilt(["documents", "list", "--status", "pending", "--json"], { folder, env });
    const { data } = JSON.parse(drained.stdout) as { data: unknown[] };
    if (data.length > 0) {
      const rest = await start();
      await waitUntilFinal(rest.url, shop.key);
      await stop();
    }
    await checkNumbers({ folder, env }, DOCUMENTS);
  });

  test("each reports the others, doctor reports all, and none reports a killed one", async () => {
    const first = await start();
    const second = await start();
    expect(first.log()).not.toContain("other servers");
    expect(second.log()).toContain(`"others":[{"pid":${first.child.pid},`);
    const runDoctor = async () => (await runBuilt(["doctor", "--json"], { folder, env })).stdout;
    const both = await runDoctor();
    for (const { child } of [first, second]) expect(both).toContain(`process ${child.pid}, since`);
    await first.kill();
    servers.shift();
    expect(await runDoctor()).not.toContain(`process ${first.child.pid},`);
    expect((await runBuilt(["merchants", "list"], { folder, env })).code).toBe(0);
    await stop();
    expect(await runDoctor()).toContain("No server on this machine is using the database at the moment.");
    // Those of the one that was killed.
    expect(readdirSync(join(folder, "data")).filter((name) => name.includes("-serve-"))).toHaveLength(2);
  });
});
