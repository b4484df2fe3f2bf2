/** Limits failed sign-ins per address, like failed API keys. */
import type { H3Event } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import type { Windows } from "../../limits.ts";
import { clientAddressOf, trustedNetworks } from "../../peer.ts";

/** The attempts of one address. */
export interface Attempts {
  address: string;
  /** Counts a failed attempt. Returns the seconds to wait if there were too many. */
  fail(): Promise<number | undefined>;
}

export interface SignInGuard {
  of(event: H3Event): Attempts;
}

export function createSignInGuard({ config }: Appliance, windows: Windows): SignInGuard {
  const trusted = trustedNetworks(config.server.trustedProxies);
  return {
    of(event) {
      const address = clientAddressOf(event, trusted);
      return {
        address,
        async fail() {
          const window = await windows.count("failed_sign_ins", address);
          return window?.isExceeded === true ? Math.max(1, window.resetSeconds) : undefined;
        },
      };
    },
  };
}
