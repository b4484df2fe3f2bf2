/**
 * Deletes data past its retention period (docs/contract.md#retention): bodies, then rows, then the rest. Each portion is a
 * separate write, so that documents issued meanwhile do not wait. Providers' messages are removed from stored errors when they may no longer
 * be kept: `provider_message` becomes null and the raw body is deleted. The code and our own message stay.
 */
import { deleteDeliveriesBefore, deleteDeliveriesOfRemoved } from "../../../storage/webhooks/deliveries.ts";
import { deleteListingWindowsBefore } from "../../../storage/documents/dated-documents.ts";
import { deleteExpiredConsoleRows, SESSION_KEPT_MS } from "../../../storage/access/keys-and-sessions.ts";
import { findDocumentRow } from "../../../storage/documents/documents.ts";
import { deleteOldCredentials } from "../../../storage/merchants/connections.ts";
import { idBodyAt, type IdPrefix } from "../../../storage/database/ids.ts";
import {
  deleteCall,
  deleteConnectSessions,
  deleteRequest,
  findCallsIn,
  findEventsIn,
  findRequestsIn,
  forgetEvent,
  purgeCallBodies,
  purgeRequestBodies,
} from "../../../storage/upkeep/removal.ts";
import { deleteIdempotencyKeys } from "../../../storage/documents/idempotency.ts";
import {
  findEventsOfDocument,
  findOldConnectionErrors,
  findTypedEventsIn,
  rewriteConnectionError,
  rewriteDocumentError,
  rewriteEvent,
} from "../../../storage/journal/event-notes.ts";
import { findWatermark, upsertWatermark } from "../../../storage/upkeep/appliance-state.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { deleteTaxAnswersBefore } from "../../../storage/merchants/customers.ts";
import { deleteRemovedEndpoints } from "../../../storage/webhooks/webhooks.ts";
import type { Portion } from "../../../storage/database/queries.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { WINDOW_MS_MAX } from "../../books/reconcile/compared-sides.ts";
import type { Context } from "../../journal/context.ts";
import { isHeld } from "../../journal/held.ts";
import { type EventRow, findEvent } from "../../../storage/journal/events.ts";
import { removeProviderWords, withoutProviderWords } from "../../../storage/journal/event-chain.ts";
import { readJson } from "../../foundation/json.ts";

const DAY_MS = 86_400_000;
/** After the disconnection. */
const CREDENTIALS_DAYS = 30;
/** Except the keys of documents (docs/contract.md#idempotency-records). */
const IDEMPOTENCY_DAYS = 90;
/** Rows in one write, which takes some milliseconds. */
const PORTION = 200;

/** Returns how many rows were deleted, or lost their bodies. If this fails, the next night continues where it stopped. */
export async function deleteExpiredData(context: Context) {
  const { retention } = context.config;
  const cutMs = (days: number) => context.clock.nowMs() - days * DAY_MS;
  const requestBodies = await processRows(context, "rql", cutMs(retention.requestBodiesDays), {
    name: "request bodies",
    find: findRequestsIn,
    handle: (trx, row) => purgeRequestBodies(trx, row, trx.now),
  });
  // Rows may have a shorter period than their bodies.
  const providerCutMs = cutMs(Math.min(retention.providerBodiesDays, retention.rowsDays));
  const providerBodies = await processRows(context, "pcl", providerCutMs, {
    name: "provider bodies",
    find: findCallsIn,
    async handle(trx, row) {
      // The error that a call left in its document was written a little later.
      const before = new Date(providerCutMs + DAY_MS).toISOString();
      if (row.document_id !== null) await redactDocument(trx, row.document_id, before);
      const errorJson = withoutProviderMessage(row.error_json) ?? row.error_json;
      await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
      return row.bodies_purged_at === null;
    },
  });
  await redactConnections(context, providerCutMs);
  const requests = await processRows(context, "rql", cutMs(retention.rowsDays), {
    find: findRequestsIn,
    handle: async (trx, row) => (await deleteRequest(trx, row), true),
  });
  const providerCalls = await processRows(context, "pcl", cutMs(retention.rowsDays), {
    find: findCallsIn,
    async handle(trx, row) {
      // The calls of a pending document are the evidence of what was sent.
      const document =
        row.document_id === null ? undefined : await findDocumentRow(trx, { id: row.document_id });
      if (document?.status === "pending") return false;
      await deleteCall(trx, row.id);
      return true;
    },
  });
  // A replay returns the event of its creation, so the event stays as long as the key.
  const eventsCutMs = cutMs(Math.max(retention.eventsDays, IDEMPOTENCY_DAYS + 1));
  const events = await processRows(context, "evt", eventsCutMs, {
    name: "events",
    find: findEventsIn,
    async handle(trx, row) {
      // Events about documents stay as long as their documents.
      if (row.document_id !== null) return false;
      await forgetEvent(trx, row);
      return true;
    },
  });
  return {
    request_bodies: requestBodies,
    provider_bodies: providerBodies,
    requests,
    provider_calls: providerCalls,
    events,
    ...(await deleteTheRest(context)),
  };
}

