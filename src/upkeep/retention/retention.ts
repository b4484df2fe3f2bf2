/**
 * The nightly forgetting (decisions 11): bodies, then rows, then what else has had its time. In portions, each a write of
 * its own, so that nothing that is issued meanwhile waits.
 */
import { deleteDeliveriesBefore, deleteDeliveriesOf } from "../../../storage/deliveries.ts";
import { deleteExpiredConsoleRows } from "../../../storage/console.ts";
import { findDocumentRow } from "../../../storage/documents.ts";
import { deleteOldCredentials } from "../../../storage/connections.ts";
import { idBodyAt, type IdPrefix } from "../../../storage/ids.ts";
import {
  deleteCall,
  deleteConnectSessions,
  deleteEventsWithoutDocument,
  deleteIdempotencyKeys,
  deleteRequest,
  findCallsIn,
  findEventIdsIn,
  findRequestsIn,
  purgeCallBodies,
  purgeRequestBodies,
} from "../../../storage/retention.ts";
import {
  findOldConnectionErrors,
  findTypedEventsIn,
  rewriteConnectionError,
} from "../../../storage/rewriting.ts";
import { findWatermark, upsertWatermark } from "../../../storage/watermarks.ts";
import { MODES } from "../../../storage/stored-values.ts";
import { deleteTaxAnswersBefore } from "../../../storage/tax-answers.ts";
import { findRemovedEndpoint, deleteEndpoint } from "../../../storage/webhooks.ts";
import type { Transaction } from "../../../storage/write.ts";
import type { Context } from "../../journal/context.ts";
import { stripDocument, stripEvent, withoutWords } from "./provider-messages.ts";

const DAY_MS = 86_400_000;
/** spec, Connection: credentials are deleted 30 days after the disconnection. */
const CREDENTIALS_DAYS = 30;
/** decisions 4: all but documents'. */
const IDEMPOTENCY_DAYS = 90;
/** Rows in one write: some milliseconds. */
const PORTION = 200;

/** What was forgotten, in rows. */
export interface Forgotten {
  request_bodies: number;
  provider_bodies: number;
  requests: number;
  provider_calls: number;
  events: number;
  idempotency_keys: number;
  credentials: number;
  connect_sessions: number;
  /** Links and sessions. */
  console_sessions: number;
  tax_answers: number;
  deliveries: number;
}

/** Forgets what has had its time. What fails is thrown: it is tried again the next night, from where it stopped. */
export async function forget(context: Context): Promise<Forgotten> {
  const { retention, taxIds } = context.config;
  const { store } = context;
  const nowMs = context.clock.nowMs();
  const daysAgo = (days: number) => nowMs - days * DAY_MS;
  const instantOf = (ms: number) => new Date(ms).toISOString();
  const requestBodies = await walk(context, "rql", "request bodies", daysAgo(retention.requestBodiesDays), {
    find: findRequestsIn,
    each: (trx, row) => purgeRequestBodies(trx, row.id, trx.now),
  });
  // Where rows live shorter than bodies should, the bodies go with them.
  const providerCutMs = daysAgo(Math.min(retention.providerBodiesDays, retention.rowsDays));
  const providerBodies = await walk(context, "pcl", "provider bodies", providerCutMs, {
    find: findCallsIn,
    async each(trx, row) {
      // What a call made of its document was written a little after it.
      const before = instantOf(providerCutMs + DAY_MS);
      if (row.document_id !== null) await stripDocument(trx, row.document_id, before);
      const errorJson = withoutWords(row.error_json) ?? row.error_json;
      await purgeCallBodies(trx, { id: row.id, bodyId: row.body_id, at: trx.now, errorJson });
      return row.bodies_purged_at === null;
    },
  });
  await forgetConnectionWords(context, providerCutMs);
  const rowsCutMs = daysAgo(retention.rowsDays);
  return {
    request_bodies: requestBodies,
    provider_bodies: providerBodies,
    requests: await walk(context, "rql", undefined, rowsCutMs, {
      find: findRequestsIn,
      each: async (trx, row) => (await deleteRequest(trx, row.id), true),
    }),
    provider_calls: await walk(context, "pcl", undefined, rowsCutMs, {
      find: findCallsIn,
      async each(trx, row) {
        // The calls of a document on its way are what is known of its sends.
        const document = row.document_id === null ? undefined : await findDocumentRow(trx, row.document_id);
        if (document?.status === "pending") return false;
        await deleteCall(trx, row.id);
        return true;
      },
    }),
    // A replay answers the event of its creation: it stays as long as the key does.
    events: await forgetEvents(context, daysAgo(Math.max(retention.eventsDays, IDEMPOTENCY_DAYS + 1))),
    idempotency_keys: await repeat((limit) =>
      store.write((trx) =>
        deleteIdempotencyKeys(trx, {
          before: instantOf(daysAgo(IDEMPOTENCY_DAYS)),
          now: instantOf(nowMs),
          limit,
        }),
      ),
    ),
    credentials: await store.write((trx) => deleteOldCredentials(trx, instantOf(daysAgo(CREDENTIALS_DAYS)))),
    connect_sessions: await store.write((trx) => deleteConnectSessions(trx, instantOf(rowsCutMs))),
    console_sessions: await store.write((trx) => deleteExpiredConsoleRows(trx, instantOf(nowMs))),
    tax_answers: await repeat((limit) =>
      store.write((trx) =>
        deleteTaxAnswersBefore(trx, instantOf(nowMs - taxIds.cacheHours * 3_600_000), limit),
      ),
    ),
    deliveries: await forgetDeliveries(context, daysAgo(retention.deliveriesDays)),
  };
}

