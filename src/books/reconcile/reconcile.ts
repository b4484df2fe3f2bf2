/** Compares the documents of a period with what the providers list, in both directions (docs/contract.md#reconcile). Changes nothing. */
import type { ComparedRow } from "../../../storage/documents/dated-documents.ts";
import { upsertWatermark } from "../../../storage/upkeep/appliance-state.ts";
import { findDocumentRow } from "../../../storage/documents/documents.ts";
import type { Mode, Provider } from "../../../storage/stored-values.ts";
import {
  type Adoptable,
  compareListings,
  compareVatFigures,
  type Comparison,
  type Surplus,
} from "../../domain/compare-listings.ts";
import { describeRefusal, type Difference, withName } from "../../domain/difference.ts";
import { endOfMonth, startOfMonth } from "../../foundation/days.ts";
import { textOfError } from "../../foundation/stored-texts.ts";
import type { Text } from "../../foundation/text.ts";
import type { Pacing } from "../../issuing/provider-call.ts";
import type { Context } from "../../journal/context.ts";
import {
  type Account,
  findAccounts,
  findMarksElsewhere,
  forgetWindows,
  type ListFailure,
  readComparedRows,
  readWindow,
  splitIntoWindows,
  sumBoxes,
  toOwnDocument,
  type Window,
  type WindowContent,
} from "./compared-sides.ts";

export interface ReconcileOptions extends Window, Pacing {
  mode: Mode;
  merchantId: string | undefined;
  /** Called before each window of each account. */
  onProgress?(done: number, total: number): void;
}

/** A part of the period that was not compared, and why. */
export interface NotCompared extends Window {
  /** The merchant's external id. */
  merchant: string;
  provider: Provider;
  /** Null if the merchant is no longer connected. */
  connection: string | null;
  reason: "unavailable" | "refused" | "disconnected" | "no_list" | "interrupted";
  message: Text;
}

export interface Reconciliation {
  differences: Difference[];
  compared: number;
  notCompared: NotCompared[];
  adoptable: Adoptable[];
  surplus: Surplus[];
}

export async function reconcile(context: Context, options: ReconcileOptions): Promise<Reconciliation> {
  // Read before the lists, so that a document that is issued meanwhile is not taken for one that is missing there.
  const rows = await readComparedRows(context, options);
  const accounts = await findAccounts(context, options, rows);
  const windows = splitIntoWindows(options);
  const result: Reconciliation = {
    differences: [],
    compared: 0,
    notCompared: [],
    adoptable: [],
    surplus: [],
  };
  const complete: Account[] = [];
  const incomplete: Account[] = [];

  /** Compares windows up to the first that cannot be read. Returns whether all were read; undefined if there is nothing to compare. */
  async function compareAccount(account: Account, index: number): Promise<boolean | undefined> {
    const obstacle = findObstacle(context, account);
    if (obstacle !== undefined) {
      if (account.documents.length === 0) return undefined;
      result.notCompared.push(describePart(account, options, obstacle));
      return false;
    }
    for (const [done, window] of windows.entries()) {
      options.onProgress?.(index * windows.length + done, accounts.length * windows.length);
      const reading = await readWindow(context, account, window, options);
      if (reading.kind !== "read") {
        const part = { from: window.from, through: options.through };
        result.notCompared.push(describePart(account, part, obstacleFrom(reading, account)));
        return false;
      }
      await compareWindow(account, window, reading.content);
    }
    await forgetWindows(context, account, windows);
    return true;
  }

  async function compareWindow(account: Account, { from, through }: Window, content: WindowContent) {
    const ownRows = account.documents.filter(({ issue_date: day }) => day >= from && day <= through);
    const ownNames = new Set(ownRows.flatMap(({ id, mark }) => [id, mark]));
    const listed = content.documents.filter(
      ({ issueDate: day, mark, reference }) =>
        day === null ||
        (day >= from && day <= through) ||
        ownNames.has(mark) ||
        (reference !== null && ownNames.has(reference)),
    );
    const own = await Promise.all(ownRows.map((row) => toOwnDocument(context, row)));
    const elsewhere = await findMarksElsewhere(context, account.mode, content.documents, ownRows);
    const comparison = compareListings(own, listed, elsewhere);
    const totals = await compareTotals(context, content, ownRows, { comparison, elsewhere });
    const found = [...comparison.differences, ...findRefused(content, ownRows)];
    result.differences.push(...(await filterUnchanged(context, found, rows)), ...totals);
    result.compared += comparison.compared;
    result.adoptable.push(...comparison.adoptable);
    result.surplus.push(...comparison.surplus);
  }

  for (const [index, account] of accounts.entries()) {
    const isComplete = await compareAccount(account, index);
    if (isComplete !== undefined) (isComplete ? complete : incomplete).push(account);
  }
  options.onProgress?.(1, 1);
  await recordMonths(context, options, complete, incomplete);
  return result;
}

