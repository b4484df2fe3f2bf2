/** Servers on one database report each other, and the remains of a killed one do not hinder the others. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { onEngines } from "../helpers/engines.ts";
import { makeFolder } from "../helpers/folder.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

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

describe.each(await onEngines({ SQLite: {}, PostgreSQL: {} }))("on $engine", ({ makeStorage }) => {
  beforeEach(async () => {
    env = await makeStorage();
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
