/** The month of each merchant at a glance: what was issued, what is still open, and what is due (docs/contract.md#reports). */
import { findWatermarks } from "../../storage/upkeep/appliance-state.ts";
import { countInvalidNumbers } from "../../storage/merchants/customers.ts";
import { findClosedDays } from "../../storage/merchants/merchants.ts";
import { countOpenByMerchant, sumIssuedByMerchant } from "../../storage/upkeep/overview.ts";
import type { DocumentStatus, Mode } from "../../storage/stored-values.ts";
import { isCreditNote } from "../domain/document-types.ts";
import { filingDeadlines } from "../domain/vat-return.ts";
import { endOfMonth } from "../foundation/days.ts";
import { everyItem } from "../foundation/pages.ts";
import type { Context } from "../journal/context.ts";
import type { MerchantObject } from "../merchants/merchant-object.ts";
import { listMerchants } from "../merchants/merchants.ts";
import { RECONCILED } from "./reconcile/reconcile.ts";

export type Overview = Awaited<ReturnType<typeof reportOverview>>;
export type MerchantMonth = Overview["merchants"][number];

/** `month` is `2026-11`. Merchants are sorted by name, archived ones only if they have documents in the month. */
export async function reportOverview(
  context: Context,
  { mode, month, merchantId }: { mode: Mode; month: string; merchantId?: string | undefined },
) {
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
  /** A merchant's documents with an issue date in the month. */
  const monthOf = (merchant: MerchantObject) => {
    const { id } = merchant;
    const types = issued.get(id) ?? [];
    const counted = (status: DocumentStatus) => open.get(status)?.get(id) ?? 0;
    const [pending, failed] = [counted("pending"), counted("failed")];
    return {
      merchant,
      /** Including cancelled ones. */
      issued: types.reduce((sum, { count }) => sum + count, 0),
      waiting: pending + failed,
      pending,
      /** Their provider was not available. They wait for a person. */
      failed,
      rejected: counted("rejected"),
      /** Cents; without cancelled documents, and less that of credit notes. */
      vat: types.reduce((sum, { type, vat }) => sum + (isCreditNote(type) ? -vat : vat), 0n),
      /** When the whole month was last compared with the provider; null if it never was. */
      reconciled_at: reconciled.get(id) ?? null,
      /** Whether the books are closed until the end of the month. */
      closed: (closed.get(id) ?? "") >= days.through,
      /** Of the issued ones, those to numbers that VIES calls invalid. */
      vies_invalid: (invalid.get(id) ?? []).reduce((sum, { count }) => sum + count, 0),
    };
  };
  const all = (await Array.fromAsync(everyItem((page) => listMerchants(context, page)))).map(monthOf);
  const merchants = all
    .filter(({ merchant }) => (merchantId ?? merchant.id) === merchant.id)
    .filter(
      ({ merchant, issued: count, waiting, rejected }) =>
        !merchant.archived || count + waiting + rejected > 0,
    )
    .sort((one, other) => one.merchant.name.localeCompare(other.merchant.name, "el"));
  return { month, deadlines: filingDeadlines(month), merchants };
}

/** As `--json` prints it. */
export function overviewJson({ month, deadlines, merchants }: Overview): object {
  return {
    month,
    merchants: merchants.map(({ merchant, pending: _pending, failed: _failed, ...rest }) => ({
      merchant: merchant.external_id,
      ...rest,
      deadlines,
    })),
  };
}
