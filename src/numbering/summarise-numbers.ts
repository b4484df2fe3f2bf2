/** Counts numbers by what became of them, with every number that was not issued (docs/contract.md#numbering-audit). */
import { type CounterKey, listSeries, type SeriesRow } from "../../storage/documents/series.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { AppError } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { type AuditedNumber, explainCounter, findGaps, type Hole } from "./audit-numbers.ts";
import { supplierOf } from "./counters.ts";

export interface SummaryFilters {
  mode: Mode;
  merchantId?: string | undefined;
  type?: string | undefined;
  series?: string | undefined;
}

export interface CounterSummary extends CounterKey {
  first_number: number;
  next_number: number;
  /** How many numbers are in each state. */
  counts: Record<AuditedNumber["state"], number>;
  /** The newest numbers that were not issued, at most a hundred. */
  not_issued: AuditedNumber[];
}

export interface NumberingSummary {
  counters: CounterSummary[];
  /** At most a hundred. */
  holes: Hole[];
}

/** Reading more would hold up the server. */
const NUMBERS_MAX = 50_000;
const LISTED_MAX = 100;

/** Throws `not_supported` where the counters have too many numbers, and as `listCounters` for the merchant. */
export async function summariseNumbering(
  context: Context,
  { mode, merchantId, type, series }: SummaryFilters,
): Promise<NumberingSummary> {
  return context.store.snapshot(async (session) => {
    const supplier = merchantId === undefined ? undefined : await supplierOf(session, merchantId);
    const found = await listSeries(session, { mode, supplier: supplier?.taxId });
    const chosen = found.filter(
      (counter) =>
        (type === undefined || counter.type === type) && (series === undefined || counter.series === series),
    );
    if (countNumbers(chosen) > NUMBERS_MAX) throw tooMany();
    const summary: NumberingSummary = { counters: [], holes: [] };
    for (const counter of chosen) {
      const numbers = await explainCounter(session, counter);
      const described = summarise(counter, numbers);
      summary.counters.push(described);
      const {
        counts: _counts,
        not_issued: _listed,
        first_number: _first,
        next_number: _next,
        ...identity
      } = described;
      summary.holes.push(...findGaps(numbers, counter).map((gap) => ({ ...identity, ...gap })));
    }
    return { ...summary, holes: summary.holes.slice(0, LISTED_MAX) };
  });
}

function countNumbers(counters: readonly SeriesRow[]): number {
  return counters.reduce((sum, counter) => sum + counter.next_number - counter.first_number, 0);
}

function summarise(counter: SeriesRow, numbers: readonly AuditedNumber[]): CounterSummary {
  const { supplier, branch, type, mode, series, first_number, next_number } = counter;
  const counts = { issued: 0, reserved: 0, released: 0, abandoned: 0, passed: 0 };
  for (const { number, through, state } of numbers) counts[state] += (through ?? number) - number + 1;
  const notIssued = numbers.filter(({ state }) => state !== "issued").slice(-LISTED_MAX);
  const identity = { supplier, branch, type, mode, series };
  return { ...identity, first_number, next_number, counts, not_issued: notIssued };
}

function tooMany(): AppError {
  return new AppError("not_supported", {
    en: `More than ${NUMBERS_MAX} numbers would be read; choose a merchant, a type or a series`,
    el: `Θα διαβάζονταν πάνω από ${NUMBERS_MAX} αριθμοί· επιλέξτε επιχείρηση, τύπο ή σειρά`,
    next: { operation: "auditNumbers" },
  });
}
