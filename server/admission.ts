/** Authentication and rate limits: decides whether a request gets in (docs/contract.md#order-of-checks). */
import type { H3Event } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import type { Text } from "../src/foundation/text.ts";
import { authenticateKey } from "../src/keys/api-keys.ts";
import type { Window, Windows } from "./limits.ts";
import { clientAddressOf, type Trust } from "./peer.ts";
import type { Progress } from "./progress.ts";
import { bearerOf } from "./request.ts";

export interface Admission {
  /** Throws `unauthorized`, then `rate_limited`. Sets the mode and the window of `progress`. */
  admit(event: H3Event, progress: Progress): Promise<void>;
  /** Counts a lookup that is about to query the registry. Throws `rate_limited`. */
  countLookup(progress: Progress): Promise<void>;
}

const TOO_MANY_REQUESTS: Text = {
  en: "Too many requests with this API key; slow down and try again after retry-after",
  el: "Πάρα πολλά αιτήματα με αυτό το κλειδί API· μειώστε τον ρυθμό και δοκιμάστε ξανά μετά το retry-after",
};
const TOO_MANY_LOOKUPS: Text = {
  en: "Too many tax number lookups in this mode; try again after retry-after",
  el: "Πάρα πολλές αναζητήσεις ΑΦΜ σε αυτή τη λειτουργία· δοκιμάστε ξανά μετά το retry-after",
};
const TOO_MANY_FAILURES: Text = {
  en: "Too many requests with an invalid API key from this address; try again after retry-after",
  el: "Πάρα πολλά αιτήματα με άκυρο κλειδί API από αυτή τη διεύθυνση· δοκιμάστε ξανά μετά το retry-after",
};
const KEY_REQUIRED: Text = {
  en: "A valid API key is required: Authorization: Bearer <key>",
  el: "Απαιτείται έγκυρο κλειδί API: Authorization: Bearer <key>",
};

export function createAdmission(appliance: Appliance, trusted: Trust, windows: Windows): Admission {
  return {
    async admit(event, progress) {
      const bearer = bearerOf(event.req.headers);
      const key = bearer === undefined ? undefined : await authenticateKey(appliance, bearer);
      if (key === undefined) throw await refuseKey(event, windows, trusted, progress);
      progress.mode = key.mode;
      progress.window = await windows.count("requests", key.keyId);
      if (progress.window?.isExceeded === true) throw tooMany(progress.window, TOO_MANY_REQUESTS);
    },
    /** A second limit, shared by all keys of a mode. */
    async countLookup(progress) {
      const window = await windows.count("lookups", progress.mode!);
      // The headers report whichever limit is reached first.
      if (
        window !== undefined &&
        (progress.window === undefined || window.remaining <= progress.window.remaining)
      )
        progress.window = window;
      if (window?.isExceeded === true) throw tooMany(window, TOO_MANY_LOOKUPS);
    },
  };
}

/**
 * 401, or 429 once the address has sent too many bad keys. A valid key from the same address still gets in, and a request that
 * sends none guesses none.
 */
async function refuseKey(
  event: H3Event,
  windows: Windows,
  trusted: Trust,
  progress: Progress,
): Promise<AppError> {
  if (!event.req.headers.has("authorization")) return new AppError("unauthorized", KEY_REQUIRED);
  const window = await windows.count("failed_auth", clientAddressOf(event, trusted));
  if (window?.isExceeded !== true) return new AppError("unauthorized", KEY_REQUIRED);
  progress.window = window;
  return tooMany(window, TOO_MANY_FAILURES);
}

function tooMany(window: Window, message: Text): AppError {
  return new AppError("rate_limited", message, { retryAfterSeconds: Math.max(1, window.resetSeconds) });
}
