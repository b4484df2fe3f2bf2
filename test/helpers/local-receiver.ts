/** A webhook receiver on this machine: it records requests, responds as configured, and can be down for a while. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { EventObject } from "../../src/journal/event-object.ts";

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes as received. */
  body: Buffer;
  event: EventObject;
}

/** A status, or what to do instead of responding. */
export type ReceiverAnswer =
  | number
  | { status: number; headers: Record<string, string>; body?: string; afterMs?: number }
  | "cut"
  | "silence";

export interface LocalReceiver {
  url: string;
  requests: Received[];
  /** Chooses the response to the request with this index, from 0. */
  answer(index: number): ReceiverAnswer;
  /** Resolves after `count` requests in all. */
  received(count: number): Promise<void>;
  /** Ends the connections and stops listening; `up` listens at the same address again. */
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function startLocalReceiver(): Promise<LocalReceiver> {
  const waiting = new Set<{ count: number; resolve: () => void }>();
  let server: Server | undefined;
  let port = 0;
  const receiver: LocalReceiver = {
    url: "",
    requests: [],
    answer: () => 200,
    received: (count) =>
      new Promise((resolve) => {
        waiting.add({ count, resolve });
        wake();
      }),
    async down() {
      const ending = server;
      server = undefined;
      if (ending === undefined) return;
      const ended = new Promise((resolve) => ending.close(resolve));
      ending.closeAllConnections();
      await ended;
    },
    async up() {
      server = listen();
      await new Promise<void>((resolve) => server?.listen(port, "127.0.0.1", resolve));
      ({ port } = server.address() as AddressInfo);
      receiver.url = `http://127.0.0.1:${port}/hooks?shop=1`;
    },
  };
  await receiver.up();
  return receiver;

  function wake(): void {
    for (const entry of waiting) {
      if (receiver.requests.length < entry.count) continue;
      waiting.delete(entry);
      entry.resolve();
    }
  }

  function listen(): Server {
    return createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks);
        const { method = "", url: path = "", headers } = request;
        const event = JSON.parse(body.toString()) as EventObject;
        receiver.requests.push({ method, path, headers, body, event });
        const answer = receiver.answer(receiver.requests.length - 1);
        if (answer === "cut") request.socket.destroy();
        else if (typeof answer === "number") response.writeHead(answer).end("seen");
        else if (answer !== "silence")
          setTimeout(
            () => response.writeHead(answer.status, answer.headers).end(answer.body),
            answer.afterMs ?? 0,
          );
        wake();
      });
    });
  }
}
