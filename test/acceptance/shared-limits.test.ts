/** Two servers on one PostgreSQL count requests together (docs/contract.md#rate-limits-of-several-machines). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBench } from "../helpers/appliance.ts";
import { askForPostgres, makePostgresDatabase } from "../helpers/engines.ts";
import { type PostgresProxy, startProxy } from "../helpers/postgres-proxy.ts";
import { type ServerProcess, startBuilt } from "../helpers/server-process.ts";

const LIMIT = 40;
const FAILURES = 6;

describe.skipIf((await askForPostgres()) === undefined)("two servers on one database", () => {
  let folder: string;
  let proxy: PostgresProxy;
  let key: string;
  const servers: ServerProcess[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fiscal-limits-"));
    proxy = await startProxy((await makePostgresDatabase())!, { reaches: false });
    const env = {
      FISCAL_STORAGE__URL: proxy.url,
      FISCAL_RATE_LIMIT__REQUESTS: String(LIMIT),
      FISCAL_RATE_LIMIT__WINDOW_SECONDS: "3600",
      FISCAL_RATE_LIMIT__FAILED_AUTH: String(FAILURES),
    };
    const bench = await openBench({ folder, env, startMs: Date.now() });
    key = await bench.makeKey("test");
    await bench.close();
    servers.push(await startBuilt({ folder, env }), await startBuilt({ folder, env }));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await proxy.close();
    await rm(folder, { recursive: true });
  });

  const ask = (path: string, index: number, secret = key) =>
    fetch(servers[index % 2]!.url + path, {
      headers: { authorization: `Bearer ${secret}`, connection: "close" },
    });
  const askMany = (count: number, secret?: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => ask("/api/v1/merchants", index, secret)));

  test("admit as many requests as the limit says, each with another number of remaining ones", async () => {
    const answers = await askMany(LIMIT + 10);
    const admitted = answers.filter(({ status }) => status === 200);
    const remaining = admitted.map(({ headers }) => Number(headers.get("ratelimit-remaining")));
    expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, left) => left));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(new Set(refused.map(({ headers }) => headers.get("ratelimit-remaining")))).toEqual(new Set(["0"]));
  });

  test("count requests with a wrong key together", async () => {
    const statuses = (await askMany(FAILURES + 2, "wrong")).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: FAILURES }, () => 401),
      429,
      429,
    ]);
  });

  test("answer requests with 503 while they cannot reach the database, and /healthz as always", async () => {
    await proxy.close();
    for (const server of [0, 1]) {
      const answer = await ask("/api/v1/merchants", server);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "30"]);
      expect((await ask("/healthz", server)).status).toBe(200);
    }
  });
});
