/**
 * Serves every API request in the order of docs/contract.md#order-of-checks: key, rate limit, path, Idempotency-Key,
 * content type, size, JSON, then the operation's own checks.
 */
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { describeError, UNEXPECTED } from "./errors.ts";
import { createExecution } from "./execution.ts";
import type { Window, Windows } from "./limits.ts";
import type { Operation, OperationResult } from "../src/operations/operation.ts";
import { clientAddressOf, type Trust, trustedNetworks } from "./peer.ts";
import { beginProgress, buildHeaders, type Progress, respond } from "./response.ts";
import type { Text } from "../src/foundation/text.ts";
import { authenticateKey } from "../src/keys/api-keys.ts";
import { bearerOf } from "./request.ts";

export interface Pipeline {
  /** Serves `operation`; undefined means that the path is no operation. */
  serve(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse>;
  /** Runs `operation` for a caller who is already authenticated (a tool call). The request is logged like any other. */
  serveCaller(event: H3Event, operation: Operation, caller: Caller): Promise<Served>;
  /** Throws `unauthorized`, then `rate_limited`. Sets the mode and the window of `progress`. */
  admit(event: H3Event, progress: Progress): Promise<void>;
  /** The result of `work`, or its AppError; any other error becomes `internal_error`, which is logged under the request's id. */
  attempt<T>(requestId: string, name: string | undefined, work: () => Promise<T>): Promise<T | AppError>;
  /** The headers of every response. */
  headersFor(progress: Progress, status: number): Record<string, string>;
  /** From now on every response closes its connection: the server is stopping. */
  closeConnections(): void;
  isClosing(): boolean;
}

/** An authenticated caller, and the id of the request that authenticated them. */
export interface Caller {
  mode: Mode;
  requestId: string;
}

/** The result of a caller's request. */
export interface Served {
  result: OperationResult | AppError;
  idempotencyKey: string | null;
}

export function createPipeline(appliance: Appliance, windows: Windows): Pipeline {
  const { config } = appliance;
  const trusted = trustedNetworks(config.server.trustedProxies);
  const execute = createExecution(appliance, trusted, countLookup);
  let isClosing = false;

  async function admit(event: H3Event, progress: Progress): Promise<void> {
    const bearer = bearerOf(event.req.headers);
    const key = bearer === undefined ? undefined : await authenticateKey(appliance, bearer);
    if (key === undefined) return refuseKey(event, windows, trusted, progress);
    progress.mode = key.mode;
    progress.window = await windows.count("requests", key.keyId);
    refuseTooMany(progress.window, TOO_MANY_REQUESTS);
  }

  /** Counts a lookup that is about to query the registry: a second limit, shared by all keys of a mode. Throws `rate_limited`. */
  async function countLookup(progress: Progress): Promise<void> {
    const window = await windows.count("lookups", progress.mode!);
    if (window === undefined) return;
    // The headers report whichever limit is reached first.
    if (progress.window === undefined || window.remaining <= progress.window.remaining)
      progress.window = window;
    refuseTooMany(window, TOO_MANY_LOOKUPS);
  }

  async function attempt<T>(
    requestId: string,
    name: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | AppError> {
    try {
      return await work();
    } catch (error) {
      // A read may fail because of the disk; failed writes are explained where they happen.
      const known = error instanceof AppError ? error : appliance.space.explain(error);
      if (known !== undefined && known.code !== "internal_error") return known;
      appliance.log.error(
        { request_id: requestId, operation: name, error: describeError(error) },
        "request failed",
      );
      return known ?? UNEXPECTED;
    }
  }

  return {
    async serve(event, operation) {
      const progress = beginProgress(appliance, event.req.headers);
      const result = await attempt(progress.requestId, operation?.id, async () => {
        await admit(event, progress);
        if (operation === undefined) throw noSuchEndpoint();
        return execute(event, operation, progress);
      });
      return respond(appliance, { event, operation, progress, result }, isClosing);
    },
    async serveCaller(event, operation, caller) {
      const progress = beginProgress(appliance, event.req.headers, { ...caller, source: "mcp" });
      const result = await attempt(progress.requestId, operation.id, async () => {
        return execute(event, operation, progress);
      });
      respond(appliance, { event, operation, progress, result }, isClosing);
      return { result, idempotencyKey: progress.idempotencyKey };
    },
    admit,
    attempt,
    headersFor: (progress, status) => buildHeaders(progress, status, isClosing),
    closeConnections() {
      isClosing = true;
    },
    isClosing: () => isClosing,
  };
}

function noSuchEndpoint(): AppError {
  return new AppError("not_found", {
    en: "No such endpoint or method",
    el: "Δεν υπάρχει τέτοια διαδρομή ή μέθοδος",
  });
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

/**
 * 401, or 429 once the address has sent too many bad keys. A valid key from the same address still gets in, and a request that
 * sends none guesses none.
 */
async function refuseKey(
  event: H3Event,
  windows: Windows,
  trusted: Trust,
  progress: Progress,
): Promise<never> {
  if (event.req.headers.has("authorization")) {
    const window = await windows.count("failed_auth", clientAddressOf(event, trusted));
    if (window?.retryAfterSeconds !== undefined) progress.window = window;
    refuseTooMany(window, TOO_MANY_FAILURES);
  }
  throw new AppError("unauthorized", KEY_REQUIRED);
}

/** Throws `rate_limited` where the request is over the limit. */
function refuseTooMany(window: Window | undefined, message: Text): void {
  const retryAfterSeconds = window?.retryAfterSeconds;
  if (retryAfterSeconds !== undefined) throw new AppError("rate_limited", message, { retryAfterSeconds });
}
