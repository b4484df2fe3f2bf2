/** Opens a server, a receiver on this machine and the webhook queue between them, driven by the test's clock. */
import { createWebhookQueue, type WebhookQueue } from "../../src/webhooks/webhook-queue.ts";
import type { WebhookDeliveryObject, WebhookEndpointWithSecret } from "../../src/webhooks/endpoint-object.ts";
import type { BenchOptions } from "./appliance.ts";
import { openServer, type Server } from "./http.ts";
import { type LocalReceiver, startLocalReceiver } from "./local-receiver.ts";

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
