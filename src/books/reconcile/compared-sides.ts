/**
 * Reads the two sides that are compared: the accounts and documents here with what they add to the VAT return, and the provider's lists in
 * windows of a week. Each window is stored until the comparison is complete, so that an interrupted one continues without asking again
 * (docs/contract.md#reconcile).
 */
import {
  type ComparedRow,
  deleteListingWindow,
  findComparedPage,
  findListingWindow,
  storeListingWindow,
} from "../../../storage/documents/dated-documents.ts";
import type { CustomerRefusal, ListedDocument, VatFigures } from "../../domain/provider-documents.ts";
import type { CallContext, ListOutcome, ListQuery } from "../../domain/provider-adapter.ts";
import { readJson } from "../../foundation/json.ts";
import { everyPortion, itemsOf } from "../../foundation/pages.ts";
import { callWithPauses, type Pacing } from "../../issuing/provider-call.ts";
import type { Context } from "../../journal/context.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { type ConnectionRow, findConnectionsInUse } from "../../../storage/merchants/connections.ts";
import { findDocumentsByMark } from "../../../storage/documents/documents.ts";
import { findSurplusMarksIn } from "../../../storage/documents/surplus-marks.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import { readAccepted } from "../../issuing/outgoing.ts";
import type { BoxSums, OwnDocument } from "../../domain/compare-listings.ts";
import { isCreditNote } from "../../domain/document-types.ts";
import { computeVatShares } from "../../domain/totals.ts";
import { TAXED_BOXES } from "../../domain/vat-return.ts";
import { findMerchantRow } from "../../../storage/merchants/merchants.ts";

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

/** The adapter's method for each list. */
const LISTS = { documents: "listDocuments", figures: "listVatFigures", refusals: "listRefusals" } as const;

async function readLists(
  context: Context,
  account: Account,
  window: Window,
  pacing: Pacing,
): Promise<{ kind: "read"; content: WindowContent } | ListFailure> {
  const adapter = context.providers.get(account.provider);
  const content: Record<string, unknown[] | null> = {};
  for (const [name, method] of Object.entries(LISTS)) {
    const ask: Ask | undefined = adapter[method]?.bind(adapter);
    const reading =
      ask === undefined
        ? undefined
        : await readList(context, account, pacing, (page, call) => ask({ ...window, page }, call));
    if (reading !== undefined && reading.kind !== "read") return reading;
    content[name] = reading?.items ?? null;
  }
  return { kind: "read", content: content as unknown as WindowContent };
}

type Ask = (query: ListQuery, call: CallContext) => Promise<ListOutcome<unknown>>;

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

/** `ask` requests one page from the adapter. */
async function readList<Item>(
  context: Context,
  account: Account,
  pacing: Pacing,
  ask: (page: string | null, call: CallContext) => Promise<ListOutcome<Item>>,
): Promise<{ kind: "read"; items: Item[] } | ListFailure> {
  const { provider, mode, merchantId, connection } = account;
  const about = { provider, mode, merchant_id: merchantId, document_id: null };
  const subject = { ...about, connection_id: connection?.id ?? null };
  const items: Item[] = [];
  const seen = new Set<string>();
  for (let page: string | null = null; ; ) {
    const asked: string | null = page;
    const outcome: ListOutcome<Item> | { kind: "interrupted" } = await callWithPauses(
      context,
      subject,
      connection ?? undefined,
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

/** Issue dates, both inclusive. */
export interface Window {
  from: string;
  through: string;
}

const PAGE_ROWS = 500;

/** The documents of all merchants in the period. */
export function readComparedRows(
  { store }: Context,
  period: Window & { mode: Mode },
): Promise<ComparedRow[]> {
  const pages = everyPortion<ComparedRow>(PAGE_ROWS, (after, limit) =>
    findComparedPage(store.read, period, { after, limit }),
  );
  return Array.fromAsync(itemsOf(pages));
}

export async function toOwnDocument({ store }: Context, row: ComparedRow): Promise<OwnDocument> {
  const { net, vat, gross } = row;
  return {
    id: row.id,
    phase: row.phase,
    mark: row.mark,
    uid: row.uid,
    issueDate: row.issue_date,
    series: row.series,
    number: row.number === null ? null : String(row.number),
    totals: { net, vat, gross },
    isCancelled: row.cancellation_mark !== null,
    isProviderNumbered: row.provider_numbered === 1,
    countingMarks:
      row.phase === "issued"
        ? await findSurplusMarksIn(store.read, { documentId: row.id, state: "counts" })
        : [],
  };
}

/** The listed MARKs that documents here have which are not in `rows`: with another issue date, or issued just now. */
export async function findMarksElsewhere(
  { store }: Context,
  mode: Mode,
  listed: readonly ListedDocument[],
  rows: readonly ComparedRow[],
): Promise<Set<string>> {
  const known = new Set(rows.map(({ mark }) => mark));
  const elsewhere = new Set<string>();
  for (const { mark } of listed) {
    if (known.has(mark)) continue;
    const documents = await findDocumentsByMark(store.read, { mark });
    if (documents.some((document) => document.mode === mode)) elsewhere.add(mark);
  }
  return elsewhere;
}

/** Taxed sales by box of the VAT return, in cents. */
export async function sumBoxes({ store }: Context, rows: readonly ComparedRow[]): Promise<BoxSums> {
  const sums: BoxSums = {};
  const add = (box: string, cents: number) => {
    sums[box] = (sums[box] ?? 0) + cents;
  };
  for (const { id, type } of rows) {
    const { document } = await readAccepted(store.read, id);
    const sign = isCreditNote(type) ? -1 : 1;
    for (const { category, net, vat } of computeVatShares(document.lines)) {
      if (category === "exempt") continue;
      add(TAXED_BOXES[category].net, sign * net);
      add(TAXED_BOXES[category].vat, sign * vat);
    }
  }
  return sums;
}

export interface Account {
  provider: Provider;
  mode: Mode;
  /** The merchant that calls are made for. */
  merchantId: string;
  /** Its external id. */
  merchant: string;
  /** Null for the sandbox, and for documents whose connection is disconnected. */
  connection: ConnectionRow | null;
  /** The documents of the account in the period, by issue date. */
  documents: ComparedRow[];
}

/** In the order of connections, then the sandbox and documents without a connection. `merchantId` limits to one merchant. */
export async function findAccounts(
  context: Context,
  { mode, merchantId }: { mode: Mode; merchantId: string | undefined },
  documents: readonly ComparedRow[],
): Promise<Account[]> {
  const { store } = context;
  const selected = documents.filter((row) => merchantId === undefined || row.merchant_id === merchantId);
  const groups = Map.groupBy(selected, accountName);
  const found: Pick<Account, "connection" | "documents">[] = [];
  for (const connection of await findConnectionsInUse(store.read, { mode, merchantId })) {
    const name = accountName(connection);
    found.push({ connection, documents: groups.get(name) ?? [] });
    groups.delete(name);
  }
  for (const rows of groups.values()) found.push({ connection: null, documents: rows });
  const accounts: Account[] = [];
  for (const sides of found) {
    const { provider, merchant_id: owner } = sides.connection ?? sides.documents[0]!;
    const merchant = (await findMerchantRow(store.read, { id: owner }))?.external_id ?? owner;
    accounts.push({ provider, mode, merchantId: owner, merchant, ...sides });
  }
  return accounts;
}

/** All merchants share the sandbox. */
function accountName({
  provider,
  merchant_id: merchantId,
}: Pick<ComparedRow, "provider" | "merchant_id">): string {
  return provider === "sandbox" ? provider : `${provider} ${merchantId}`;
}
