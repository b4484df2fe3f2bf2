/** One server at a time works on a data directory; what is left of one that was killed stands in nobody's way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

let folder: string;
const servers: ServerProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fiscal-two-"));
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.kill()));
  rmSync(folder, { recursive: true });
});

async function start(): Promise<ServerProcess> {
  const server = await startBuilt({ folder });
  servers.push(server);
  return server;
}

test("of servers that start at once one serves, and each other ends with 78 and tells which", async () => {
  const outcomes = await Promise.allSettled([start(), start(), start()]);
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [String(outcome.reason)] : [],
  );
  expect(refusals).toHaveLength(2);
  for (const refusal of refusals)
    expect(refusal).toMatch(/ended with 78: fiscal: Another server works on the database .*fiscal\.db/);
  expect(await servers[0]!.stop()).toBe(0);
  servers.splice(0);
});

test("the next one starts at once after a kill, and commands and doctor work beside it", async () => {
  const first = await start();
  await first.kill();
  servers.splice(0);
  const second = await start();
  const diagnosis = await runBuilt(["doctor", "--json"], { folder });
  expect(diagnosis.stdout).toContain(`process ${second.child.pid}, since`);
  expect((await runBuilt(["merchants", "list"], { folder })).code).toBe(0);
  expect(await second.stop()).toBe(0);
  servers.splice(0);
  const after = await runBuilt(["doctor", "--json"], { folder });
  expect(after.stdout).toContain("No server works on the database at the moment.");
});
