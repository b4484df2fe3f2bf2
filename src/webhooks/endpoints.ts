/** Creates, lists, updates and deletes webhook endpoints, and rotates their secrets (docs/contract.md#webhook-endpoints). */
import type { Slice } from "../../storage/database/lists.ts";
import { hasWaitingDelivery, holdDeliveries } from "../../storage/webhooks/deliveries.ts";
import type { Mode, EndpointStatus } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import {
  changeEndpoint,
  type EndpointRow,
  findDisabledEndpoints,
  findEndpointInterests,
  findEndpointRow,
  insertEndpoint,
  findEndpointSlice,
  removeEndpoint,
} from "../../storage/webhooks/webhooks.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { type Page, type PageQuery, readPage, requireInMode } from "../foundation/pages.ts";
import { createOnce } from "../journal/create-once.ts";
import { AppError } from "../foundation/errors.ts";
import { parseWith } from "../foundation/validation.ts";
import {
  CreateWebhookEndpointSchema,
  requireAllowedAddress,
  RotateWebhookSecretSchema,
  UpdateWebhookEndpointSchema,
  createWebhookGuard,
} from "./endpoint-input.ts";
import {
  buildEndpointObject,
  HEALTHY,
  type WebhookEndpointObject,
  type WebhookEndpointWithSecret,
} from "./endpoint-object.ts";
import { makeSecret, rotate, sealFirstSecret } from "./signature.ts";

/** Every event creates a delivery row per endpoint; more endpoints are probably a mistake. */
const ENDPOINTS_MAX = 100;
/** One day. */
const OVERLAP_SECONDS_DEFAULT = 86_400;
/** Rows per write, which takes a few milliseconds. */
const BATCH = 1000;

/** Throws `not_found`, also for an endpoint of the other mode. */
export function requireEndpointRow(session: Session, mode: Mode, id: string): Promise<EndpointRow> {
  return requireInMode("we", mode, id, (by) => findEndpointRow(session, by));
}

function tooMany(): AppError {
  return new AppError("invalid_state", {
    en: `This mode has the maximum of ${ENDPOINTS_MAX} webhook endpoints; delete one first`,
    el: `Αυτό το περιβάλλον έχει ήδη το μέγιστο των ${ENDPOINTS_MAX} παραληπτών webhook· διαγράψτε πρώτα έναν`,
  });
}

/**
 * Creates an endpoint. Only this response contains `secret`; the stored idempotency record is encrypted. Throws
 * `validation_failed`, `invalid_state` if there are too many endpoints, or an idempotency error.
 */
export async function createWebhookEndpoint(
  context: Context,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const { store, config } = context;
  const { mode } = cause;
  const input = parseWith(CreateWebhookEndpointSchema, body, "");
  requireAllowedAddress(input.url, mode, createWebhookGuard(config.webhooks.allowNetworks));
  return store.write((trx) =>
    createOnce(trx, mode, use, async () => {
      if ((await findEndpointInterests(trx, mode)).length >= ENDPOINTS_MAX) throw tooMany();
      const id = trx.newId("we");
      const secret = makeSecret();
      const row = await insertEndpoint(trx, {
        id,
        mode,
        url: input.url,
        enabled_events_json: JSON.stringify(input.enabled_events),
        description: input.description ?? null,
        status: "enabled",
        secrets: sealFirstSecret(store.cipher, id, secret),
        ...HEALTHY,
        created_at: trx.now,
      });
      return { id, json: JSON.stringify({ ...buildEndpointObject(row), secret }), eventId: null };
    }),
  );
}

export async function listWebhookEndpoints(
  context: Context,
  mode: Mode,
  query: PageQuery & { status?: EndpointStatus | undefined },
): Promise<Page<WebhookEndpointObject>> {
  const filters = { mode, status: query.status };
  const find = (slice: Slice) => findEndpointSlice(context.store.read, filters, slice);
  return readPage("we", query, find, buildEndpointObject);
}

/** Throws `not_found`. */
export async function getWebhookEndpoint(
  context: Context,
  mode: Mode,
  id: string,
): Promise<WebhookEndpointObject> {
  return buildEndpointObject(await requireEndpointRow(context.store.read, mode, id));
}

