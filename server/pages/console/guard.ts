/** Limits failed sign-ins per address, like failed API keys. */
import type { H3Event } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { createFixedWindow } from "../../limits.ts";
import { clientAddressOf, trustedNetworks } from "../../peer.ts";

/** docs/contract.md#rate-limits */
const WINDOW_SECONDS = 60;

/** The attempts of one address. */
export interface Attempts {
  /** Counts a failed attempt. Returns the seconds to wait if there were too many. */
  fail(): number | undefined;
}

export interface SignInGuard {
  of(event: H3Event): Attempts;
}

export function createSignInGuard({ config, clock }: Appliance): SignInGuard {
  const failed = createFixedWindow(config.rateLimit.failedAuth, WINDOW_SECONDS);
  const trusted = trustedNetworks(config.server.trustedProxies);
  return {
    of: (event) => ({
      fail() {
        const window = failed.count(clientAddressOf(event, trusted), clock.nowMs());
        return window?.isExceeded === true ? Math.max(1, window.resetSeconds) : undefined;
      },
    }),
  };
}
