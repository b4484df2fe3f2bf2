/** Explains what happened to every number, and finds those without an explanation (docs/contract.md#numbering-audit). */
import {
  type CounterFilters,
  type CounterKey,
  keyOf,
  listNumberedDocuments,
  listNumberFates,
  listNumberRuns,
  listSeries,
  type NumberedDocument,
  type NumberRow,
  type SeriesRow,
} from "../../storage/documents/series.ts";
import type { NumberFate } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/database/session.ts";
import { dayText } from "../foundation/days.ts";
import type { Text } from "../foundation/text.ts";
import type { Context } from "../journal/context.ts";

/** One number, or a range with the same explanation. */
export interface AuditedNumber {
  number: number;
  /** The last number of a range; absent for a single number. */
  through?: number;
  /** `reserved`: on a document without an outcome, or kept for its retry. */
  state: "issued" | "reserved" | NumberFate;
  document: string | null;
  reason: string | null;
}

export interface AuditedCounter extends CounterKey {
  numbers: AuditedNumber[];
}

/** A number without an explanation, or a range of them. */
export interface Hole extends CounterKey {
  number: number;
  through: number;
}

/** A number whose document is dated before that of the issued number before it. */
export interface BackwardsNumber extends CounterKey {
  number: number;
  issue_date: string;
  /** The issue date of the issued number before it. */
  previous: string;
}

export interface AuditReport {
  counters: AuditedCounter[];
  holes: Hole[];
  backwards: BackwardsNumber[];
}

/** `TIM 18 is dated 2026-11-02, before the number before it, 2026-11-05 (supplier 123456783, branch 0, type 1.1, test).` */
export function describeBackwards({
  series,
  number,
  issue_date: day,
  previous,
  ...counter
}: BackwardsNumber): Text {
  const [dated, before] = [dayText(day), dayText(previous)];
  const place = placeOf(counter);
  return {
    en: `${series} ${number} is dated ${dated.en}, before the number before it, ${before.en} ${place.en}.`,
    el: `Το ${series} ${number} έχει ημερομηνία ${dated.el}, πριν από εκείνη του προηγούμενου αριθμού, ${before.el} ${place.el}.`,
  };
}

/** `(supplier 123456783, branch 0, type 11.1, test)`. */
function placeOf({ supplier, branch, type, mode }: Omit<CounterKey, "series">): Text {
  return {
    en: `(supplier ${supplier}, branch ${branch}, type ${type}, ${mode})`,
    el: `(εκδότης ${supplier}, εγκατάσταση ${branch}, τύπος ${type}, ${mode})`,
  };
}

/** `Nothing explains ALP 2 to 3 (supplier 123456783, branch 0, type 11.1, test).` */
export function describeHole({ series, number, through, ...counter }: Hole): Text {
  const isRange = through > number;
  const place = placeOf(counter);
  return {
    en: `Nothing explains ${series} ${number}${isRange ? ` to ${through}` : ""} ${place.en}.`,
    el: `Τίποτα δεν εξηγεί το ${series} ${number}${isRange ? ` έως ${through}` : ""} ${place.el}.`,
  };
}

/** Reads from one snapshot, because the queue may be moving documents meanwhile. */
export function auditNumbering(context: Context, filters: CounterFilters): Promise<AuditReport> {
  return context.store.snapshot(async (session) =>
    auditCounters(session, await listSeries(session, filters)),
  );
}

/** The same of these counters on the caller's session, which must be a snapshot. */
export async function auditCounters(session: Session, counters: readonly SeriesRow[]): Promise<AuditReport> {
  const report: AuditReport = { counters: [], holes: [], backwards: [] };
  for (const counter of counters) {
    const documents = await listNumberedDocuments(session, counter);
    const fates = await listNumberFates(session, { seriesId: counter.id });
    const numbers = [...documents.map(explainDocument), ...fates.map(explainFate)].sort(byNumber);
    const key = keyOf(counter);
    report.counters.push({ ...key, numbers });
    for (const gap of findGaps(numbers, counter)) report.holes.push({ ...key, ...gap });
    for (const dated of findBackwards(documents)) report.backwards.push({ ...key, ...dated });
  }
  return report;
}

/** Yields the holes of all counters. The database finds the gaps, so that memory does not grow with the numbers. */
export async function* findHoles(session: Session): AsyncGenerator<Hole> {
  for (const counter of await listSeries(session, {})) {
    const runs = [
      ...(await listNumberRuns(session, counter)),
      ...(await listNumberFates(session, { seriesId: counter.id })),
    ];
    for (const gap of findGaps(runs.sort(byNumber), counter)) yield { ...keyOf(counter), ...gap };
  }
}

function byNumber(left: { number: number }, right: { number: number }): number {
  return left.number - right.number;
}

/** `documents` are in the order of their numbers. */
function findBackwards(
  documents: readonly NumberedDocument[],
): Pick<BackwardsNumber, "number" | "issue_date" | "previous">[] {
  const issued = documents.filter(({ phase }) => phase === "issued");
  return issued.flatMap(({ number, issue_date: day }, index) => {
    const previous = issued[index - 1]?.issue_date ?? day;
    return day < previous ? [{ number: number!, issue_date: day, previous }] : [];
  });
}

const RESERVED_REASONS: Partial<Record<NumberedDocument["phase"], string>> = {
  queued: "kept for the next send",
  submitting: "being sent",
  awaiting_mark: "accepted, awaiting its MARK",
  reconciling: "the outcome of its send is being looked up",
  failed: "kept for a retry",
};

function explainDocument(document: NumberedDocument): AuditedNumber {
  const isIssued = document.phase === "issued";
  return {
    number: document.number!,
    state: isIssued ? "issued" : "reserved",
    document: document.id,
    reason: isIssued
      ? document.cancellation_mark === null
        ? null
        : "cancelled"
      : (RESERVED_REASONS[document.phase] ?? document.phase),
  };
}

function explainFate(fate: NumberRow): AuditedNumber {
  return {
    number: fate.number,
    ...(fate.through > fate.number ? { through: fate.through } : {}),
    state: fate.state,
    document: fate.document_id,
    reason: fate.reason,
  };
}

/** The numbers from the counter's first to its last used one that are missing in `numbers`, which are sorted. */
function findGaps(
  numbers: readonly { number: number; through?: number }[],
  counter: SeriesRow,
): { number: number; through: number }[] {
  const gaps: { number: number; through: number }[] = [];
  let expected = counter.first_number;
  for (const { number, through } of numbers) {
    if (number > expected) gaps.push({ number: expected, through: number - 1 });
    expected = Math.max(expected, (through ?? number) + 1);
  }
  if (expected < counter.next_number) gaps.push({ number: expected, through: counter.next_number - 1 });
  return gaps;
}
