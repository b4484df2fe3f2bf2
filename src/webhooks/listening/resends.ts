/**
 * The newest resend requests, for listeners: the deliveries of a resend go to endpoints, and a listener has none. Requests are numbered,
 * and a listener stores the number of the last one that it has seen.
 */
import type { Session } from "../../../storage/database/session.ts";
import { findWatermark, upsertWatermark } from "../../../storage/database/watermarks.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { readJson } from "../../foundation/json.ts";

/** A listener that was away for longer continues with the oldest one kept. */
const KEPT_MAX = 1000;
/** Names the watermark with the requests. */
const RESENDS_WATERMARK = "resends";

interface ResendRequest {
  mode: Mode;
  eventId: string;
}

interface StoredRequests {
  /** The number of the newest. */
  last: number;
  /** Oldest first. */
  requests: ResendRequest[];
}

async function readStored(session: Session): Promise<StoredRequests> {
  const stored = await findWatermark(session, RESENDS_WATERMARK);
  return stored === undefined ? { last: 0, requests: [] } : readJson<StoredRequests>(stored);
}

export async function noteResend(trx: Transaction, mode: Mode, eventId: string): Promise<void> {
  const { last, requests } = await readStored(trx);
  const kept = [...requests, { mode, eventId }].slice(-KEPT_MAX);
  await upsertWatermark(trx, RESENDS_WATERMARK, JSON.stringify({ last: last + 1, requests: kept }));
}

/** The number of the last request, after which a new listener starts. */
export async function lastResend(session: Session): Promise<number> {
  return (await readStored(session)).last;
}

/** The requests after number `from`, oldest first, each with its own; `last` is where to continue. */
export async function readResends(
  session: Session,
  from: number,
): Promise<{ requests: (ResendRequest & { number: number })[]; last: number }> {
  const { last, requests } = await readStored(session);
  const first = last - requests.length + 1;
  const numbered = requests.map((request, index) => ({ ...request, number: first + index }));
  return { requests: numbered.filter(({ number }) => number > from), last };
}
