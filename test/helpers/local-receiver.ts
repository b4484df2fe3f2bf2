/** A webhook receiver on this machine: it records requests, responds as configured, and can be down for a while. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { vi } from "vitest";
import type { EventObject } from "../../src/journal/event-object.ts";
import { createHost } from "./host.ts";

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

export async function startLocalReceiver() {
  const requests: Received[] = [];
  const host = createHost(serve, (error) => {
    throw error;
  });
  await host.listen();
  const receiver = {
    url: `${host.origin()}/hooks?shop=1`,
    requests,
    /** Chooses the response to the request with this index, from 0. */
    answer: (_index: number): ReceiverAnswer => 200,
    /** Resolves after `count` requests in all. */
    received: (count: number) =>
      vi.waitUntil(() => requests.length >= count, { interval: 5, timeout: 60_000 }).then(() => undefined),
    /** Ends the connections and stops listening; `up` listens at the same address again. */
    down: host.stop,
    up: host.listen,
    close: host.close,
  };
  return receiver;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const { method = "", url: path = "", headers } = request;
    const event = JSON.parse(body.toString()) as EventObject;
    const answer = receiver.answer(requests.push({ method, path, headers, body, event }) - 1);
    if (answer === "cut") request.socket.destroy();
    else if (typeof answer === "number") response.writeHead(answer).end("seen");
    else if (answer !== "silence")
      setTimeout(
        () => response.writeHead(answer.status, answer.headers).end(answer.body),
        answer.afterMs ?? 0,
      );
  }
}

export type LocalReceiver = Awaited<ReturnType<typeof startLocalReceiver>>;
