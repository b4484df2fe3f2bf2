/**
 * Reads a provider's lists in windows of a week. Each window is stored until the comparison is complete, so that an interrupted
 * one continues without asking again (docs/contract.md#reconcile).
 */
import {
  deleteListingWindow,
  findListingWindow,
  storeListingWindow,
} from "../../../storage/documents/dated-documents.ts";
import type { CustomerRefusal, ListedDocument, VatFigures } from "../../domain/provider-documents.ts";
import type { CallContext, ListOutcome, ListQuery, ProviderAdapter } from "../../domain/provider-adapter.ts";
import { readJson } from "../../foundation/json.ts";
import { callWithPauses, type Pacing } from "../../issuing/provider-call.ts";
import type { Context } from "../../journal/context.ts";
import type { Account, Window } from "./own-documents.ts";
import { buildErrorObject } from "../../foundation/errors.ts";

/** What the provider lists about a window. Null where it has no such list. */
export interface WindowContent {
  documents: ListedDocument[];
  figures: VatFigures[] | null;
  refusals: CustomerRefusal[] | null;
}

const WINDOW_DAYS = 7;
const DAY_MS = 86_400_000;
/** How long a stored window may be used: afterwards somebody may have changed something at the provider. */
export const WINDOW_MS_MAX = 3_600_000;

const timeOf = (day: string) => Date.parse(`${day}T00:00:00.000Z`);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export function splitIntoWindows({ from, through }: Window): Window[] {
  const windows: Window[] = [];
  const last = timeOf(through);
  // Days are compared as times: the day after 9999-12-31 sorts before it.
  for (let start = timeOf(from); start <= last; start += WINDOW_DAYS * DAY_MS) {
    const end = Math.min(start + (WINDOW_DAYS - 1) * DAY_MS, last);
    windows.push({ from: dayOf(start), through: dayOf(end) });
  }
  return windows;
}

function nameOf({ provider, mode, merchantId, connection }: Account, { from, through }: Window): string {
  return JSON.stringify([provider, mode, connection?.id ?? merchantId, from, through]);
}

/** The adapter must have `listDocuments`. */
export async function readWindow(
  context: Context,
  account: Account,
  window: Window,
  pacing: Pacing,
): Promise<{ kind: "read"; content: WindowContent } | ListFailure> {
  const name = nameOf(account, window);
  const stored = await findStored(context, account, window, name);
  if (stored !== undefined) return { kind: "read", content: stored };
  const readAt = context.clock.now();
  const reading = await readLists(context, account, window, pacing);
  if (reading.kind === "read") {
    const read = { name, content_json: JSON.stringify(reading.content), read_at: readAt };
    await context.store.write((trx) => storeListingWindow(trx, read));
  }
  return reading;
}

/** Undefined if a document of the window has changed since it was read. */
async function findStored(
  { store, clock }: Context,
  { documents }: Account,
  { from, through }: Window,
  name: string,
): Promise<WindowContent | undefined> {
  const since = new Date(clock.nowMs() - WINDOW_MS_MAX).toISOString();
  const stored = await findListingWindow(store.read, { name, since });
  if (stored === undefined) return undefined;
  const isOutdated = documents.some(
    ({ issue_date: day, updated_at: at }) => day >= from && day <= through && at >= stored.read_at,
  );
  return isOutdated ? undefined : readJson<WindowContent>(stored.content_json);
}

async function readLists(
  context: Context,
  account: Account,
  window: Window,
  pacing: Pacing,
): Promise<{ kind: "read"; content: WindowContent } | ListFailure> {
  const adapter: ProviderAdapter = context.providers.get(account.provider);
  const read = <Item>(ask: Ask<Item> | undefined): Promise<ListReading<Item>> | undefined =>
    ask === undefined
      ? undefined
      : readList(context, account, pacing, (page, call) => ask({ ...window, page }, call));
  const documents = await read(adapter.listDocuments?.bind(adapter));
  if (documents === undefined) throw new Error(`The provider ${account.provider} lists no documents`);
  if (documents.kind !== "read") return documents;
  const figures = await read(adapter.listVatFigures?.bind(adapter));
  if (figures !== undefined && figures.kind !== "read") return figures;
  const refusals = await read(adapter.listRefusals?.bind(adapter));
  if (refusals !== undefined && refusals.kind !== "read") return refusals;
  return {
    kind: "read",
    content: {
      documents: documents.items,
      figures: figures?.items ?? null,
      refusals: refusals?.items ?? null,
    },
  };
}

type Ask<Item> = (query: ListQuery, call: CallContext) => Promise<ListOutcome<Item>>;

/** The comparison of the account is complete: the next one asks again. */
export async function forgetWindows(
  { store }: Context,
  account: Account,
  windows: readonly Window[],
): Promise<void> {
  await store.write(async (trx) => {
    for (const window of windows) await deleteListingWindow(trx, { name: nameOf(account, window) });
  });
}

/** A longer list never ends. */
const PAGES_MAX = 1000;

export type ListFailure = Exclude<ListOutcome<never>, { kind: "page" }> | { kind: "interrupted" };
export type ListReading<Item> = { kind: "read"; items: Item[] } | ListFailure;

/** `ask` requests one page from the adapter. */
async function readList<Item>(
  context: Context,
  account: Account,
  pacing: Pacing,
  ask: (page: string | null, call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<ListReading<Item>> {
  const { provider, mode, merchantId, connection } = account;
  const route = {
    provider,
    mode,
    merchantId,
    connectionId: connection?.id ?? null,
    documentId: null,
    credentials: connection?.credentials ?? null,
  };
  const items: Item[] = [];
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const asked: string | null = page;
    const outcome: ListOutcome<Item> | { kind: "interrupted" } = await callWithPauses(
      context,
      route,
      pacing,
      (call) => ask(asked, call),
    );
    if (outcome.kind !== "page") return outcome;
    for (const item of outcome.items) items.push(item);
    page = outcome.next;
    if (page === null) return { kind: "read", items };
    if (seen.has(page) || seen.size === PAGES_MAX) return ENDLESS;
    seen.add(page);
  }
}

const ENDLESS: ListFailure = {
  kind: "unknown",
  error: buildErrorObject("provider_unavailable", {
    en: "The provider's list repeats a page or does not end",
    el: "Ο κατάλογος του παρόχου επαναλαμβάνει σελίδα ή δεν τελειώνει",
  }),
};