/** Under this name and the merchant's id is stored when a month was last compared completely. */
export const RECONCILED = { prefix: (mode: Mode, month: string) => `reconciled ${mode} ${month} ` };

/** Only so many months back, because a period may begin and end with the calendar. */
const RECORDED_MONTHS_MAX = 24;

/** Records the whole months of the period, as far as they have come, for merchants of which nothing was left out. */
async function recordMonths(
  { store, clock }: Context,
  { mode, from, through }: ReconcileOptions,
  complete: readonly Account[],
  incomplete: readonly Account[],
): Promise<void> {
  const today = clock.today();
  const months: string[] = [];
  for (let age = 0; age < RECORDED_MONTHS_MAX; age++) {
    const start = startOfMonth(today, -age);
    if (start < from) break;
    if (endOfMonth(start) <= through || today <= through) months.push(start.slice(0, 7));
  }
  const left = new Set(incomplete.flatMap(merchantsOf));
  const merchants = new Set(complete.flatMap(merchantsOf).filter((id) => !left.has(id)));
  if (months.length === 0 || merchants.size === 0) return;
  await store.write(async (trx) => {
    for (const month of months)
      for (const id of merchants)
        await upsertWatermark(trx, { name: `${RECONCILED.prefix(mode, month)}${id}`, through: trx.now });
  });
}

function merchantsOf({ merchantId, documents }: Account): string[] {
  return [merchantId, ...documents.map((document) => document.merchant_id)];
}

type Obstacle = Pick<NotCompared, "reason" | "message">;

function describePart(account: Account, { from, through }: Window, obstacle: Obstacle): NotCompared {
  const { merchant, provider, connection } = account;
  return { merchant, provider, connection: connection?.id ?? null, from, through, ...obstacle };
}

function findObstacle({ providers }: Context, { provider, connection }: Account): Obstacle | undefined {
  const adapter = providers.find(provider);
  if (adapter?.listDocuments === undefined)
    return {
      reason: "no_list",
      message: {
        en: "the provider's adapter cannot list documents",
        el: "ο προσαρμογέας του παρόχου δεν μπορεί να δείξει κατάλογο παραστατικών",
      },
    };
  if (connection === null && adapter.credentials !== null)
    return {
      reason: "disconnected",
      message: {
        en: "the merchant is no longer connected to the provider; connect it again",
        el: "η επιχείρηση δεν είναι πια συνδεδεμένη με τον πάροχο· συνδέστε την ξανά",
      },
    };
  return undefined;
}

function obstacleFrom(failure: ListFailure, { connection }: Account): Obstacle {
  if (failure.kind === "interrupted")
    return { reason: "interrupted", message: { en: "interrupted", el: "διακόπηκε" } };
  const message = textOfError(failure.error);
  if (failure.kind !== "credentials_refused") return { reason: "unavailable", message };
  const next = { operation: "verifyConnection", id: connection?.id ?? "" } as const;
  return { reason: "refused", message: { ...message, next } };
}

async function compareTotals(
  context: Context,
  { figures, documents }: WindowContent,
  ownRows: readonly ComparedRow[],
  { comparison, elsewhere }: { comparison: Comparison; elsewhere: ReadonlySet<string> },
): Promise<Difference[]> {
  if (figures === null) return [];
  const agreedRows = ownRows.filter(({ mark }) => mark !== null && comparison.agreed.has(mark));
  const here = await sumBoxes(context, agreedRows);
  const ownMarks = ownRows.flatMap(({ mark }) => (mark === null ? [] : [mark]));
  const listed = new Set([...documents.map(({ mark }) => mark), ...ownMarks, ...elsewhere]);
  return compareVatFigures(here, figures, comparison.agreed, listed);
}

/** Documents here that a customer refused and that are not cancelled. */
function findRefused({ refusals }: WindowContent, ownRows: readonly ComparedRow[]): Difference[] {
  const byMark = new Map(ownRows.map((row) => [row.mark, row]));
  return (refusals ?? []).flatMap(({ mark, kind, refusalMark }): Difference[] => {
    const row = byMark.get(mark);
    if (row === undefined || row.cancellation_mark !== null) return [];
    const number = row.number === null ? null : String(row.number);
    const name = { series: row.series, number, issueDate: row.issue_date };
    const detail = withName(name, describeRefusal(kind, refusalMark));
    return [{ kind: "differs", document: row.id, mark, uid: row.uid, detail }];
  });
}

/** Without those about documents that changed while the lists were read. */
async function filterUnchanged(
  { store }: Context,
  differences: readonly Difference[],
  rows: readonly ComparedRow[],
): Promise<Difference[]> {
  const readAs = new Map(rows.map(({ id, updated_at: at }) => [id, at]));
  const unchanged: Difference[] = [];
  for (const difference of differences) {
    const { document } = difference;
    const now = document === null ? undefined : await findDocumentRow(store.read, { id: document });
    if (now === undefined || now.updated_at === readAs.get(now.id)) unchanged.push(difference);
  }
  return unchanged;
}
