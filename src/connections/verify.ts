/** Asking a provider whether it takes a merchant's credentials, and what the answer makes of a connection. */
import type { ConnectionRow } from "../../storage/connections.ts";
import { hastenAskings, parkQueued, wakeQueued } from "../../storage/queue.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Cause, Context } from "../context.ts";
import { AppError, buildErrorObject, type ErrorObject } from "../errors.ts";
import { appendEvent, previousAttributes } from "../events/journal.ts";
import type { CallSubject } from "../issuing/evidence.ts";
import { callOnce } from "../issuing/single-call.ts";
import type { ProviderAdapter } from "../providers/adapter.ts";
import { buildConnectionObject } from "./object.ts";

/** What the provider said, once it has said anything. */
export interface Verdict {
  /** Null where it accepted the credentials. */
  refusal: ErrorObject | null;
  /** The provider calls that it took. */
  callIds: string[];
}

/** decisions 16: whatever the adapter calls it. */
const REFUSED_CODE = "provider_credentials_invalid";

/** Throws `service_unavailable` when the provider gives no answer: then nothing is known about the credentials. */
export async function askProvider(
  context: Context,
  adapter: ProviderAdapter,
  subject: Omit<CallSubject, "provider" | "documentId">,
  credentials: Readonly<Record<string, string>>,
): Promise<Verdict> {
  const about = { ...subject, provider: adapter.provider, documentId: null };
  const { outcome, callIds } = await callOnce(context, about, credentials, "verify", (call) =>
    adapter.verify(call),
  );
  if (outcome.kind === "unavailable") {
    throw new AppError(
      "service_unavailable",
      `The provider ${adapter.provider} gave no answer about the credentials; nothing was changed, try again later`,
    );
  }
  const refusal =
    outcome.kind === "refused" ? { ...outcome.error, code: REFUSED_CODE as typeof REFUSED_CODE } : null;
  return { refusal, callIds };
}

/** The verdict on credentials that cannot be opened any more. */
export function unreadableCredentials(): Verdict {
  const message =
    "The credentials of this connection are gone or cannot be read; disconnect it and connect the merchant again";
  return { refusal: buildErrorObject(REFUSED_CODE, message), callIds: [] };
}

/** The row of a connection after `verdict`. */
export function judged(row: ConnectionRow, verdict: Verdict, now: string): ConnectionRow {
  return verdict.refusal === null
    ? { ...row, status: "active", verified_at: now, last_error_json: null, last_error_at: null }
    : {
        ...row,
        status: "invalid",
        last_error_json: JSON.stringify(verdict.refusal),
        last_error_at: now,
      };
}

/**
 * Tells the verdict as an event, and answers its id and the text of the connection as it is then. Documents that wait for
 * the connection go on when it was accepted, and wait when it was refused.
 */
export async function tellVerdict(
  trx: Transaction,
  before: ConnectionRow | undefined,
  after: ConnectionRow,
  cause: Cause,
): Promise<{ eventId: string; json: string }> {
  const isAccepted = after.status === "active";
  const object = buildConnectionObject(after);
  const json = JSON.stringify(object);
  const eventId = await appendEvent(trx, {
    type: isAccepted ? "connection.verified" : "connection.invalid",
    objectJson: json,
    previous: before === undefined ? undefined : previousAttributes(buildConnectionObject(before), object),
    documentId: null,
    merchantId: after.merchant_id,
    cause,
  });
  const due = new Date(trx.clockMs).toISOString();
  if (isAccepted) {
    await wakeQueued(trx, after.id, due);
    await hastenAskings(trx, after.id, due);
  } else await parkQueued(trx, after.id);
  return { eventId, json };
}
