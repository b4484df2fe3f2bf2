/** Serves the fake tax authority on a free port of this machine, and disturbs requests and responses as planned. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { createHost } from "../host.ts";
import { changeAnswer, type Trouble } from "../gateway-troubles.ts";
import { type AuthorityOptions, type AuthorityReply, createAuthority } from "./authority.ts";
import type { Fault } from "./faults.ts";
import type { ReadMethod } from "./lists.ts";

export interface FakeRegistryOptions extends AuthorityOptions {
  /** Delay before each response. */
  latencyMs?: number;
}

export type RegistryMethod = "SendInvoices" | "CancelInvoice" | ReadMethod;

/** A request as it arrived here, even if the authority never saw it. */
export interface SeenRequest {
  verb: string;
  method: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: string;
}

export async function startFakeRegistry(options: FakeRegistryOptions) {
  const authority = createAuthority(options);
  const planned: { method: string; fault: Fault | Trouble }[] = [];
  const seen: SeenRequest[] = [];
  const late: SeenRequest[] = [];
  const failures: string[] = [];
  const host = createHost(serve, (error) => void failures.push(String(error)));

  function faultFor(method: string): Fault | Trouble | undefined {
    const index = planned.findIndex((entry) => entry.method === method);
    return index < 0 ? undefined : planned.splice(index, 1)[0]!.fault;
  }

  function process(request: SeenRequest, fault?: Fault): AuthorityReply | undefined {
    const { "aade-user-id": userId, "ocp-apim-subscription-key": key } = request.headers as Record<
      string,
      string
    >;
    return authority.answer({ ...request, userId, key }, fault);
  }

  function answer(response: ServerResponse, reply: AuthorityReply | undefined): void {
    if (reply === undefined) return void response.destroy();
    response.writeHead(reply.status, reply.headers);
    response.end(reply.body);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: query } = new URL(request.url ?? "", "http://registry");
    const method = pathname.slice(1);
    const fault = faultFor(method);
    const body = await readBody(request);
    if (body === undefined) return;
    const asked = { verb: request.method ?? "", method, query, headers: request.headers, body };
    seen.push(asked);
    if (options.latencyMs !== undefined) await new Promise((turn) => setTimeout(turn, options.latencyMs));
    if (fault === "hangs") return;
    if (fault === "hangs after filing") return void process(asked);
    if (fault === "cut before filing") return void response.destroy();
    if (typeof fault === "object") await disturb(fault, asked, response);
    else answer(response, process(asked, fault));
  }

  async function disturb(trouble: Trouble, asked: SeenRequest, response: ServerResponse): Promise<void> {
    switch (trouble.kind) {
      case "late":
        late.push(asked);
        return void response.destroy();
      case "meanwhile":
        await trouble.does();
        return answer(response, process(asked));
      case "status": {
        const { status, headers, body = "<html><body>gateway</body></html>" } = trouble;
        return answer(response, { status, headers: { "content-type": "text/html", ...headers }, body });
      }
      case "changed": {
        const reply = process(asked);
        return answer(response, reply && { ...reply, body: changeAnswer(trouble.change, reply.body) });
      }
    }
  }

  /** Undefined if the client was killed while it was sending. */
  async function readBody(request: IncomingMessage): Promise<string | undefined> {
    try {
      return await text(request);
    } catch (error) {
      if (request.destroyed) return undefined;
      throw error;
    }
  }

  await host.listen();
  return Object.assign(authority, {
    url: host.origin(),
    /** In order of arrival, without those refused while it was down. */
    seen,
    /** How many requests of the method have arrived. */
    count: (method: RegistryMethod) => seen.filter((asked) => asked.method === method).length,
    /** Makes the next requests to the method meet these faults, of the authority or of the gateway in front of it. */
    next: (method: RegistryMethod, ...faults: readonly (Fault | Trouble)[]) =>
      void planned.push(...faults.map((fault) => ({ method, fault }))),
    /** How many planned faults are still unused. */
    left: () => planned.length,
    /** Removes unused faults. */
    calm: () => void planned.splice(0),
    /** Processes the requests held back as `late`, in order. */
    deliverLate() {
      for (const asked of late.splice(0)) process(asked);
    },
    /** Refuses connections until `comeBack`. */
    goDown: host.stop,
    comeBack: host.listen,
    /** Throws if the fake itself failed. */
    async close() {
      await host.close();
      if (failures.length > 0) throw new Error(`The fake authority failed: ${failures.join("; ")}`);
    },
  });
}

export type FakeRegistry = Awaited<ReturnType<typeof startFakeRegistry>>;
