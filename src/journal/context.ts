/** The services that the product's functions work with, and the interfaces of the log, of finished work and of the disk. */
import type { Store } from "../../storage/database/store.ts";
import type {
  CallOperation,
  DeliveryStatus,
  DocumentStatus,
  Mode,
  Provider,
  StoredCallOutcome,
} from "../../storage/stored-values.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Config } from "../config/config.ts";
import type { ProviderRegistry } from "../domain/provider-adapter.ts";
import type { TaxIds } from "../domain/tax-number.ts";
import type { AppError } from "../foundation/errors.ts";

/** The operator's log. `fields` never contain secrets, personal data or bodies. */
export interface Log {
  debug(fields: Record<string, unknown>, message: string): void;
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
  error(fields: Record<string, unknown>, message: string): void;
}

/** `src/appliance.ts` creates it once. */
export interface Context {
  readonly config: Config;
  readonly clock: Clock;
  /** Its writes throw `service_unavailable` while the database cannot be written. */
  readonly store: Store;
  readonly space: Space;
  readonly log: Log;
  /** Counts and logs each finished unit of work. */
  readonly finishedWork: FinishedWork;
  readonly providers: ProviderRegistry;
  readonly taxIds: TaxIds;
  /** Aborted when the program must end at once. Provider calls in progress then have no answer. */
  readonly cut: AbortSignal;
  /** The address of this server in links, without a trailing slash. */
  publicUrl(): string;
  /** Wakes the issuing queue of this process, if it has one. Never waits. */
  pokeIssuing(): void;
}

/** What causes a change: the mode, and the API request if there is one. */
export interface Cause {
  mode: Mode;
  /** The x-request-id of the API call; null for the command line and for background work. */
  requestId: string | null;
  idempotencyKey: string | null;
}

/** The idempotency key of one creation (docs/contract.md#idempotency-records). `fingerprint`: see idempotency.ts. */
export interface IdempotencyUse {
  operation: string;
  key: string;
  readonly fingerprint: string;
}

/** The result of a creation. `json` is the created object; a replay returns the first response byte for byte. */
export interface Created {
  id: string;
  json: string;
  replayed: boolean;
}

/** An answered API request. */
export interface RequestDone {
  requestId: string;
  /** Null for a path without an operation. */
  operation: string | null;
  source: "api" | "mcp";
  status: number;
  durationMs: number;
  /** Size of the response body. */
  bytes: number;
}

/** A finished provider call. */
export interface CallDone {
  callId: string;
  mode: Mode;
  provider: Provider;
  operation: CallOperation;
  outcome: StoredCallOutcome;
  durationMs: number;
}

/** A document that was accepted or became final. */
export interface DocumentDone {
  mode: Mode;
  provider: Provider;
  status: "accepted" | Exclude<DocumentStatus, "pending">;
}

/** An attempt to deliver an event. */
export interface AttemptDone {
  deliveryId: string;
  /** The status of the delivery afterwards; `pending` if it is retried. */
  outcome: DeliveryStatus;
  /** Null without a response. */
  status: number | null;
  durationMs: number;
}

/** Receives each finished unit of work. Labels of metrics (metrics.ts) contain no ids and no personal data. */
export interface Recorder {
  request(done: RequestDone): void;
  call(done: CallDone): void;
  document(done: DocumentDone): void;
  attempt(done: AttemptDone): void;
}

interface FinishedWork extends Recorder {
  /** From now on `recorder` receives everything as well. */
  attach(recorder: Recorder): void;
}

/** Logs each unit of work through `line`. */
export function createFinishedWork(
  line: (fields: Record<string, unknown>, message: string) => void,
): FinishedWork {
  let attached: Recorder | undefined;
  return {
    attach(recorder) {
      attached = recorder;
    },
    request(done) {
      attached?.request(done);
      const { requestId, operation, source, status, durationMs, bytes } = done;
      const fields = { request_id: requestId, operation, source, status, ms: Math.round(durationMs), bytes };
      line(fields, "request answered");
    },
    call(done) {
      attached?.call(done);
      const { callId, mode, provider, operation, outcome, durationMs } = done;
      line({ call: callId, mode, provider, operation, outcome, ms: durationMs }, "provider called");
    },
    document: (done) => attached?.document(done),
    attempt(done) {
      attached?.attempt(done);
      const { deliveryId, outcome, status, durationMs } = done;
      line({ delivery: deliveryId, outcome, status, ms: durationMs }, "delivery attempted");
    },
  };
}

/** `short`: no documents are accepted. `full`: nothing is sent either. Below `ample`, the request log is skipped. */
export type SpaceLevel = "ample" | "short" | "full";

/** The free disk space; disk-space.ts implements it. */
export interface Space {
  /** Measured at most once a second. Also `full` if the database file is missing. */
  level(): SpaceLevel;
  /** Throws `service_unavailable` if there is no space for a new document. */
  requireRoom(): void;
  /** Throws StorageError if the database is no longer the file that was opened, because writes would be lost. */
  requirePlace(): void;
  /** The `service_unavailable` for a write that failed because of the disk or the database; undefined for other errors. */
  explain(error: unknown): AppError | undefined;
  /** Reports a successful write, which ends an earlier failure. */
  wrote(): void;
  /** Counts a row that was left out of the request log. */
  leftOut(): void;
}
