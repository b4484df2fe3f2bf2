/**
 * A webhook receiver on this machine: it records requests, responds as configured, and can be down for a while. And a server with the
 * webhook queue in front of one, driven by the test's clock.
 */
import { createWebhookQueue, type WebhookQueue } from "../../src/webhooks/webhook-queue.ts";
import type { WebhookDeliveryObject, WebhookEndpointWithSecret } from "../../src/webhooks/endpoint-object.ts";
import type { BenchOptions } from "./appliance.ts";
import { openServer, type Server } from "./http.ts";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { vi } from "vitest";
import type { EventObject } from "../../src/journal/event-object.ts";
import { createHost } from "./host.ts";

export interface DeliveringServer extends Server {
  receiver: LocalReceiver;
  queue: WebhookQueue;
  /** Creates an endpoint at the receiver, for all event types by default. */
  endpoint(extra?: object): Promise<WebhookEndpointWithSecret>;
  /** Creates a merchant, which causes one event, and returns its id. */
  createEvent(): Promise<string>;
  /** Newest first. */
  deliveries(endpointId: string): Promise<WebhookDeliveryObject[]>;
  /** Runs the queue until nothing is due at the clock's current time. */
  deliver(): Promise<void>;
}

let made = 0;

export async function openDeliveringServer(options: BenchOptions = {}): Promise<DeliveringServer> {
  const server = await openServer(options);
  const receiver = await startLocalReceiver();
  const queue = createWebhookQueue(server.appliance);
  return {
    ...server,
    receiver,
    queue,
    async endpoint(extra = {}) {
      const body = { url: receiver.url, enabled_events: ["*"], ...extra };
      return (await server.post("/api/v1/webhook_endpoints", body)).body.data;
    },
    async createEvent() {
      made += 1;
      const { body } = await server.post("/api/v1/merchants", { external_id: `m-${made}`, name: "x" });
      return body.data.id;
    },
    async deliveries(id) {
      return (await server.get(`/api/v1/webhook_endpoints/${id}/deliveries?limit=100`)).body.data;
    },
    deliver: () => queue.settleAll(),
    async close() {
      // First, so that no attempt waits for a response.
      await receiver.down();
      await queue.stop();
      await server.close();
    },
  };
}

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
  const requests: Received[] = [];
  const host = createHost(serve, (error) => {
    throw error;
  });
  await host.listen();
  const receiver: LocalReceiver = {
    url: `${host.origin()}/hooks?shop=1`,
    requests,
    answer: () => 200,
    received: (count) =>
      vi.waitUntil(() => requests.length >= count, { interval: 5, timeout: 60_000 }).then(() => undefined),
    down: host.stop,
    up: host.listen,
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
