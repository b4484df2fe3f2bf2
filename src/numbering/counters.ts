/** Lists, summarises and sets counters. */
import { findMerchantRow, type MerchantRow } from "../../storage/merchants/merchants.ts";
import {
  type CounterKey,
  findReleased,
  keyOf,
  listSeries,
  type SeriesRow,
} from "../../storage/documents/series.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Context } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import type { DocumentType } from "../domain/canonical-document.ts";
import { advanceCounter } from "./allocate.ts";
import { defaultSeries } from "../domain/series.ts";
import { auditCounters } from "./audit-numbers.ts";

export interface CounterObject extends CounterKey {
  /** The number of the next document once the released ones are used up. */
  next_number: number;
  /** Numbers of rejected documents, which the next documents take first; at most a hundred are listed. */
  released: number[];
}

const RELEASED_SHOWN_MAX = 100;

async function buildCounterObject(session: Session, row: SeriesRow): Promise<CounterObject> {
  const released = await findReleased(session, { seriesId: row.id, limit: RELEASED_SHOWN_MAX });
  return {
    ...keyOf(row),
    next_number: row.next_number,
    released: released.map(({ number }) => number),
  };
}

/** Lists the counters in use, or those of one merchant's tax number. */
export async function listCounters(
  { store }: Context,
  filters: { mode: Mode; merchantId?: string | undefined },
): Promise<CounterObject[]> {
  const counters: CounterObject[] = [];
  for (const row of await findCounters(store.read, filters))
    counters.push(await buildCounterObject(store.read, row));
  return counters;
}

async function findCounters(
  session: Session,
  { mode, merchantId }: { mode: Mode; merchantId?: string | undefined },
): Promise<SeriesRow[]> {
  const supplier = merchantId === undefined ? undefined : await findSupplier(session, merchantId);
  return listSeries(session, { mode, supplier: supplier?.taxId });
}

async function findSupplier(session: Session, merchantId: string): Promise<Supplier> {
  const merchant = await findMerchantRow(session, { id: merchantId });
  if (merchant === undefined)
    throw new AppError("not_found", { en: "There is no such merchant", el: "Δεν υπάρχει τέτοια επιχείρηση" });
  return supplierOf(merchant);
}

export interface Supplier {
  taxId: string;
  branch: number;
}

/** The merchant as a supplier. Throws `validation_failed` without a tax number. */
export function supplierOf({ id, tax_id, branch }: Pick<MerchantRow, "id" | "tax_id" | "branch">): Supplier {
  if (tax_id !== null) return { taxId: tax_id, branch };
  const message = {
    en: "has no tax number; set one",
    el: "δεν έχει ΑΦΜ· ορίστε το",
    next: { operation: "updateMerchant", id },
  } as const;
  throw validationError([{ path: "merchant", message }]);
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
    const { taxId, branch } = await findSupplier(trx, options.merchantId);
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

/** Reading more would hold up the server. */
const NUMBERS_MAX = 50_000;
const LISTED_MAX = 100;

/** What became of the numbers, briefly. Throws `not_supported` for too many numbers, and as `listCounters` for the merchant. */
export async function summariseNumbering(
  context: Context,
  {
    mode,
    merchantId,
    ...wanted
  }: { mode: Mode; merchantId?: string | undefined } & Partial<Record<"type" | "series", string | undefined>>,
) {
  return context.store.snapshot(async (session) => {
    const found = await findCounters(session, { mode, merchantId });
    const chosen = found.filter(
      ({ type, series }) => (wanted.type ?? type) === type && (wanted.series ?? series) === series,
    );
    const count = chosen.reduce((sum, counter) => sum + counter.next_number - counter.first_number, 0);
    if (count > NUMBERS_MAX) throw tooMany();
    const { counters, holes } = await auditCounters(session, chosen);
    return {
      counters: counters.map(({ numbers, ...key }, index) => {
        const { first_number, next_number } = chosen[index]!;
        const counts = { issued: 0, reserved: 0, released: 0, abandoned: 0, passed: 0 };
        for (const { number, through, state } of numbers) counts[state] += (through ?? number) - number + 1;
        const notIssued = numbers.filter(({ state }) => state !== "issued").slice(-LISTED_MAX);
        return { ...key, first_number, next_number, counts, not_issued: notIssued };
      }),
      holes: holes.slice(0, LISTED_MAX),
    };
  });
}

function tooMany(): AppError {
  return new AppError("not_supported", {
    en: `More than ${NUMBERS_MAX} numbers would be read; choose a merchant, a type or a series`,
    el: `Θα διαβάζονταν πάνω από ${NUMBERS_MAX} αριθμοί· επιλέξτε επιχείρηση, τύπο ή σειρά`,
    next: { operation: "auditNumbers" },
  });
}
