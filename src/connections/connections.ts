/** Creates, verifies, disconnects and lists connections (docs/contract.md#connections). */
import type { Slice } from "../../storage/database/lists.ts";
import { providerName } from "../domain/document-codes.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import { setConnectionOfCall } from "../../storage/logs/logs.ts";
import {
  changeConnection,
  type ConnectionRow,
  findConnectionInUse,
  findConnectionRow,
  insertConnection,
  findConnectionSlice,
  type NewConnectionRow,
} from "../../storage/merchants/connections.ts";
import { setQueuedDue } from "../../storage/documents/document-queue.ts";
import type { Mode, Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Cause, Context, Created, IdempotencyUse } from "../journal/context.ts";
import { type Page, type PageQuery, readPage, requireInMode } from "../foundation/pages.ts";
import { abandonOnce, beginOnce, finishOnce } from "../journal/create-once.ts";
import { credentialsMissing } from "../domain/adjust-outcomes.ts";
import { AppError } from "../foundation/errors.ts";
import { appendEvent } from "../journal/append-event.ts";
import { openCredentials } from "../issuing/call-context.ts";
import { requireMerchantRow } from "../merchants/merchants.ts";
import { parseConnectionBody, askProvider } from "./connection-input.ts";
import {
  applyVerdict,
  buildConnectionObject,
  type ConnectionObject,
  recordVerdict,
  type Verdict,
} from "../issuing/connection-status.ts";

/** How long a creation holds its idempotency key while the provider verifies the credentials: longer than a login and a request may take. */
function verificationMsMax({ config }: Context): number {
  const timeouts = Object.values(config.providers).map((settings) =>
    "timeoutSeconds" in settings ? settings.timeoutSeconds : 0,
  );
  return (2 * Math.max(...timeouts) + 120) * 1000;
}

/** Throws `already_exists` if the merchant has a connection to the provider. */
async function requireFree(
  session: Session,
  by: { merchantId: string; provider: Provider; mode: Mode },
): Promise<void> {
  const existing = await findConnectionInUse(session, by);
  if (existing === undefined) return;
  const name = providerName(by.provider);
  const state = existing.status === "invalid" ? "μη έγκυρη" : "ενεργή";
  throw new AppError("already_exists", {
    en: `The merchant already has an ${existing.status} connection to ${name} in ${by.mode} mode; verify it again, or disconnect it first`,
    el: `Η επιχείρηση έχει ήδη ${state} σύνδεση με ${name} σε ${by.mode === "live" ? "παραγωγική" : "δοκιμαστική"} λειτουργία· επαληθεύστε την ξανά, ή αποσυνδέστε την πρώτα`,
  });
}

/**
 * Asks the provider to verify the credentials, then stores the connection as `active`, or as `invalid` with
 * `last_error`. Throws `validation_failed`, `not_found`, `already_exists`, the errors of
 * idempotency, or `service_unavailable` if the provider does not answer; then nothing is stored and the key can be
 * used again.
 */
export async function createConnection(
  context: Context,
  merchantId: string,
  body: unknown,
  cause: Cause,
  use?: IdempotencyUse,
): Promise<Created> {
  const { store } = context;
  const { mode } = cause;
  const { adapter, credentials } = parseConnectionBody(context.providers, body);
  const place = { merchantId, provider: adapter.provider, mode };
  const begun = await store.write(async (trx) => {
    await requireMerchantRow(trx, merchantId);
    const beginning = await beginOnce(trx, mode, use, verificationMsMax(context));
    if ("mark" in beginning) await requireFree(trx, place);
    return beginning;
  });
  if ("replayed" in begun) return begun.replayed;
  try {
    const verdict = await askProvider(
      context,
      adapter,
      { mode, merchant_id: merchantId, connection_id: null },
      credentials,
    );
    const created = await store.write(async (trx) => {
      await requireFree(trx, place);
      const { row, ...first } = await addConnection(trx, context, { ...place, credentials, verdict }, cause);
      return finishOnce(trx, begun.mark, { id: row.id, ...first });
    });
    context.pokeIssuing();
    return created;
  } catch (error) {
    await store.write((trx) => abandonOnce(trx, begun.mark));
    throw error;
  }
}

export interface NewConnection {
  merchantId: string;
  provider: Provider;
  mode: Mode;
  credentials: Readonly<Record<string, string>>;
  verdict: Verdict;
}

/**
 * Stores the connection, and appends `connection.created` and the event of the verdict, both with the final connection, which never had
 * another state. Returns the row with the event and JSON of the creation.
 */
