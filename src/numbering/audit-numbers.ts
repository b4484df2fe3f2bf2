/** `numbering audit`: what became of every number, and which ones nothing explains (decisions 6 and 16). */
import {
  type CounterFilters,
  listNumberedDocuments,
  listNumberFates,
  listSeries,
  type NumberedDocument,
  type NumberRow,
  type SeriesRow,
} from "../../storage/series.ts";
import type { NumberFate } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import type { Context } from "../journal/context.ts";

/** One number, or a range of them with one fate. */
export interface AuditedNumber {
  number: number;
  /** The last number of a range; only where it is longer than one. */
  through?: number;
  /** `reserved`: on a document that has no outcome yet, or kept for its retry. */
  state: "issued" | "reserved" | NumberFate;
  document: string | null;
  reason: string | null;
}

export interface AuditedCounter {
  supplier: string;
  branch: number;
  type: string;
  mode: SeriesRow["mode"];
  series: string;
  numbers: AuditedNumber[];
}

/** A number of a counter that nothing explains, or a range of them. */
export interface Hole {
  supplier: string;
  branch: number;
  type: string;
  mode: SeriesRow["mode"];
  series: string;
  number: number;
  through: number;
}

export interface AuditReport {
  counters: AuditedCounter[];
  holes: Hole[];
}

/** `ALP 2 to 3 (supplier 123456783, branch 0, type 11.1, test)` */
export function describeHole(hole: Hole): string {
  const numbers = hole.through > hole.number ? `${hole.number} to ${hole.through}` : String(hole.number);
  return `${hole.series} ${numbers} (supplier ${hole.supplier}, branch ${hole.branch}, type ${hole.type}, ${hole.mode})`;
}

/** Reads one state of the file, so that an audit beside a working queue sees no half of a move. */
export function auditNumbering(context: Context, filters: CounterFilters): Promise<AuditReport> {
  return context.store.snapshot((session) => auditCounters(session, filters));
}

/** The same on a session that the caller holds, and that sees one state. */
export async function auditCounters(session: Session, filters: CounterFilters): Promise<AuditReport> {
  const report: AuditReport = { counters: [], holes: [] };
  for (const counter of await listSeries(session, filters)) {
    const numbers = await explainCounter(session, counter);
    const { supplier, branch, type, mode, series } = counter;
    const identity = { supplier, branch, type, mode, series };
    report.counters.push({ ...identity, numbers });
    for (const gap of findGaps(numbers, counter)) report.holes.push({ ...identity, ...gap });
  }
  return report;
}

/** The holes of all counters, holding the numbers of one at a time. */
export async function* findHoles(session: Session): AsyncGenerator<Hole> {
  for (const counter of await listSeries(session, {})) {
    const { supplier, branch, type, mode, series } = counter;
    for (const gap of findGaps(await explainCounter(session, counter), counter))
      yield { supplier, branch, type, mode, series, ...gap };
  }
}

async function explainCounter(session: Session, counter: SeriesRow): Promise<AuditedNumber[]> {
  const documents = await listNumberedDocuments(session, counter);
  const fates = await listNumberFates(session, counter.id);
  return [...documents.map(explainDocument), ...fates.map(explainFate)].sort(
    (left, right) => left.number - right.number,
  );
}

const RESERVED_REASONS: Partial<Record<NumberedDocument["phase"], string>> = {
  queued: "kept for the next send",
  submitting: "being sent",
  awaiting_mark: "accepted, the MARK follows",
  reconciling: "the outcome of a send is being looked up",
  failed: "kept for a retry of its document",
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

/** The numbers between the counter's first and its next that are not among `numbers`, which rise. */
function findGaps(
  numbers: readonly AuditedNumber[],
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
