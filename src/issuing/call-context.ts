/**
 * Builds the context of a provider call: finds the connection if that of the document is out of use, opens credentials, collects
 * evidence, and records further exchanges.
 */
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Context } from "../journal/context.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { createRedactor, type Redactor } from "../logs/redaction.ts";
import type { CallContext, CallRecorder } from "../domain/provider-adapter.ts";
import type { StoredCallOutcome } from "../../storage/stored-values.ts";
import { CALLS, type CallSubject, createEvidence, type EndedCall, type Evidence } from "./call-evidence.ts";
import {
  type ConnectionRow,
  findConnectionInUse,
  findConnectionRow,
} from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { Session } from "../../storage/database/session.ts";

export interface CallRoute extends CallSubject {
  /** Sealed; null for the sandbox and after they were deleted. */
  credentials: Uint8Array | null;
}

export interface OpenCall {
  callContext: CallContext;
  /** Removes every credential of this call; undefined if there are none. */
  redactor: Redactor | undefined;
  /** The evidence of document `index`. Documents of one exchange share it. */
  evidenceOf(index: number): Evidence;
  /** The evidence of a call about a single subject, however the adapter recorded it. */
  shared(): Evidence;
  /** The ids of further exchanges that have ended, once they are on disk. */
  furtherCalls(): Promise<string[]>;
  /** Whether any exchange got a response below 500, so the provider is available. */
  wasAnswered(): boolean;
}

/** Decrypts the credentials of a connection; null if there are none or they cannot be decrypted. */
export function openCredentials(
  { store }: Context,
  { connectionId, credentials }: Pick<CallRoute, "connectionId" | "credentials">,
): Record<string, string> | null {
  if (credentials === null || connectionId === null) return null;
  const opened = store.cipher.open(placeIn("connections", connectionId), credentials);
  return opened === undefined ? null : readJson<Record<string, string>>(opened.toString());
}

/** What the adapter reports while it sends a batch; a call about a single subject reports nothing. */
export type Reports = Pick<CallContext, "known" | "filing">;

const NO_REPORTS: Reports = { known: () => undefined, filing: async () => undefined };

export function buildCallContext(
  context: Context,
  subject: CallSubject,
  credentials: Readonly<Record<string, string>> | null,
  documents: number,
  reports: Reports = NO_REPORTS,
): OpenCall {
  const redactor = credentials === null ? undefined : createRedactor(Object.values(credentials));
  let wasAnswered = false;
  const onStatus = (status: number) => {
    if (status < 500) wasAnswered = true;
  };
  const evidenceFor = () => createEvidence(onStatus, redactor);
  const shared = evidenceFor();
  const own: (Evidence | undefined)[] = Array.from({ length: documents });
  const furtherCalls: Promise<string[]>[] = [];
  return {
    redactor,
    furtherCalls: async () => (await Promise.all(furtherCalls)).flat(),
    wasAnswered: () => wasAnswered,
    callContext: {
      mode: subject.mode,
      credentials,
      signal: context.cut,
      nowMs: () => context.clock.nowMs(),
      secret: (value) => redactor?.add(value),
      evidence: shared,
      evidenceOf(index, ...others) {
        const evidence = (own[index] ??= evidenceFor());
        for (const other of others) own[other] = evidence;
        return evidence;
      },
      async begin(operation, purpose, verdict) {
        const evidence = evidenceFor();
        const error = verdict?.error ?? undefined;
        const begun = {
          subject,
          operation,
          purpose,
          evidence,
          redactor,
          startedAt: context.clock.now(),
          isOpen: verdict === undefined,
          error: withoutCredentials({ kind: "", error }, redactor).error ?? null,
        };
        return recordFurtherCall(context, begun, verdict?.outcome, furtherCalls);
      },
      ...reports,
    },
    evidenceOf: (index) => own[index] ?? shared,
    shared: () => own[0] ?? shared,
  };
}

/** Removes credentials that the provider echoed from the error of an outcome. */
export function withoutCredentials<Outcome extends { kind: string; error?: ErrorObject }>(
  outcome: Outcome,
  redactor: Redactor | undefined,
): Outcome {
  if (redactor === undefined || outcome.error === undefined) return outcome;
  const { error } = outcome;
  // Our own code and message stay: a short credential could be part of a word in them.
  return {
    ...outcome,
    error: {
      ...error,
      provider_code: error.provider_code === null ? null : redactor.text(error.provider_code),
      provider_message: error.provider_message === null ? null : redactor.text(error.provider_message),
      ...(error.provider_raw === undefined ? {} : { provider_raw: redactor.json(error.provider_raw) }),
    },
  };
}

/** Returns the recorder of a further exchange, which is stored once it has ended. Its outcome follows from the response without `outcome`. */
function recordFurtherCall(
  { clock, log, store }: Context,
  begun: Omit<EndedCall, "outcome" | "durationMs">,
  outcome: StoredCallOutcome | undefined,
  stored: Promise<string[]>[],
): CallRecorder {
  const { evidence } = begun;
  const startedMs = clock.nowMs();
  const finish = (shown: StoredCallOutcome) => {
    const durationMs = Math.max(0, clock.nowMs() - startedMs);
    const storing = store.add(CALLS, { ...begun, outcome: outcome ?? shown, durationMs }).then(
      (id) => [id],
      (error: unknown) => {
        log.error({ error: String(error) }, "a provider call could not be stored in the log");
        return [];
      },
    );
    stored.push(storing);
  };
  return {
    request: (sent) => evidence.request(sent),
    response(received) {
      evidence.response(received);
      finish(received.status < 400 ? "ok" : received.status < 500 ? "rejected" : "transient");
    },
    failed(cause) {
      evidence.failed(cause);
      finish("unknown");
    },
  };
}

/**
 * The connection for queries about a document that was sent: its own if active, otherwise the merchant's active connection to the same
 * provider, whose credentials are kept for longer. Undefined without one, as in the sandbox.
 */
export async function findQueryConnection(
  session: Session,
  row: DocumentRow,
): Promise<ConnectionRow | undefined> {
  const own = await findOwn(session, row);
  if (row.connection_id === null || own?.status === "active") return own;
  const replacement = await findReplacement(session, row);
  return replacement?.status === "active" ? replacement : own;
}

/** The connection to send by: its own or the one that replaced it; undefined if it is disconnected without a replacement. */
export async function findSendConnection(
  session: Session,
  row: DocumentRow,
): Promise<ConnectionRow | undefined> {
  const own = await findOwn(session, row);
  if (own !== undefined && own.status !== "disconnected") return own;
  return findReplacement(session, row);
}

async function findOwn(
  session: Session,
  { connection_id: id }: DocumentRow,
): Promise<ConnectionRow | undefined> {
  return id === null ? undefined : findConnectionRow(session, { id });
}

function findReplacement(session: Session, row: DocumentRow): Promise<ConnectionRow | undefined> {
  const { merchant_id: merchantId, provider, mode } = row;
  return findConnectionInUse(session, { merchantId, provider, mode });
}
