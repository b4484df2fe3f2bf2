/**
 * Pages of documents of a range of issue dates in the order of ids, merged from the pages of single days. The index of issue dates has
 * the documents of a day in that order, but those of a range would all have to be read and sorted.
 */
import { sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { idBodyAt } from "../database/ids.ts";
import { type CreatedRange, leavesFew, mergeSlices, type Slice } from "../database/lists.ts";
import { type Session, type Statement, statement } from "../database/session.ts";
import type { DocumentStatus, Mode, Provider } from "../stored-values.ts";

/** The filters by one value, and their columns. Each combination has an index in the order of ids. */
export const EQUALS = {
  merchantId: "merchant_id",
  status: "status",
  type: "type",
  provider: "provider",
} as const;
type Equal = keyof typeof EQUALS;
export const EQUAL_NAMES = Object.keys(EQUALS) as Equal[];

interface DayFilters {
  mode: Mode;
  merchantId?: string | undefined;
  status?: DocumentStatus | undefined;
  type?: string | undefined;
  provider?: Provider | undefined;
  created: CreatedRange;
}

type DayParameters = Record<"mode" | "day" | "from" | "before" | Equal, string> & { limit: number };

/** With each set of filters and in each direction, compiled once. */
const statements = new Map<string, Statement<DayParameters, DocumentRow>>();

/** The documents of a day whose ids are `from` or later, and earlier than `before`. */
function statementFor(
  names: readonly Equal[],
  direction: Slice["direction"],
): Statement<DayParameters, DocumentRow> {
  const form = [direction, ...names].join();
  const known = statements.get(form);
  if (known !== undefined) return known;
  const built = statement<DayParameters>()((db, p) => {
    let query = db
      .selectFrom("documents")
      .selectAll()
      .where(sql.ref<string>("mode"), "=", p.mode)
      .where(leavesFew("issue_date", p.day))
      .where("id", ">=", p.from)
      .where("id", "<", p.before);
    for (const name of names) query = query.where(unindexed<string>(EQUALS[name]), "=", p[name]);
    return query.orderBy("id", direction).limit(p.limit);
  });
  statements.set(form, built);
  return built;
}

/** So many days take about 5 ms. */
const DAYS_A_TURN = 300;

/** Merges the documents of `days`, newest first, up to `newestId`: those accepted meanwhile would be on some days only. */
export async function fetchByDay(
  session: Session,
  filters: DayFilters,
  slice: Slice,
  { days, newestId }: { days: readonly string[]; newestId: string },
): Promise<DocumentRow[]> {
  const { direction, limit } = slice;
  const names = EQUAL_NAMES.filter((name) => filters[name] !== undefined);
  const ofDay = statementFor(names, direction);
  const given = { ...filters, limit } as unknown as DayParameters;
  let { from, before } = idsOf(filters.created, slice, newestId);
  let rows: DocumentRow[] = [];
  for (const [index, day] of (direction === "desc" ? days : days.toReversed()).entries()) {
    if (index > 0 && index % DAYS_A_TURN === 0) await new Promise((turn) => setImmediate(turn));
    const found = await session.all(ofDay, { ...given, day, from, before });
    if (found.length === 0) continue;
    rows = mergeSlices([rows, found], slice);
    const last = rows.length < limit ? undefined : rows.at(-1)?.id;
    // The page is full: only what comes before its last document matters.
    if (last !== undefined && direction === "desc") from = after(last);
    if (last !== undefined && direction === "asc") before = last;
  }
  return rows;
}

/** One range of ids for all conditions, because SQLite uses only one lower and one upper limit of an index. */
function idsOf(
  { fromMs, throughMs }: CreatedRange,
  { above, below }: Slice,
  newestId: string,
): { from: string; before: string } {
  const from = [above === undefined ? "" : after(above), fromMs === undefined ? "" : firstAt(fromMs)];
  const before = [after(newestId), below, throughMs === undefined ? undefined : firstAt(throughMs + 1)];
  return {
    from: from.reduce((one, other) => (one > other ? one : other)),
    before: before.reduce<string>(
      (one, other) => (other === undefined || one < other ? one : other),
      after(newestId),
    ),
  };
}

function firstAt(ms: number): string {
  return `doc_${idBodyAt(ms)}`;
}

/** A text above the id and below the next one, because all ids have the same length. */
function after(id: string): string {
  return `${id}0`;
}
