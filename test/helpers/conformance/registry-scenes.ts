/** Puts the fake tax authority into each situation of the conformance suite. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  nobodyListens,
  type Scene,
  type SceneClock,
  type Scenes,
} from "../../../src/providers/adapter-test/describe.ts";
import type { Fault } from "../fake-registry/faults.ts";
import { type FakeRegistry, startFakeRegistry } from "../fake-registry/server.ts";

export const REGISTRY_CREDENTIALS = { user_id: "user-of-the-shop", subscription_key: "key-of-the-shop" };

const ACCOUNT = { userId: "user-of-the-shop", key: "key-of-the-shop", vat: "123456783" };
const REFUSAL = { code: "203", message: "Το σύνολο δεν συμφωνεί" };

/** The tax number of the suite's documents. */
const SERIES = "TIM";

function sceneOf(registry: FakeRegistry, url = registry.url): Scene {
  return {
    url,
    registrations: () => registry.ledger.length,
    requests: () => registry.requests.length,
    close: () => registry.close(),
  };
}

async function open(clock: SceneClock, prepare: (registry: FakeRegistry) => void): Promise<Scene> {
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], nowMs: () => clock.nowMs() });
  prepare(registry);
  return sceneOf(registry);
}

const meeting = (fault: Fault) => (clock: SceneClock) =>
  open(clock, (registry) => registry.next("SendInvoices", fault));

/** A proxy in front of the fake that forwards every request but never returns the response to a send. */
async function openSilent(clock: SceneClock): Promise<Scene> {
  const registry = await startFakeRegistry({ accounts: [{ ...ACCOUNT }], nowMs: () => clock.nowMs() });
  const problems: unknown[] = [];
  const server = createServer((request, response) => {
    handOn(registry.url, request, response).catch((error: unknown) => problems.push(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ...sceneOf(registry, `http://127.0.0.1:${port}`),
    async close() {
      server.closeAllConnections();
      server.close();
      await registry.close();
      if (problems.length > 0) throw new AggregateError(problems, "The scene could not hand requests on");
    },
  };
}

async function handOn(origin: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const isSend = request.method === "POST";
  const headers = Object.entries(request.headers).filter(([name]) =>
    /^aade-|^ocp-|^content-type$/.test(name),
  );
  const answer = await fetch(`${origin}${request.url}`, {
    method: request.method ?? "GET",
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    ...(isSend ? { body: Buffer.concat(chunks) } : {}),
  });
  const body = await answer.text();
  if (isSend) return;
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "text/plain" });
  response.end(body);
}

export function registryScenes(): Scenes {
  return {
    issues: (clock) => open(clock, () => {}),
    accepts: { cannotHappen: "the authority gives the MARK with its answer" },
    rejects: async (clock) => ({
      ...(await open(clock, (registry) => registry.refuse(SERIES, REFUSAL.code, REFUSAL.message))),
      refusal: REFUSAL,
    }),
    refusesCredentials: (clock) =>
      open(clock, (registry) => {
        registry.accounts.length = 0;
      }),
    unreachable: () => nobodyListens(),
    slow: openSilent,
    cutsBefore: meeting("cut before filing"),
    cutsAfter: meeting("cut after filing"),
    garbled: meeting("garbled after filing"),
    fails: meeting("500 after filing"),
  };
}
