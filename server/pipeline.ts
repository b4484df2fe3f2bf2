/**
 * Serves every API request in the order of docs/contract.md#order-of-checks: key, rate limit, path, Idempotency-Key,
 * content type, size, JSON, then the operation's own checks.
 */
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { createAdmission } from "./admission.ts";
import { describeError, UNEXPECTED } from "./errors.ts";
import { createExecution } from "./execution.ts";
import type { Windows } from "./limits.ts";
import type { Operation, OperationResult } from "../src/operations/operation.ts";
import { trustedNetworks } from "./peer.ts";
import { beginProgress, type Progress } from "./progress.ts";
import { buildHeaders, respond } from "./response.ts";

export interface Pipeline {
  /** Serves `operation`; undefined means that the path is no operation. */
  serve(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse>;
  /** Runs `operation` for a caller who is already authenticated (a tool call). The request is logged like any other. */
  serveCaller(event: H3Event, operation: Operation, caller: Caller): Promise<Served>;
  /** Starts the progress of a request, also for endpoints outside the API that take its keys. */
  begin(headers: Headers, known?: Partial<Progress>): Progress;
  /** Throws `unauthorized`, then `rate_limited`. */
  admit(event: H3Event, progress: Progress): Promise<void>;
  /** The result of `work`, or its AppError. Any other error is logged under the request's id and becomes `internal_error`. */
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
  const { config, clock } = appliance;
  const trusted = trustedNetworks(config.server.trustedProxies);
  const { admit, countLookup } = createAdmission(appliance, trusted, windows);
  const execute = createExecution(appliance, trusted, countLookup);
  let isClosing = false;

  function begin(headers: Headers, known?: Partial<Progress>): Progress {
    return beginProgress(headers, clock, config.server.platformRequestIdHeader, known);
  }

  async function attempt<T>(
    requestId: string,
    name: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | AppError> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) return error;
      // A read that failed because of the disk; failed writes are explained where they happen.
      const unavailable = appliance.space.explain(error);
      if (unavailable !== undefined) return unavailable;
      appliance.log.error(
        { request_id: requestId, operation: name, error: describeError(error) },
        "request failed",
      );
      return UNEXPECTED;
    }
  }

  return {
    async serve(event, operation) {
      const progress = begin(event.req.headers);
      const result = await attempt(progress.requestId, operation?.id, async () => {
        await admit(event, progress);
        if (operation === undefined) throw noSuchEndpoint();
        return execute(event, operation, progress);
      });
      return respond(appliance, { event, operation, progress, result }, isClosing);
    },
    async serveCaller(event, operation, caller) {
      const progress = begin(event.req.headers, { ...caller, source: "mcp" });
      const result = await attempt(progress.requestId, operation.id, async () => {
        return execute(event, operation, progress);
      });
      respond(appliance, { event, operation, progress, result }, isClosing);
      return { result, idempotencyKey: progress.idempotencyKey };
    },
    begin,
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