/**
 * Changes the given fields. Disabling holds pending deliveries; after enabling, held deliveries stay held until they are
 * replayed. Throws `validation_failed` or `not_found`.
 */
export async function updateWebhookEndpoint(
  context: Context,
  id: string,
  body: unknown,
  { mode }: Cause,
): Promise<WebhookEndpointObject> {
  const input = parseWith(UpdateWebhookEndpointSchema, body, "");
  if (input.url !== undefined)
    requireAllowedAddress(input.url, mode, createWebhookGuard(context.config.webhooks.allowNetworks));
  // Deliveries left pending when it was disabled must be held before anything is sent again.
  if (input.status === "enabled") {
    const { status } = await requireEndpointRow(context.store.read, mode, id);
    if (status === "disabled") await holdPending(context, id);
  }
  const changed = await context.store.write(async (trx) => {
    const row = await requireEndpointRow(trx, mode, id);
    const isStatusChange = input.status !== undefined && input.status !== row.status;
    const change: EndpointRow = {
      ...row,
      url: input.url ?? row.url,
      enabled_events_json:
        input.enabled_events === undefined ? row.enabled_events_json : JSON.stringify(input.enabled_events),
      description: input.description === undefined ? row.description : input.description,
      ...(isStatusChange ? { status: input.status ?? row.status, disabled_reason: null, ...HEALTHY } : {}),
    };
    await changeEndpoint(trx, change);
    trx.announce("deliveries");
    return change;
  });
  if (changed.status === "disabled") await holdPending(context, id);
  return buildEndpointObject(changed);
}

/** Holds all pending deliveries of a disabled endpoint, in batches that do not block other writes. */
export async function holdPending({ store }: Pick<Context, "store">, id: string): Promise<void> {
  for (let held = BATCH; held === BATCH; ) {
    held = await store.write(async (trx) => {
      // Enabled again in the meantime, so the rest is sent.
      if ((await findEndpointRow(trx, { id }))?.status !== "disabled") return 0;
      return holdDeliveries(trx, { endpointId: id, now: new Date(trx.clockMs).toISOString(), limit: BATCH });
    });
  }
}

/**
 * Holds pending deliveries of disabled endpoints that a process that died, or an attempt in progress, may have left.
 */
export async function holdRemaining(context: Pick<Context, "store" | "clock">): Promise<void> {
  const { read } = context.store;
  const now = context.clock.now();
  for (const endpointId of await findDisabledEndpoints(read))
    if (await hasWaitingDelivery(read, { endpointId, now })) await holdPending(context, endpointId);
}

/** Deletes an endpoint and its deliveries. Throws `not_found`. */
export async function deleteWebhookEndpoint(
  context: Context,
  id: string,
  { mode }: Cause,
): Promise<{ id: string; object: "webhook_endpoint"; deleted: true }> {
  await context.store.write(async (trx) => {
    await requireEndpointRow(trx, mode, id);
    await removeEndpoint(trx, { id, at: trx.now });
  });
  return { id, object: "webhook_endpoint", deleted: true };
}

/**
 * Gives an endpoint a new secret, which only this response contains. Older secrets keep signing for `overlap_seconds`.
 * Throws `validation_failed` or `not_found`.
 */
export async function rotateWebhookSecret(
  context: Context,
  id: string,
  body: unknown,
  { mode }: Cause,
): Promise<WebhookEndpointWithSecret> {
  const { overlap_seconds: overlapSeconds = OVERLAP_SECONDS_DEFAULT } = parseWith(
    RotateWebhookSecretSchema,
    body,
    "",
  );
  const secret = makeSecret();
  const { cipher } = context.store;
  const row = await context.store.write(async (trx) => {
    const found = await requireEndpointRow(trx, mode, id);
    const change = { secret, overlapMs: overlapSeconds * 1000, nowMs: trx.clockMs };
    const rotated = { ...found, secrets: rotate(cipher, id, found.secrets, change) };
    await changeEndpoint(trx, rotated);
    return rotated;
  });
  return { ...buildEndpointObject(row), secret };
}