/** Deletes up to `limit` rows, or all that are old, and returns how many. */
type Deletion = (trx: Transaction, limit: number) => Promise<number>;

async function deleteTheRest({ store, clock, config: { retention, taxIds } }: Context) {
  const now = clock.now();
  const before = (ms: number) => new Date(clock.nowMs() - ms).toISOString();
  const deliveriesBefore = `whd_${idBodyAt(clock.nowMs() - retention.deliveriesDays * DAY_MS)}`;
  const deletions = {
    idempotency_keys: (trx, limit) =>
      deleteIdempotencyKeys(trx, { before: before(IDEMPOTENCY_DAYS * DAY_MS), now, limit }),
    credentials: (trx) => deleteOldCredentials(trx, { before: before(CREDENTIALS_DAYS * DAY_MS) }),
    connect_sessions: (trx) => deleteConnectSessions(trx, { before: before(retention.rowsDays * DAY_MS) }),
    // Sign-in links and sessions.
    console_sessions: (trx) => deleteExpiredConsoleRows(trx, before(SESSION_KEPT_MS)),
    tax_answers: (trx, limit) =>
      deleteTaxAnswersBefore(trx, { before: before(taxIds.cacheHours * 3_600_000), limit }),
    // What comparisons that were never completed have read.
    listing_windows: (trx) => deleteListingWindowsBefore(trx, { before: before(WINDOW_MS_MAX) }),
    // Old ones, and all of removed endpoints, whose rows can be deleted after that.
    deliveries: async (trx, limit) =>
      (await deleteDeliveriesBefore(trx, { before: deliveriesBefore, limit })) +
      (await deleteDeliveriesOfRemoved(trx, { limit })),
  } satisfies Record<string, Deletion>;
  const deleted: Record<string, number> = {};
  for (const [name, remove] of Object.entries<Deletion>(deletions))
    for (let portion = PORTION; portion >= PORTION; ) {
      portion = await store.write((trx) => remove(trx, PORTION));
      deleted[name] = (deleted[name] ?? 0) + portion;
    }
  await store.write((trx) => deleteRemovedEndpoints(trx));
  return deleted as Record<keyof typeof deletions, number>;
}

/**
 * Processes the rows from before an instant, oldest first, and returns how many counted. With a `name`, it continues where it
 * last stopped; without one, it begins with the oldest row.
 */
async function processRows<Row extends { id: string }>(
  context: Context,
  prefix: IdPrefix,
  beforeMs: number,
  {
    name,
    find,
    handle,
  }: {
    name?: string;
    find(session: Transaction, portion: Portion): Promise<Row[]>;
    /** Returns whether the row counts as deleted. */
    handle(trx: Transaction, row: Row): Promise<boolean>;
  },
): Promise<number> {
  const before = `${prefix}_${idBodyAt(beforeMs)}`;
  let after = name === undefined ? "" : ((await findWatermark(context.store.read, { name })) ?? "");
  let counted = 0;
  for (;;) {
    const { through, hits, isLast } = await context.store.write(async (trx) => {
      const rows = await find(trx, { after, before, limit: PORTION });
      let found = 0;
      for (const row of rows) if (await handle(trx, row)) found += 1;
      const isEnd = rows.length < PORTION;
      // After the last portion nothing older is left, so the next night begins at `before`.
      const done = isEnd ? before : rows.at(-1)!.id;
      if (name !== undefined) await upsertWatermark(trx, { name, through: done });
      return { through: done, hits: found, isLast: isEnd };
    });
    counted += hits;
    after = through;
    if (isLast) return counted;
  }
}

