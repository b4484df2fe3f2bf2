/** Serves the fake tax authority on a free port of this machine, with faults that are planned or drawn at random. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Authority, type AuthorityOptions, createAuthority } from "./authority.ts";
import type { Fault } from "./faults.ts";
import type { ReadMethod } from "./lists.ts";

export interface FakeRegistryOptions extends AuthorityOptions {
  /** Delay before each response. */
  latencyMs?: number;
  /** Default: a free port. */
  port?: number;
}

export interface FakeRegistry extends Omit<Authority, "answer"> {
  /** Plans a fault for the next request to the method. */
  next(method: "SendInvoices" | "CancelInvoice" | ReadMethod, fault: Fault): void;
  /** Each send fails with this probability, with one of the faults. */
  random(probability: number, faults: readonly Fault[], random: () => number): void;
  close(): Promise<void>;
}

export async function startFakeRegistry(options: FakeRegistryOptions): Promise<FakeRegistry> {
  const authority = createAuthority(options);
  const { ledger, requests } = authority;
  const scripted: { method: string; fault: Fault }[] = [];
  let chance: { probability: number; faults: readonly Fault[]; random: () => number } | undefined;

  const registry: FakeRegistry = Object.assign(authority, {
    next: (method: string, fault: Fault) => void scripted.push({ method, fault }),
    random: (probability: number, faults: readonly Fault[], random: () => number) => {
      chance = { probability, faults, random };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });

  function faultFor(method: string): Fault | undefined {
    const index = scripted.findIndex((entry) => entry.method === method);
    if (index >= 0) return scripted.splice(index, 1)[0]!.fault;
    if (method !== "SendInvoices" || chance === undefined || chance.random() >= chance.probability)
      return undefined;
    return chance.faults[Math.floor(chance.random() * chance.faults.length)];
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://registry");
    const method = url.pathname.slice(1);
    if (method === "__ledger") {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ ledger, requests }));
      return;
    }
    const fault = faultFor(method);
    if (fault === "cut before filing") return void request.socket.destroy();
    if (fault === "hangs") return;
    const body = await text(request);
    if (options.latencyMs !== undefined) await new Promise((turn) => setTimeout(turn, options.latencyMs));
    const { "aade-user-id": userId, "ocp-apim-subscription-key": key } = request.headers as Record<
      string,
      string
    >;
    const verb = request.method ?? "";
    const reply = authority.answer({ method, verb, query: url.searchParams, userId, key, body }, fault);
    if (reply === undefined) return void request.socket.destroy();
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      requests.push(`broken: ${String(error)}`);
      response.destroy();
    });
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return registry;
}
