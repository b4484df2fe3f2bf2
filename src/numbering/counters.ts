/** The counters as people see and set them: `numbering show` and `numbering set`. */
import { findMerchantRow } from "../../storage/merchants.ts";
import { findReleased, listSeries, type SeriesRow } from "../../storage/series.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import type { Context } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import type { DocumentType } from "../domain/canonical-document.ts";
import { advanceCounter } from "./allocate.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { defaultSeries } from "../domain/series.ts";

export interface CounterObject {
  supplier: string;
  branch: number;
  type: string;
  mode: Mode;
  series: string;
  /** The number that the next document gets, once the released ones are used up. */
  next_number: number;
  /** Numbers of refused documents that the next documents take first; at most a hundred are listed. */
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

/** The counters in use, of one merchant's tax number where `merchantId` is given. */
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

async function supplierOf(session: Session, merchantId: string): Promise<{ taxId: string; branch: number }> {
  const merchant = await findMerchantRow(session, merchantId);
  if (merchant === undefined) throw new AppError("not_found", "There is no such merchant");
  if (merchant.tax_id === null) {
    throw validationError([
      { path: "merchant", message: "has no tax number; set one with `merchants update`" },
    ]);
  }
  return { taxId: merchant.tax_id, branch: merchant.branch };
}

/**
 * Makes `nextNumber` the next number of a counter. It only goes up: what lies between is on record as passed over. A
 * counter that was never used begins there, which is how a business carries on from another program.
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
  if (!(Number.isSafeInteger(nextNumber) && nextNumber >= 1 && nextNumber <= NUMBER_MAX)) {
    throw validationError([{ path: "next_number", message: `must be an integer from 1 to ${NUMBER_MAX}` }]);
  }
  return context.store.write(async (trx) => {
    const { taxId, branch } = await supplierOf(trx, options.merchantId);
    const series = options.series ?? defaultSeries(options.type, branch);
    const key = { supplier: taxId, branch, type: options.type, series, mode: options.mode };
    const row = await advanceCounter(trx, key, nextNumber, "numbering set");
    if (row.next_number > nextNumber) {
      throw new AppError(
        "invalid_state",
        `The counter stands at ${row.next_number} already; a number is never used twice, so it only goes up`,
      );
    }
    return buildCounterObject(trx, row);
  });
}
