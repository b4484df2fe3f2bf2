/**
 * What may stand between a client and the tax authority: hands requests on to `upstream`, and loses, cuts, delays or garbles
 * one when it is told to. What arrived is the upstream's to know; what the client was told is decided here.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createHost } from "./fake-provider-a/host.ts";
import { brokenAnswer, firstInvoices, type Reply, sendReply, type Trouble } from "./gateway-troubles.ts";

export type RegistryMethod = "SendInvoices" | "RequestTransmittedDocs" | "CancelInvoice";

/** What the client sent. */
export interface SeenRequest {
  verb: string;
  method: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Gateway {
  url: string;
  /** In the order of arrival; what no connection was taken for is not among them. */
  requests: readonly SeenRequest[];
  /** How many requests of the method have come. */
  count(method: RegistryMethod): number;
  /** The next request of the method meets `trouble`. */
  next(method: RegistryMethod, ...troubles: readonly Trouble[]): void;
  /** Troubles that no request has met. */
  left(): number;
  /** Forgets the troubles that no request has met: all, or those of a kind. */
  calm(kind?: Trouble["kind"]): void;
  /** Hands on what was kept back as `late`, in its order. */
  deliverLate(): Promise<void>;
  /** Takes no connections until `comeBack`. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Throws where the gateway itself failed. */
  close(): Promise<void>;
}

export async function startGateway(upstream: string): Promise<Gateway> {
  const requests: SeenRequest[] = [];
  const told: { method: RegistryMethod; trouble: Trouble }[] = [];
  const late: SeenRequest[] = [];
  const failures: string[] = [];
  const host = createHost(serve, (error) => void failures.push(String(error)));

  async function handOn(seen: SeenRequest): Promise<Reply> {
    const path = `${seen.method}?${new URLSearchParams(seen.query).toString()}`;
    const { "aade-user-id": user, "ocp-apim-subscription-key": key } = seen.headers;
    const response = await fetch(`${upstream}/${path}`, {
      method: seen.verb,
      headers: { "aade-user-id": String(user ?? ""), "ocp-apim-subscription-key": String(key ?? "") },
      ...(seen.verb === "GET" ? {} : { body: seen.body }),
    });
    const type = response.headers.get("content-type") ?? "";
    return { status: response.status, headers: { "content-type": type }, body: await response.text() };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const seen = await readRequest(request);
    requests.push(seen);
    const index = told.findIndex(({ method }) => method === seen.method);
    const trouble = index === -1 ? undefined : told.splice(index, 1)[0]!.trouble;
    if (trouble === undefined) return sendReply(response, await handOn(seen));
    await meet(trouble, seen, response);
  }

  async function meet(trouble: Trouble, seen: SeenRequest, response: ServerResponse): Promise<void> {
    if (trouble.kind === "late") {
      late.push(seen);
      return void response.destroy();
    }
    if (trouble.kind === "part") {
      const reply = await handOn({ ...seen, body: firstInvoices(seen.body, trouble.count) });
      return trouble.answers ? sendReply(response, reply) : void response.destroy();
    }
    const reply = trouble.arrives === false ? undefined : await handOn(seen);
    if (trouble.kind === "hold") return;
    if (trouble.kind === "cut") return void response.destroy();
    brokenAnswer(response, trouble, reply);
  }

  await host.listen();
  return {
    url: host.origin(),
    requests,
    count: (method) => requests.filter((seen) => seen.method === method).length,
    next: (method, ...troubles) => void told.push(...troubles.map((trouble) => ({ method, trouble }))),
    left: () => told.length,
    calm(kind) {
      const others = told.filter(({ trouble }) => kind !== undefined && trouble.kind !== kind);
      told.splice(0, told.length, ...others);
    },
    async deliverLate() {
      for (const seen of late.splice(0)) await handOn(seen);
    },
    goDown: host.stop,
    comeBack: host.listen,
    async close() {
      await host.close();
      if (failures.length > 0) throw new Error(`The gateway failed: ${failures.join("; ")}`);
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://gateway.invalid");
  return {
    verb: request.method ?? "",
    method: pathname.slice(1),
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: Buffer.concat(chunks).toString("utf8"),
  };
}
