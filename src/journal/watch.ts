/**
 * What the parts of the service tell about their work: a unit each, once it is done. Figures are made of it (metrics.ts), and
 * one line a unit in the log. No id and no personal data is among the labels that figures have.
 */
import type { DeliveryStatus } from "../../storage/schema.ts";
import type {
  CallOperation,
  CallOutcomeWord,
  DocumentStatus,
  Mode,
  Provider,
} from "../../storage/stored-values.ts";

/** A request to the API, answered. */
export interface RequestDone {
  requestId: string;
  /** Null for a path that is no operation's. */
  operation: string | null;
  source: "api" | "mcp";
  status: number;
  durationMs: number;
  /** Of the answer's body. */
  bytes: number;
}

/** An exchange with a provider. */
export interface CallDone {
  callId: string;
  mode: Mode;
  provider: Provider;
  operation: CallOperation;
  outcome: CallOutcomeWord;
  durationMs: number;
}

/** A document that was accepted, or came to its end. */
export interface DocumentDone {
  mode: Mode;
  provider: Provider;
  status: "accepted" | Exclude<DocumentStatus, "pending">;
}

/** An attempt to deliver an event. */
export interface AttemptDone {
  deliveryId: string;
  /** What the delivery is afterwards: `pending` where it is tried again. */
  outcome: DeliveryStatus;
  /** Null where no answer came. */
  status: number | null;
  durationMs: number;
}

/** Whoever keeps figures of it. */
export interface Figures {
  request(done: RequestDone): void;
  call(done: CallDone): void;
  document(done: DocumentDone): void;
  attempt(done: AttemptDone): void;
}

export interface Watch extends Figures {
  /** From now on `figures` is told too. */
  keep(figures: Figures): void;
}

/** A watch that writes a line for each unit of work. `line` takes its fields and what it is about. */
export function createWatch(line: (fields: Record<string, unknown>, message: string) => void): Watch {
  let figures: Figures | undefined;
  return {
    keep(kept) {
      figures = kept;
    },
    request(done) {
      figures?.request(done);
      const { requestId, operation, source, status, durationMs, bytes } = done;
      const fields = { request_id: requestId, operation, source, status, ms: Math.round(durationMs), bytes };
      line(fields, "request answered");
    },
    call(done) {
      figures?.call(done);
      const { callId, mode, provider, operation, outcome, durationMs } = done;
      line({ call: callId, mode, provider, operation, outcome, ms: durationMs }, "provider called");
    },
    document: (done) => figures?.document(done),
    attempt(done) {
      figures?.attempt(done);
      const { deliveryId, outcome, status, durationMs } = done;
      line({ delivery: deliveryId, outcome, status, ms: durationMs }, "delivery attempted");
    },
  };
}
