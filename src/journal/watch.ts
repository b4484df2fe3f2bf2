/**
 * Records each finished unit of work: one line in the log, and the metrics (metrics.ts). Labels of metrics contain no ids and no
 * personal data.
 */
import type {
  CallOperation,
  StoredCallOutcome,
  DocumentStatus,
  Mode,
  Provider,
  DeliveryStatus,
} from "../../storage/stored-values.ts";

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

/** Receives each finished unit of work. */
export interface Recorder {
  request(done: RequestDone): void;
  call(done: CallDone): void;
  document(done: DocumentDone): void;
  attempt(done: AttemptDone): void;
}

export interface Watch extends Recorder {
  /** From now on `recorder` receives everything as well. */
  attach(recorder: Recorder): void;
}

/** Logs each unit of work through `line`. */
export function createWatch(line: (fields: Record<string, unknown>, message: string) => void): Watch {
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
