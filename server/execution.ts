/** Runs an operation for an admitted request: headers, body, query and idempotency, in the contract's order of checks. */
import type { H3Event } from "h3";
import type { Appliance } from "../src/appliance.ts";
import type { IdempotencyUse } from "../src/journal/context.ts";
import { AppError } from "../src/foundation/errors.ts";
import { findCreated, inProgress } from "../src/journal/create-once.ts";
import { fingerprint } from "../src/journal/idempotency.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { parseStrictJson } from "./json.ts";
import { created, isCreation, type Operation, type OperationResult } from "../src/operations/operation.ts";
import { publicUrlOf, type Trust } from "./peer.ts";
import type { Progress } from "./response.ts";
import { parseQuery } from "../src/operations/field.ts";
import { hasNoBody, idempotencyKeyOf, readBodyText, requireJson } from "./request.ts";

const NO_PARAMETERS = new URLSearchParams();

/** Runs `operation` and sets the idempotency key and the body of `progress`. */
export type Execute = (event: H3Event, operation: Operation, progress: Progress) => Promise<OperationResult>;

export function createExecution(
  appliance: Appliance,
  trusted: Trust,
  countLookup: (progress: Progress) => Promise<void>,
): Execute {
  const { config } = appliance;
  const { publicUrl, trustedProxies } = config.server;
  const isSettled = publicUrl !== "" || trustedProxies.length === 0;
  const running = new Set<string>();

  /** Links in a response use the address that the caller used, unless `server.public_url` is set. */
  function withPublicUrl(event: H3Event): Appliance {
    const fallback = appliance.publicUrl();
    const url = publicUrlOf(event, trusted, { fallback, isSettled });
    return url === fallback ? appliance : { ...appliance, publicUrl: () => url };
  }

  /**
   * Allows one request per key at a time in this process; the database arbitrates between processes. A refused request whose key was used
   * is a conflict first of all (docs/contract.md#idempotency-scope), or a repetition that would no longer be accepted. Looked up only then,
   * so that a valid request costs nothing more.
   */
  async function runExclusively(
    mode: Mode,
    use: IdempotencyUse,
    work: () => Promise<OperationResult>,
  ): Promise<OperationResult> {
    const name = `${mode} ${use.operation} ${use.key}`;
    if (running.has(name)) throw inProgress();
    running.add(name);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      const first = await findCreated(appliance, mode, use);
      if (first === undefined) throw error;
      return created(first);
    } finally {
      running.delete(name);
    }
  }

  return async (event, operation, progress) => {
    const { headers } = event.req;
    const mode = progress.mode!;
    if (operation.idempotency !== "none") {
      progress.idempotencyKey = idempotencyKeyOf(headers, operation.idempotency === "required");
    }
    let body: unknown;
    if (operation.isBodyOptional === true && hasNoBody(event)) {
      body = {};
    } else if (operation.body !== undefined) {
      requireJson(headers);
      progress.bodyText = await readBodyText(event, config.server.maxBodyBytes);
      body = parseStrictJson(progress.bodyText);
      progress.body = body;
    }
    const query = parseQuery(
      operation.query,
      event.url.search === "" ? NO_PARAMETERS : event.url.searchParams,
    );
    const params = event.context.params ?? {};
    const use = buildUse(operation, params, body, progress.idempotencyKey);
    const cause = { mode, requestId: progress.requestId, idempotencyKey: progress.idempotencyKey };
    const call = {
      context: withPublicUrl(event),
      mode,
      id: params["id"] ?? "",
      query,
      body,
      cause,
      use,
      countLookup: () => countLookup(progress),
    };
    const run = () => operation.handle(call);
    return use === undefined ? run() : runExclusively(mode, use, run);
  };
}

/**
 * Undefined for an operation that creates nothing: it records the key but does not deduplicate. The fingerprint is computed when
 * it is first needed, which is after the body was validated or the key was found: sorting and hashing a large invalid body would
 * cost a second.
 */
function buildUse(
  operation: Operation,
  params: Record<string, string>,
  body: unknown,
  key: string | null,
): IdempotencyUse | undefined {
  if (key === null || !isCreation(operation)) return undefined;
  let computed: string | undefined;
  return {
    operation: operation.id,
    key,
    get fingerprint() {
      return (computed ??= fingerprint(params, body));
    },
  };
}