/** Old ones, and all of endpoints that were removed, which go with the last of them. */
async function forgetDeliveries({ store }: Context, beforeMs: number): Promise<number> {
  const before = `whd_${idBodyAt(Math.max(0, beforeMs))}`;
  let forgotten = await repeat((limit) => store.write((trx) => deleteDeliveriesBefore(trx, before, limit)));
  for (;;) {
    const removed = await findRemovedEndpoint(store.read);
    if (removed === undefined) return forgotten;
    forgotten += await repeat((limit) => store.write((trx) => deleteDeliveriesOf(trx, removed, limit)));
    await store.write((trx) => deleteEndpoint(trx, removed));
  }
}

interface Work<Row> {
  find(session: Transaction, portion: { after: string; before: string; limit: number }): Promise<Row[]>;
  /** Answers whether it counts. */
  each(trx: Transaction, row: Row): Promise<boolean>;
}

/**
 * Goes through the rows from before an instant, oldest first: with a name from where it stopped the last time, without one
 * from the oldest that is left. Answers how many counted.
 */
async function walk<Row extends { id: string }>(
  context: Context,
  prefix: IdPrefix,
  name: string | undefined,
  beforeMs: number,
  { find, each }: Work<Row>,
): Promise<number> {
  const before = `${prefix}_${idBodyAt(Math.max(0, beforeMs))}`;
  let after = name === undefined ? "" : ((await findWatermark(context.store.read, name)) ?? "");
  let counted = 0;
  for (;;) {
    const { rows, hits } = await context.store.write(async (trx) => {
      const found = await find(trx, { after, before, limit: PORTION });
      let counting = 0;
      for (const row of found) if (await each(trx, row)) counting += 1;
      const last = found.at(-1);
      // Behind the last portion there is nothing older: the next night begins where this one ends.
      const through = found.length < PORTION ? before : last?.id;
      if (name !== undefined && through !== undefined) await upsertWatermark(trx, name, through);
      return { rows: found, hits: counting };
    });
    counted += hits;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < PORTION) return counted;
  }
}

/** Events about documents stay with their documents; those about anything else go. */
async function forgetEvents(context: Context, beforeMs: number): Promise<number> {
  const name = "events";
  const before = `evt_${idBodyAt(Math.max(0, beforeMs))}`;
  let after = (await findWatermark(context.store.read, name)) ?? "";
  let deleted = 0;
  for (;;) {
    const ids = await findEventIdsIn(context.store.read, { after, before, limit: PORTION });
    const through = ids.at(-1);
    if (through === undefined) return deleted;
    const range = { after, through };
    deleted += await context.store.write(async (trx) => {
      await upsertWatermark(trx, name, through);
      return deleteEventsWithoutDocument(trx, range);
    });
    after = through;
  }
}

/** The words of providers in connections and their events. */
async function forgetConnectionWords(context: Context, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs).toISOString();
  await context.store.write(async (trx) => {
    for (const row of await findOldConnectionErrors(trx, before)) {
      const errorJson = withoutWords(row.last_error_json);
      if (errorJson !== undefined) await rewriteConnectionError(trx, row.id, errorJson);
    }
  });
  for (const mode of MODES) {
    for (const type of CONNECTION_EVENTS) {
      await walk(context, "evt", `words of ${type} ${mode}`, beforeMs, {
        find: (trx, portion) => findTypedEventsIn(trx, { ...portion, mode, type }),
        each: stripEvent,
      });
    }
  }
}

export const CONNECTION_EVENTS = [
  "connection.created",
  "connection.verified",
  "connection.invalid",
  "connection.disconnected",
] as const;

/** Repeats a deletion in portions until one is not full; answers the sum. */
async function repeat(remove: (limit: number) => Promise<number>): Promise<number> {
  let removed = 0;
  for (;;) {
    const portion = await remove(PORTION);
    removed += portion;
    if (portion < PORTION) return removed;
  }
}
