/** The network guard of deliveries (docs/contract.md#webhook-addresses). */
import { createNetworkGuard, type NetworkGuard } from "../foundation/network-guard.ts";

/** `allowNetworks` is the setting `webhooks.allow_networks`. */
export function createWebhookGuard(allowNetworks: readonly string[]): NetworkGuard {
  return createNetworkGuard(allowNetworks, "[webhooks] allow_networks");
}
