/**
 * Builds the context of a provider call: finds the connection if that of the document is out of use, opens credentials, collects
 * evidence, and records further exchanges.
 */
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Context } from "../journal/context.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { createRedactor, type Redactor } from "../logs/redaction.ts";
import type { CallContext } from "../domain/provider-adapter.ts";
import type { CallOperation, StoredCallOutcome } from "../../storage/stored-values.ts";
import { CALLS, type CallSubject, createEvidence, type Evidence } from "./call-evidence.ts";
import {
  type ConnectionRow,
  findConnectionInUse,
  findConnectionRow,
} from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { Session } from "../../storage/database/session.ts";

export interface OpenCall {
  callContext: CallContext;
  /** Removes every credential of this call; undefined if there are none. */
  redactor: Redactor | undefined;
  /** The evidence of document `index`, also of a call about a single subject. Documents of one exchange share it. */
  evidenceOf(index: number): Evidence;
  /** The ids of further exchanges that have ended, once they are on disk. */
  furtherCalls(): Promise<string[]>;
  /** Whether any exchange got a response below 500, so the provider is available. */
  wasAnswered(): boolean;
}

/** Decrypts the credentials of a connection; null if there are none or they cannot be decrypted. */
export function openCredentials(
  { store }: Context,
  connection: Pick<ConnectionRow, "id" | "credentials"> | undefined,
): Record<string, string> | null {
  if (connection === undefined || connection.credentials === null) return null;
  const opened = store.cipher.open(placeIn("connections", connection.id), connection.credentials);
  return opened === undefined ? null : readJson<Record<string, string>>(opened.toString());
}

/** What the adapter reports while it sends a batch; a call about a single subject reports nothing. */
export type Reports = Pick<CallContext, "known" | "filing">;

const NO_REPORTS: Reports = { known: () => undefined, filing: async () => undefined };

export function buildCallContext(
  context: Context,
  subject: CallSubject,
  credentials: Readonly<Record<string, string>> | null,
  reports: Reports = NO_REPORTS,
): OpenCall {
  const { clock, log, store } = context;
  const redactor = credentials === null ? undefined : createRedactor(Object.values(credentials));
  let wasAnswered = false;
  const onStatus = (status: number) => {
    if (status < 500) wasAnswered = true;
  };
  const evidenceFor = () => createEvidence(onStatus, redactor);
  const shared = evidenceFor();
  const own = new Map<number, Evidence>();
  const furtherCalls: Promise<string[]>[] = [];
  return {
    redactor,
    furtherCalls: async () => (await Promise.all(furtherCalls)).flat(),
    wasAnswered: () => wasAnswered,
    callContext: {
      mode: subject.mode,
      credentials,
      signal: context.cut,
      nowMs: () => clock.nowMs(),
      secret: (value) => redactor?.add(value),
      evidence: shared,
      evidenceOf(index, ...others) {
        const evidence = own.get(index) ?? evidenceFor();
        for (const place of [index, ...others]) own.set(place, evidence);
        return evidence;
      },
      async begin(operation, purpose, verdict) {
        const evidence = evidenceFor();
        const startedMs = clock.nowMs();
        const begun = { ...subject, operation, purpose, evidence, redactor, started_at: clock.now() };
        const error = verdict?.error ? withoutSecrets(verdict.error, redactor) : null;
        const end = (shown: StoredCallOutcome) => {
          const ended = { outcome: verdict?.outcome ?? shown, error, isOpen: verdict === undefined };
          const duration_ms = Math.max(0, clock.nowMs() - startedMs);
          const storing = store.add(CALLS, { ...begun, ...ended, duration_ms }).then(
            (id) => [id],
            (failure: unknown) => {
              log.error({ error: String(failure) }, "a provider call could not be stored in the log");
              return [];
            },
          );
          furtherCalls.push(storing);
        };
        return {
          request: (sent) => evidence.request(sent),
          response(received) {
            evidence.response(received);
            end(received.status < 400 ? "ok" : received.status < 500 ? "rejected" : "transient");
          },
          failed(cause) {
            evidence.failed(cause);
            end("unknown");
          },
        };
      },
      ...reports,
    },
    evidenceOf: (index) => own.get(index) ?? shared,
  };
}

/** Removes credentials that the provider echoed from the error of an outcome. */
export function withoutCredentials<Outcome extends { kind: string; error?: ErrorObject }>(
  outcome: Outcome,
  redactor: Redactor | undefined,
): Outcome {
  return outcome.error === undefined
    ? outcome
    : { ...outcome, error: withoutSecrets(outcome.error, redactor) };
}

function withoutSecrets(error: ErrorObject, redactor: Redactor | undefined): ErrorObject {
  if (redactor === undefined) return error;
  // Our own code and message stay: a short credential could be part of a word in them.
  return {
    ...error,
    provider_code: error.provider_code === null ? null : redactor.text(error.provider_code),
    provider_message: error.provider_message === null ? null : redactor.text(error.provider_message),
    ...(error.provider_raw === undefined ? {} : { provider_raw: redactor.json(error.provider_raw) }),
  };
}

/**
 * The connection to send a document by, or to ask about it: its own while it is in use, otherwise the merchant's other one to the same
 * provider. To ask, the other one must be active: the own one's credentials are kept for a while. Undefined if there is none, as in the
 * sandbox.
 */
export async function findConnectionFor(
  session: Session,
  operation: CallOperation,
  { connection_id: id, merchant_id: merchantId, provider, mode }: DocumentRow,
): Promise<ConnectionRow | undefined> {
  const isSend = operation === "issue";
  const own = id === null ? undefined : await findConnectionRow(session, { id });
  const isUsable = own?.status === "active" || (isSend && own?.status === "invalid");
  if (id === null || isUsable) return own;
  const other = await findConnectionInUse(session, { merchantId, provider, mode });
  return isSend || other?.status === "active" ? other : own;
}
