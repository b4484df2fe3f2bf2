/** The month of each merchant at a glance: what was issued, what is still open, and what is due (docs/contract.md#reports). */
import { findWatermarks } from "../../storage/upkeep/appliance-state.ts";
import { countInvalidNumbers } from "../../storage/merchants/customers.ts";
import { findClosedDays } from "../../storage/merchants/merchants.ts";
import { countOpenByMerchant, sumIssuedByMerchant } from "../../storage/upkeep/overview.ts";
import type { DocumentStatus, Mode } from "../../storage/stored-values.ts";
import { isCreditNote } from "../domain/document-types.ts";
import { type Deadline, filingDeadlines } from "../domain/vat-return.ts";
import { endOfMonth } from "../foundation/days.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { MerchantObject } from "../merchants/merchant-object.ts";
import { listMerchants } from "../merchants/merchants.ts";
import { RECONCILED } from "./reconcile/reconcile.ts";

/** A merchant's documents with an issue date in the month. */
export interface MerchantMonth {
  merchant: MerchantObject;
  /** Including cancelled ones. */
  issued: number;
  pending: number;
  /** Their provider was not available. They wait for a person. */
  failed: number;
  rejected: number;
  /** Cents; without cancelled documents, and less that of credit notes. */
  vat: bigint;
  /** When the whole month was last compared with the provider; null if it never was. */
  reconciledAt: string | null;
  /** Whether the books are closed until the end of the month. */
  isClosed: boolean;
  /** Of the issued ones, those to numbers that VIES calls invalid. */
  invalidNumbers: number;
}

export interface Overview {
  /** `2026-11` */
  month: string;
  deadlines: readonly Deadline[];
  /** Sorted by name. Archived merchants only if they have documents in the month. */
  merchants: readonly MerchantMonth[];
}

export async function reportOverview(
  context: Context,
  { mode, month, merchantId }: { mode: Mode; month: string; merchantId?: string | undefined },
): Promise<Overview> {
  const { read } = context.store;
  const from = `${month}-01`;
  const days = { mode, from, through: endOfMonth(from) };
  const issued = Map.groupBy(await sumIssuedByMerchant(read, days), ({ merchant_id: id }) => id);
  const open = new Map<DocumentStatus, ReadonlyMap<string, number>>();
  for (const status of ["pending", "failed", "rejected"] as const)
    open.set(status, await countOpenByMerchant(read, { ...days, status }));
  const reconciled = await findWatermarks(read, RECONCILED.prefix(mode, month));
  const closed = await findClosedDays(read, mode);
  const invalid = Map.groupBy(await countInvalidNumbers(read, days), ({ merchant_id: id }) => id);
  const merchants: MerchantMonth[] = [];
  for await (const merchant of everyItem((page) => listMerchants(context, page))) {
    const { id } = merchant;
    const types = issued.get(id) ?? [];
    const counted = (status: DocumentStatus) => open.get(status)?.get(id) ?? 0;
    const entry: MerchantMonth = {
      merchant,
      issued: types.reduce((sum, { count }) => sum + count, 0),
      pending: counted("pending"),
      failed: counted("failed"),
      rejected: counted("rejected"),
      vat: types.reduce((sum, { type, vat }) => sum + (isCreditNote(type) ? -vat : vat), 0n),
      reconciledAt: reconciled.get(id) ?? null,
      isClosed: (closed.get(id) ?? "") >= days.through,
      invalidNumbers: (invalid.get(id) ?? []).reduce((sum, { count }) => sum + count, 0),
    };
    const isShown = !merchant.archived || entry.issued + entry.pending + entry.failed + entry.rejected > 0;
    if (isShown && (merchantId ?? id) === id) merchants.push(entry);
  }
  merchants.sort((one, other) => one.merchant.name.localeCompare(other.merchant.name, "el"));
  return { month, deadlines: filingDeadlines(month), merchants };
}

/** As `--json` prints it. */
export function overviewJson({ month, deadlines, merchants }: Overview): object {
  return {
    month,
    merchants: merchants.map(({ merchant, issued, pending, failed, rejected, ...rest }) => ({
      merchant: merchant.external_id,
      issued,
      waiting: pending + failed,
      rejected,
      vat: rest.vat,
      reconciled_at: rest.reconciledAt,
      closed: rest.isClosed,
      vies_invalid: rest.invalidNumbers,
      deadlines,
    })),
  };
}
