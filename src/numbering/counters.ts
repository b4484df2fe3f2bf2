/** Lists and sets counters, for `numbering show` and `numbering set`. */
import { findMerchantRow } from "../../storage/merchants/merchants.ts";
import { type CounterKey, findReleased, listSeries, type SeriesRow } from "../../storage/documents/series.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Context } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import type { DocumentType } from "../domain/canonical-document.ts";
import { advanceCounter } from "./allocate.ts";
import { defaultSeries } from "../domain/series.ts";

export interface CounterObject extends CounterKey {
  /** The number of the next document once the released ones are used up. */
  next_number: number;
  /** Numbers of rejected documents, which the next documents take first; at most a hundred are listed. */
  released: number[];
}

const RELEASED_SHOWN_MAX = 100;

async function buildCounterObject(session: Session, row: SeriesRow): Promise<CounterObject> {
  const released = await findReleased(session, row.id, RELEASED_SHOWN_MAX);
  return {
    supplier: row.supplier,
    branch: row.branch,
    type: row.type,
    mode: row.mode,
    series: row.series,
    next_number: row.next_number,
    released: released.map(({ number }) => number),
  };
}

/** Lists the counters in use, or those of one merchant's tax number. */
export async function listCounters(
  context: Context,
  filters: { mode: Mode; merchantId?: string | undefined },
): Promise<CounterObject[]> {
  const { read } = context.store;
  const supplier = filters.merchantId === undefined ? undefined : await supplierOf(read, filters.merchantId);
  const counters: CounterObject[] = [];
  for (const row of await listSeries(read, { mode: filters.mode, supplier: supplier?.taxId })) {
    counters.push(await buildCounterObject(read, row));
  }
  return counters;
}

export async function supplierOf(
  session: Session,
  merchantId: string,
): Promise<{ taxId: string; branch: number }> {
  const merchant = await findMerchantRow(session, { id: merchantId });
  if (merchant === undefined)
    throw new AppError("not_found", { en: "There is no such merchant", el: "Δεν υπάρχει τέτοια επιχείρηση" });
  if (merchant.tax_id === null) {
    throw validationError([
      {
        path: "merchant",
        message: {
          en: "has no tax number; set one",
          el: "δεν έχει ΑΦΜ· ορίστε το",
          next: { operation: "updateMerchant", arguments: { merchant: merchantId } },
        },
      },
    ]);
  }
  return { taxId: merchant.tax_id, branch: merchant.branch };
}

/**
 * Raises a counter to `nextNumber` and records the numbers between as skipped. A counter that was never used starts there, which
 * is how a business continues the numbers of another program. Throws `invalid_state` if the counter is higher.
 */
export async function setCounter(
  context: Context,
  options: {
    mode: Mode;
    merchantId: string;
    type: DocumentType;
    series?: string | undefined;
    nextNumber: number;
  },
): Promise<CounterObject> {
  const { nextNumber } = options;
  return context.store.write(async (trx) => {
    const { taxId, branch } = await supplierOf(trx, options.merchantId);
    const series = options.series ?? defaultSeries(options.type, branch);
    const key = { supplier: taxId, branch, type: options.type, series, mode: options.mode };
    const row = await advanceCounter(trx, key, nextNumber, "numbering set");
    if (row.next_number > nextNumber) {
      throw new AppError("invalid_state", {
        en: `The counter is already at ${row.next_number}; it can only be raised, because no number is used twice`,
        el: `Ο μετρητής είναι ήδη στο ${row.next_number}· μόνο ανεβαίνει, γιατί κανένας αριθμός δεν χρησιμοποιείται δύο φορές`,
      });
    }
    return buildCounterObject(trx, row);
  });
}
