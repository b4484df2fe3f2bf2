/**
 * Handles connect links. Whoever has a link may enter credentials for one merchant until the provider accepts them,
 * ten attempts are refused, or half an hour has passed. Opening the link does not use it up.
 */
import {
  completeConnectSession,
  type ConnectSessionRow,
  countRefusal,
  findConnectSessionByHash,
  type ConnectionRow,
  findConnectionInUse,
} from "../../storage/merchants/connections.ts";
import { handOverQueued } from "../../storage/documents/document-queue.ts";
import type { Provider } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { addConnection, disconnect } from "../connections/connections.ts";
import { checkCredentials, askProvider } from "../connections/connection-input.ts";
import { CONNECTABLE_PROVIDERS } from "../providers/built-in.ts";
import { hasPassed } from "../foundation/clock.ts";
import { type Text, toText } from "../foundation/text.ts";
import type { Verdict } from "../issuing/connection-status.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError, type ErrorObject, type Problem } from "../foundation/errors.ts";
import { appendEvent, backgroundCause } from "../journal/append-event.ts";
import { requireMerchantRow } from "../merchants/merchants.ts";
import type { CredentialsForm } from "../domain/credentials-form.ts";
import { buildConnectSessionObject, hashToken } from "./connect-sessions.ts";

/** After this many refused credentials the link is closed (docs/contract.md#connect-links). */
const REFUSALS_MAX = 10;

/** Shown if the form names a provider that the page does not offer. */
const UNKNOWN_CHOICE: Text = {
  en: "choose one of the providers on this page",
  el: "διαλέξτε έναν από τους παρόχους αυτής της σελίδας",
};

export interface LinkChoice {
  provider: Provider;
  name: Text;
  form: CredentialsForm;
}

export type ClosedLink =
  /** No such link ever existed. */
  | { kind: "unknown" }
  /** The link was valid once. */
  | { kind: "gone"; because: "expired" | "used" | "refused" };

export interface OpenLink {
  kind: "open";
  merchantName: string;
  /** The Greek tax number; null if the merchant has none. */
  merchantTaxId: string | null;
  mode: "test" | "live";
  /** Where the page leads in the end; null for nowhere. */
  returnUrl: string | null;
  choices: readonly LinkChoice[];
}

export type Submission =
  | ClosedLink
  | { kind: "connected"; merchantName: string; providerName: Text; returnUrl: string | null }
  /** The input is invalid, so the provider was not asked. */
  | { kind: "invalid"; problems: readonly Problem[] }
  | { kind: "refused"; error: ErrorObject; triesLeft: number }
  /** The provider did not answer; the same input may be tried again. */
  | { kind: "unavailable" }
  | { kind: "taken" };

async function findOpen(
  session: Session,
  token: string,
  nowMs: number,
): Promise<ClosedLink | ConnectSessionRow> {
  const row = await findUnused(session, token);
  if ("kind" in row) return row;
  if (row.refusals >= REFUSALS_MAX) return { kind: "gone", because: "refused" };
  return hasPassed(row.expires_at, nowMs) ? { kind: "gone", because: "expired" } : row;
}

/** The same, but refusals and the time do not close it. */
async function findUnused(session: Session, token: string): Promise<ClosedLink | ConnectSessionRow> {
  const row = await findConnectSessionByHash(session, { token_hash: hashToken(token) });
  if (row === undefined) return { kind: "unknown" };
  return row.completed_at === null ? row : { kind: "gone", because: "used" };
}

function choicesOf(context: Context, row: ConnectSessionRow): LinkChoice[] {
  const wanted = row.provider === null ? CONNECTABLE_PROVIDERS : [row.provider];
  return wanted.flatMap((provider) => {
    const adapter = context.providers.find(provider);
    if (adapter === undefined || adapter.credentials === null) return [];
    return [{ provider, name: toText(adapter.name ?? provider), form: adapter.credentials }];
  });
}

export async function openLink(context: Context, token: string): Promise<ClosedLink | OpenLink> {
  const { read } = context.store;
  const row = await findOpen(read, token, context.clock.nowMs());
  if ("kind" in row) return row;
  const merchant = await requireMerchantRow(read, row.merchant_id);
  return {
    kind: "open",
    merchantName: merchant.name,
    merchantTaxId: merchant.tax_id,
    mode: row.mode,
    returnUrl: row.return_url,
    choices: choicesOf(context, row),
  };
}

