/** A gateway between a client and the tax authority that forwards requests to `upstream`, and on demand drops, cuts, delays or corrupts them. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createHost } from "./fake-provider-a/host.ts";
import { sendDisturbed, firstInvoices, type Reply, sendReply, type Trouble } from "./gateway-troubles.ts";

export type RegistryMethod = "SendInvoices" | "RequestTransmittedDocs" | "CancelInvoice";

/** A request from the client. */
export interface SeenRequest {
  verb: string;
  method: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface Gateway {
  url: string;
  /** In order of arrival, without those refused while the gateway was down. */
  requests: readonly SeenRequest[];
  /** How many requests of the method have arrived. */
  count(method: RegistryMethod): number;
  /** Applies each trouble to one of the next requests of the method. */
  next(method: RegistryMethod, ...troubles: readonly Trouble[]): void;
  /** How many troubles are still unused. */
  left(): number;
  /** Removes unused troubles: all, or those of a kind. */
  calm(kind?: Trouble["kind"]): void;
  /** Forwards the requests held back as `late`, in order. */
  deliverLate(): Promise<void>;
  /** Refuses connections until `comeBack`. */
  goDown(): Promise<void>;
  comeBack(): Promise<void>;
  /** Throws if the gateway itself failed. */
  close(): Promise<void>;
}

export async function startGateway(upstream: string): Promise<Gateway> {
  const requests: SeenRequest[] = [];
  const pending: { method: RegistryMethod; trouble: Trouble }[] = [];
  const late: SeenRequest[] = [];
  const failures: string[] = [];
  const host = createHost(serve, (error) => void failures.push(String(error)));

  async function forward(seen: SeenRequest): Promise<Reply> {
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
    const index = pending.findIndex(({ method }) => method === seen.method);
    const trouble = index === -1 ? undefined : pending.splice(index, 1)[0]!.trouble;
    if (trouble === undefined) return sendReply(response, await forward(seen));
    await apply(trouble, seen, response);
  }

  async function apply(trouble: Trouble, seen: SeenRequest, response: ServerResponse): Promise<void> {
    if (trouble.kind === "late") {
      late.push(seen);
      return void response.destroy();
    }
    if (trouble.kind === "meanwhile") {
      await trouble.does();
      return sendReply(response, await forward(seen));
    }
    if (trouble.kind === "part") {
      const reply = await forward({ ...seen, body: firstInvoices(seen.body, trouble.count) });
      return trouble.answers ? sendReply(response, reply) : void response.destroy();
    }
    const reply = trouble.arrives === false ? undefined : await forward(seen);
    if (trouble.kind === "hold") return;
    if (trouble.kind === "cut") return void response.destroy();
    sendDisturbed(response, trouble, reply);
  }

  await host.listen();
  return {
    url: host.origin(),
    requests,
    count: (method) => requests.filter((seen) => seen.method === method).length,
    next: (method, ...troubles) => void pending.push(...troubles.map((trouble) => ({ method, trouble }))),
    left: () => pending.length,
    calm(kind) {
      const others = pending.filter(({ trouble }) => kind !== undefined && trouble.kind !== kind);
      pending.splice(0, pending.length, ...others);
    },
    async deliverLate() {
      for (const seen of late.splice(0)) await forward(seen);
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
