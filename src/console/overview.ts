/** Queries for the console's overview: today's documents, items that need attention, and the last thirty days. All are bounded. */
import { startOfAthensDay } from "../foundation/clock.ts";
import {
  countDocumentsSince,
  findInvalidConnections,
  findUnresolvedRejections,
  sumIssuedByType,
  type DailyTypeTotal,
} from "../../storage/upkeep/overview.ts";
import { DOCUMENT_STATUSES, type Mode } from "../../storage/stored-values.ts";
import { buildConnectionObject, type ConnectionObject } from "../issuing/connection-status.ts";
import type { Context } from "../journal/context.ts";
import { isCreditNote } from "../domain/document-types.ts";
import { getDocument, renderDocument } from "../documents/list-documents.ts";
import { findMarksForPerson } from "../../storage/documents/surplus-marks.ts";
import { describeRemedy, MARK_PROBLEMS } from "../domain/several-marks.ts";
import type { DocumentObject } from "../journal/document-object.ts";

/** Counting stops here; the page then shows "+". */
const COUNT_MAX = 10_000;
const DAYS = 30;
const DAY_MS = 86_400_000;
const INVALID_SHOWN_MAX = 5;

export interface Day {
  /** `2026-11-21`, the issue date. */
  day: string;
  /** Documents issued and not cancelled. */
  issued: number;
  /** Cents. Credit notes are subtracted, so it may be negative. */
  vat: bigint;
}

/** Documents accepted today, by their current status. `isMore` if the counting stopped. */
export async function countToday({ clock, store }: Context, mode: Mode) {
  const fromMs = startOfAthensDay(clock.today());
  return Promise.all(
    DOCUMENT_STATUSES.map(async (status) => {
      const asked = { mode, status, fromMs, limit: COUNT_MAX + 1 };
      const found = await countDocumentsSince(store.read, asked);
      return { status, count: Math.min(found, COUNT_MAX), isMore: found > COUNT_MAX };
    }),
  );
}

/** The newest invalid connections, at most five. */
export async function listInvalidConnections(context: Context, mode: Mode): Promise<ConnectionObject[]> {
  const rows = await findInvalidConnections(context.store.read, { mode, limit: INVALID_SHOWN_MAX });
  return rows.map(buildConnectionObject);
}

const REJECTED_DAYS = 7;

/**
 * The newest documents rejected in the last seven days that have not been issued again with the same reference,
 * at most `limit`.
 */
export async function listUnansweredRejections(
  context: Context,
  mode: Mode,
  limit: number,
): Promise<DocumentObject[]> {
  const fromMs = context.clock.nowMs() - REJECTED_DAYS * DAY_MS;
  const rows = await findUnresolvedRejections(context.store.read, { mode, fromMs, limit });
  return Promise.all(rows.map((row) => renderDocument(context, row)));
}

/** The newest MARKs that a person must see to, at most `limit` (docs/contract.md#surplus-marks). */
export async function listMarkProblems(context: Context, mode: Mode, limit: number) {
  const found = await findMarksForPerson(context.store.read, { mode, limit });
  return Promise.all(
    found.map(async ({ document_id: id, mark, state, own_mark: ownMark }) => ({
      document: await getDocument(context, mode, id),
      problem: MARK_PROBLEMS[state],
      remedy: describeRemedy(state, mark, ownMark),
    })),
  );
}

export function addUpDay(day: string, types: readonly DailyTypeTotal[]): Day {
  let issued = 0;
  let vat = 0n;
  for (const { type, count, vat: cents } of types) {
    issued += count;
    vat += isCreditNote(type) ? -cents : cents;
  }
  return { day, issued, vat };
}

/** Earlier days rarely change, and reading them takes longer the more documents they have, so their sums are kept for a minute. */
const EARLIER_DAYS_MS = 60_000;

interface EarlierDays {
  /** The days before this one. */
  today: string;
  untilMs: number;
  days: Day[];
}

const earlier = new WeakMap<Context["store"], Map<Mode, EarlierDays>>();

/** The sums of the last thirty days including today, oldest first. Days before today may be a minute out of date. */
export async function sumDays(context: Context, mode: Mode): Promise<Day[]> {
  const today = context.clock.today();
  return [...(await sumEarlierDays(context, mode, today)), await sumDay(context, mode, today)];
}

async function sumEarlierDays(context: Context, mode: Mode, today: string): Promise<Day[]> {
  const nowMs = context.clock.nowMs();
  let modes = earlier.get(context.store);
  if (modes === undefined) earlier.set(context.store, (modes = new Map()));
  const known = modes.get(mode);
  if (known?.today === today && nowMs < known.untilMs) return known.days;
  const midnight = Date.parse(`${today}T00:00:00.000Z`);
  const days: Day[] = [];
  for (let ago = DAYS - 1; ago > 0; ago -= 1)
    days.push(await sumDay(context, mode, new Date(midnight - ago * DAY_MS).toISOString().slice(0, 10)));
  modes.set(mode, { today, untilMs: nowMs + EARLIER_DAYS_MS, days });
  return days;
}

async function sumDay(context: Context, mode: Mode, day: string): Promise<Day> {
  return addUpDay(day, await sumIssuedByType(context.store.read, { mode, day }));
}