/** What was entered at a link: `provider` and the fields of its form. */
export interface LinkEntry {
  provider: string;
  credentials: Readonly<Record<string, string>>;
}

/**
 * Asks the provider about the credentials and connects the merchant if it accepts them. An `invalid` connection to
 * the same provider is replaced, and the documents waiting for it are issued.
 */
export async function submitLink(context: Context, token: string, entry: LinkEntry): Promise<Submission> {
  const { store } = context;
  const row = await findOpen(store.read, token, context.clock.nowMs());
  if ("kind" in row) return row;
  const choice = choicesOf(context, row).find(({ provider }) => provider === entry.provider);
  if (choice === undefined)
    return { kind: "invalid", problems: [{ path: "provider", message: UNKNOWN_CHOICE }] };
  const adapter = context.providers.get(choice.provider);
  const checked = checkCredentials(adapter, entry.credentials);
  if ("problems" in checked) return { kind: "invalid", problems: checked.problems };
  const place = { merchantId: row.merchant_id, provider: choice.provider, mode: row.mode };
  if ((await findConnectionInUse(store.read, place))?.status === "active") return { kind: "taken" };

  const reserved = await reserveAttempt(context, token, row.id);
  if (reserved.kind !== "reserved") return reserved;
  let verdict: Verdict;
  try {
    verdict = await askProvider(
      context,
      adapter,
      { mode: row.mode, merchant_id: row.merchant_id, connection_id: null },
      checked.output,
    );
  } catch (error) {
    await store.write((trx) => countRefusal(trx, { id: row.id, change: -1 }));
    if (error instanceof AppError && error.code === "service_unavailable") return { kind: "unavailable" };
    throw error;
  }
  if (verdict.refusal !== null) {
    return { kind: "refused", error: verdict.refusal, triesLeft: reserved.triesLeft };
  }
  const submission = await store.write(async (trx): Promise<Submission> => {
    // The attempt that was just counted, and the time that passed since, do not close it.
    const current = await findUnused(trx, token);
    if ("kind" in current) return current;
    // The attempt was counted in advance but not refused.
    await countRefusal(trx, { id: row.id, change: -1 });
    const existing = await findConnectionInUse(trx, place);
    if (existing?.status === "active") return { kind: "taken" };
    const merchant = await requireMerchantRow(trx, row.merchant_id);
    const cause = backgroundCause(row.mode);
    if (existing !== undefined) await disconnect(trx, existing, cause);
    const added = { ...place, credentials: checked.output, verdict };
    const { row: connection } = await addConnection(trx, context, added, cause);
    if (existing !== undefined)
      await handOverQueued(trx, {
        from: existing.id,
        to: connection.id,
        due: new Date(trx.clockMs).toISOString(),
      });
    await completeSession(trx, current, connection, cause);
    return {
      kind: "connected",
      merchantName: merchant.name,
      providerName: choice.name,
      returnUrl: row.return_url,
    };
  });
  context.pokeIssuing();
  return submission;
}

/** Counts the attempt before asking the provider, so that parallel attempts cannot exceed the limit. */
function reserveAttempt(
  context: Context,
  token: string,
  id: string,
): Promise<ClosedLink | { kind: "reserved"; triesLeft: number }> {
  return context.store.write(async (trx) => {
    const row = await findOpen(trx, token, trx.clockMs);
    if ("kind" in row) return row;
    await countRefusal(trx, { id, change: 1 });
    return { kind: "reserved", triesLeft: REFUSALS_MAX - row.refusals - 1 };
  });
}

async function completeSession(
  trx: Transaction,
  before: ConnectSessionRow,
  connection: ConnectionRow,
  cause: Cause,
): Promise<void> {
  const isCompleted = await completeConnectSession(trx, {
    id: before.id,
    connectionId: connection.id,
    at: trx.now,
  });
  if (!isCompleted) throw new Error(`The connect session ${before.id} was used within this write`);
  const after = { ...before, completed_at: trx.now, connection_id: connection.id };
  await appendEvent(trx, {
    type: "connect_session.completed",
    before: buildConnectSessionObject(before),
    after: buildConnectSessionObject(after),
    merchantId: before.merchant_id,
    cause,
  });
}