export async function addConnection(
  trx: Transaction,
  context: Context,
  { merchantId, provider, mode, credentials, verdict }: NewConnection,
  cause: Cause,
): Promise<{ row: ConnectionRow; eventId: string; json: string }> {
  const id = trx.newId("con");
  const unverified: NewConnectionRow = {
    id,
    merchant_id: merchantId,
    provider,
    mode,
    status: "active",
    credentials: context.store.cipher.seal(placeIn("connections", id), JSON.stringify(credentials)),
    created_at: trx.now,
  };
  const row = await insertConnection(trx, applyVerdict(unverified, verdict.refusal, trx.now));
  for (const call of verdict.callIds) await setConnectionOfCall(trx, { id: call, connection_id: id });
  const after = buildConnectionObject(row);
  await appendEvent(trx, { type: "connection.created", after, merchantId, cause });
  return { row, ...(await recordVerdict(trx, undefined, row, cause)) };
}

function requireConnectionRow(session: Session, mode: Mode, id: string): Promise<ConnectionRow> {
  return requireInMode("con", mode, id, (by) => findConnectionRow(session, by));
}

/** Throws `not_found`, also for a connection of the other mode. */
export async function getConnection(context: Context, mode: Mode, id: string): Promise<ConnectionObject> {
  return buildConnectionObject(await requireConnectionRow(context.store.read, mode, id));
}

/** Connections of a mode, newest first: of one merchant, or of all if `merchantId` is undefined. Throws `not_found`. */
export async function listConnections(
  context: Context,
  mode: Mode,
  merchantId: string | undefined,
  query: PageQuery,
): Promise<Page<ConnectionObject>> {
  const { read } = context.store;
  if (merchantId !== undefined) await requireMerchantRow(read, merchantId);
  const find = (slice: Slice) => findConnectionSlice(read, { mode, merchantId }, slice);
  return readPage("con", query, find, buildConnectionObject);
}

function disconnectedError(): AppError {
  return new AppError("invalid_state", {
    en: "This connection is disconnected; connect the merchant again instead",
    el: "Αυτή η σύνδεση έχει αποσυνδεθεί· συνδέστε ξανά την επιχείρηση",
  });
}

/**
 * Asks the provider again. If it accepts, the connection becomes `active` and waiting documents are issued; if it
 * refuses, the connection becomes `invalid`, which is not an error. Throws `not_found`, `invalid_state` for a
 * disconnected connection, `service_unavailable` if the provider does not answer.
 */
export async function verifyConnection(
  context: Context,
  id: string,
  cause: Cause,
): Promise<ConnectionObject> {
  const known = await requireConnectionRow(context.store.read, cause.mode, id);
  if (known.status === "disconnected") throw disconnectedError();
  const adapter = context.providers.get(known.provider);
  const { mode, merchant_id } = known;
  const credentials = openCredentials(context, known);
  const verdict =
    credentials === null
      ? { refusal: credentialsMissing().error, callIds: [] }
      : await askProvider(context, adapter, { mode, merchant_id, connection_id: id }, credentials);
  const after = await context.store.write(async (trx) => {
    const before = await requireConnectionRow(trx, mode, id);
    if (before.status === "disconnected") throw disconnectedError();
    const next = applyVerdict(before, verdict.refusal, trx.now);
    await updateConnection(trx, before, next);
    await recordVerdict(trx, before, next, cause);
    return next;
  });
  context.pokeIssuing();
  return buildConnectionObject(after);
}

async function updateConnection(
  trx: Transaction,
  before: ConnectionRow,
  after: ConnectionRow,
): Promise<void> {
  if (!(await changeConnection(trx, { ...after, from: before.status })))
    throw new Error(`The connection ${before.id} changed within this write`);
}

/**
 * Ends the use of a connection. Documents queued for it fail, unless the merchant has another connection to the same
 * provider. Its credentials are deleted after 30 days; until then the provider can be queried about documents already
 * sent. Disconnecting again changes nothing. Throws `not_found`.
 */
export async function disconnectConnection(
  context: Context,
  id: string,
  cause: Cause,
): Promise<ConnectionObject> {
  const after = await context.store.write(async (trx) => {
    const before = await requireConnectionRow(trx, cause.mode, id);
    return before.status === "disconnected" ? before : disconnect(trx, before, cause);
  });
  context.pokeIssuing();
  return buildConnectionObject(after);
}

/** Disconnects within a larger write. */
export async function disconnect(
  trx: Transaction,
  before: ConnectionRow,
  cause: Cause,
): Promise<ConnectionRow> {
  const after: ConnectionRow = { ...before, status: "disconnected", disconnected_at: trx.now };
  await updateConnection(trx, before, after);
  await appendEvent(trx, {
    type: "connection.disconnected",
    before: buildConnectionObject(before),
    after: buildConnectionObject(after),
    merchantId: after.merchant_id,
    cause,
  });
  await setQueuedDue(trx, { connectionId: after.id, due: new Date(trx.clockMs).toISOString() });
  return after;
}