async function redactConnections(context: Context, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs).toISOString();
  await context.store.write(async (trx) => {
    for (const row of await findOldConnectionErrors(trx, { before })) {
      const errorJson = withoutProviderMessage(row.last_error_json);
      if (errorJson !== undefined)
        await rewriteConnectionError(trx, { id: row.id, last_error_json: errorJson });
    }
  });
  for (const mode of MODES) {
    for (const type of CONNECTION_EVENTS) {
      await processRows(context, "evt", beforeMs, {
        name: `words of ${type} ${mode}`,
        find: (trx, portion) => findTypedEventsIn(trx, { ...portion, mode, type }),
        handle: redactEvent,
      });
    }
  }
}

/** Names the watermark with the day in Athens, `YYYY-MM-DD`, on which retention last began. */
export const RETENTION_WATERMARK = "forgetting";

/**
 * Runs in the first hour of a day in Athens, or later if the machine was off. A held appliance deletes nothing until it is
 * resumed, so that a backup restored for inspection keeps its data.
 */
export async function runRetentionDaily(context: Context): Promise<void> {
  const today = context.clock.today();
  if ((await findWatermark(context.store.read, { name: RETENTION_WATERMARK })) === today) return;
  if (await isHeld(context.store.read)) return;
  await context.store.write((trx) => upsertWatermark(trx, { name: RETENTION_WATERMARK, through: today }));
  const deleted = await deleteExpiredData(context);
  context.store.checkpoint();
  context.log.info({ ...deleted }, "deleted data past its retention period");
}

/** The events that contain a connection's `last_error`. */
export const CONNECTION_EVENTS = [
  "connection.created",
  "connection.verified",
  "connection.invalid",
  "connection.disconnected",
] as const;

/** Returns the error without the provider's message, or undefined if it has none. */
export function withoutProviderMessage(errorJson: string | null): string | undefined {
  if (errorJson === null) return undefined;
  const error = readJson<unknown>(errorJson);
  return removeProviderWords(error) ? JSON.stringify(error) : undefined;
}

/** Which part of an event is redacted: all of it, or only its previous attributes. */
type EventPart = "whole" | "previous";

/** Removes providers' messages from an event. Returns false if there are none, or if the event is gone. */
export async function redactEvent(
  trx: Transaction,
  { id }: Pick<EventRow, "id">,
  part: EventPart = "whole",
): Promise<boolean> {
  // Read again in this write, because the journal stores a digest of the event before the change.
  const row = await findEvent(trx, { id });
  if (row === undefined) return false;
  const object_json = part === "whole" ? withoutProviderWords(row.object_json) : row.object_json;
  const previous_json = row.previous_json === null ? null : withoutProviderWords(row.previous_json);
  if (object_json === row.object_json && previous_json === row.previous_json) return false;
  await rewriteEvent(trx, row, { object_json, previous_json });
  return true;
}

/**
 * Removes providers' messages from a document and its events: those written before the instant `before`, or all if it is
 * undefined. Returns whether the document changed, and how many events did.
 */
export async function redactDocument(
  trx: Transaction,
  documentId: string,
  before: string | undefined,
): Promise<{ document: boolean; events: number }> {
  const row = await findDocumentRow(trx, { id: documentId });
  if (row === undefined) return { document: false, events: 0 };
  const isOld = (instant: string) => before === undefined || instant < before;
  const errorJson = isOld(row.updated_at) ? withoutProviderMessage(row.error_json) : undefined;
  if (errorJson !== undefined) await rewriteDocumentError(trx, { id: documentId, error_json: errorJson });
  let events = 0;
  // An event's previous attributes repeat the event before it: a new retry has the message of a failure that may be old.
  let isPreviousOld = false;
  for (const event of await findEventsOfDocument(trx, { documentId })) {
    const isEventOld = isOld(event.created_at);
    const part: EventPart | undefined = isEventOld ? "whole" : isPreviousOld ? "previous" : undefined;
    if (part !== undefined && (await redactEvent(trx, event, part))) events += 1;
    isPreviousOld = isEventOld;
  }
  return { document: errorJson !== undefined, events };
}
