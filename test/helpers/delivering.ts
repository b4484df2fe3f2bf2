/** Opens a server, a receiver on this machine and the webhook queue between them, driven by the test's clock. */
import { createWebhookQueue } from "../../src/webhooks/webhook-queue.ts";
import type { WebhookDeliveryObject, WebhookEndpointWithSecret } from "../../src/webhooks/endpoint-object.ts";
import type { BenchOptions } from "./appliance.ts";
import { openServer } from "./http.ts";
import { startLocalReceiver } from "./local-receiver.ts";

let made = 0;

export async function openDeliveringServer(options: BenchOptions = {}) {
  const server = await openServer(options);
  const receiver = await startLocalReceiver();
  const queue = createWebhookQueue(server.appliance);
  return {
    ...server,
    receiver,
    queue,
    /** Creates an endpoint at the receiver, for all event types by default. */
    async endpoint(extra: object = {}): Promise<WebhookEndpointWithSecret> {
      const body = { url: receiver.url, enabled_events: ["*"], ...extra };
      return (await server.post("/api/v1/webhook_endpoints", body)).body.data;
    },
    /** Creates a merchant, which causes one event, and returns its id. */
    async createEvent(): Promise<string> {
      made += 1;
      const { body } = await server.post("/api/v1/merchants", { external_id: `m-${made}`, name: "x" });
      return body.data.id;
    },
    /** Newest first. */
    async deliveries(id: string): Promise<WebhookDeliveryObject[]> {
      return (await server.get(`/api/v1/webhook_endpoints/${id}/deliveries?limit=100`)).body.data;
    },
    /** Runs the queue until nothing is due at the clock's current time. */
    deliver: () => queue.settleAll(),
    async close() {
      // First, so that no attempt waits for a response.
      await receiver.down();
      await queue.stop();
      await server.close();
    },
  };
}
