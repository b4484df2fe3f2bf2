/** Runs everything with known secrets, then checks that none appears in files, output or responses. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CanarySearch, createCanarySearch, readFiles } from "../helpers/canary.ts";
import {
  connectByLink,
  connectRightly,
  connectWrongly,
  createTraveller,
  type Credentials,
  makeEndpoint,
  misplace,
  NEW_LINK,
  NEW_SECRET,
  PAGE,
  readEverything,
} from "../helpers/canary-requests.ts";
import { type PlayedNetwork, playNetwork } from "../helpers/played-network.ts";
import { runBuilt, type ServerProcess, startBuilt } from "../helpers/server-process.ts";

/** In every permitted form: long and short, with characters that JSON, URLs and XML escape, and Greek where permitted. */
const CREDENTIALS: readonly Credentials[] = [
  {
    provider: "registry_direct",
    credentials: { user_id: "u7#Qx9v", subscription_key: "5f0c7d6a41b84e0f9a3e8d2c1b7a6f50" },
  },
  {
    provider: "registry_direct",
    credentials: { user_id: 'us"er\\<can>&%41/c+7', subscription_key: "K\"ey\\/+%2B&<ary>'=~{} 9;" },
  },
  {
    provider: "provider_a",
    credentials: { api_key: "wrapp-canary/key+with=every&thing", provider_user_id: "Ελ-canary-31337" },
  },
  {
    provider: "provider_a",
    credentials: { api_key: "Κλειδί «Δέλτα» \u{1F511} 9417", email: "canary.9417@example.com" },
  },
];
/** A secret of this product's form that this server did not issue. */
const WEBHOOK_SECRET = `whsec_${randomBytes(32).toString("base64")}`;

/** Fields that may be shown again on the page where they were entered. */
const SEEN_AGAIN: ReadonlySet<string> = new Set(["provider_user_id", "email"]);

const isPage = (source: string) => source.startsWith(PAGE);

describe("a run with known secrets", () => {
  let folder: string;
  let network: PlayedNetwork;
  let server: ServerProcess;
  let search: CanarySearch;
  const output: Buffer[] = [];

  const env = () => ({
    ...network.env,
    FISCAL_RATE_LIMIT__REQUESTS: "0",
    FISCAL_RATE_LIMIT__FAILED_AUTH: "0",
    FISCAL_LOG__LEVEL: "debug",
  });

  async function start(): Promise<void> {
    server = await startBuilt({ folder, env: env() });
    for (const stream of [server.child.stdout, server.child.stderr])
      stream?.on("data", (chunk: Buffer) => output.push(chunk));
  }

  async function makeKey(mode: string): Promise<string> {
    const { stdout } = await runBuilt(
      ["keys", "create", "--mode", mode, "--name", `canary ${mode}`, "--json"],
      { folder, env: env() },
    );
    const { secret } = JSON.parse(stdout) as { secret: string };
    search.add({ name: `the ${mode} API key`, secret });
    return secret;
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "fiscal-canaries-"));
    network = await playNetwork();
    search = createCanarySearch();
  });
  afterAll(async () => {
    await server?.kill();
    await network.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function expectNothingFound(when: string): Promise<void> {
    const files = (await readFiles(join(folder, "data"))).map(({ name, bytes }) => ({
      name: `${name} ${when}`,
      bytes,
    }));
    expect(files.map(({ name }) => name)).toContain(`fiscal.db ${when}`);
    const said = { name: `the output ${when}`, bytes: Buffer.concat([...output, Buffer.from(server.log())]) };
    expect([...new Set(search.search([...files, said]))]).toEqual([]);
  }

  test("leaks none of them", async () => {
    network.token = `jwt.canary.${randomBytes(12).toString("hex")}`;
    search.add({ name: "the provider's token", secret: network.token });
    search.add({ name: "the webhook secret", secret: WEBHOOK_SECRET });
    for (const { provider, credentials } of CREDENTIALS) {
      for (const [name, secret] of Object.entries(credentials))
        search.add({
          name: `${name} of ${provider} (${secret})`,
          secret,
          mayStandIn: (source) => SEEN_AGAIN.has(name) && isPage(source),
        });
    }
    const keys = { test: await makeKey("test"), live: await makeKey("live") };
    await start();
    const journey = {
      network,
      url: () => server.url,
      learnToken: (secret: string) =>
        search.add({ name: "the token of a link", secret, mayStandIn: (source) => source === NEW_LINK }),
      learnWebhookSecret: (secret: string) =>
        search.add({
          name: "the secret of an endpoint",
          secret,
          mayStandIn: (source) => source === NEW_SECRET,
        }),
    };
    const traveller = createTraveller({ ...journey, key: keys.test });
    await makeEndpoint(traveller);
    for (const given of CREDENTIALS) {
      expect(await connectRightly(traveller, given)).toEqual([503, 201, 201]);
      await connectWrongly(traveller, given);
      expect(await connectByLink(traveller, given)).toEqual([200, 503, 422, 400, 200, 410]);
    }
    for (const secret of [keys.test, keys.live, WEBHOOK_SECRET]) await misplace(traveller, secret);
    const seen = await readEverything(traveller);
    for (const prefix of ["pcl", "evt", "doc", "mer", "con", "rql"])
      expect(seen.filter((id) => id.startsWith(prefix)).length, prefix).toBeGreaterThan(5);
    // The providers repeated what they received, so there were secrets to be found.
    expect(network.count()).toBeGreaterThan(50);
    expect([...new Set(search.search(traveller.answers))]).toEqual([]);

    await expectNothingFound("while it runs");
    await server.kill();
    await expectNothingFound("after a kill");
    await start();
    const inLive = createTraveller({ ...journey, key: keys.live });
    await readEverything(inLive);
    expect(await server.stop()).toBe(0);
    await expectNothingFound("after a checkpoint");
    expect([...new Set(search.search([...traveller.answers, ...inLive.answers]))]).toEqual([]);
  });
});
