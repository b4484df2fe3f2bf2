/**
 * Due work: rows of several tables that are claimed, settled and rescheduled by the same statements. Documents have their own
 * claim (storage/documents/document-queue.ts, storage/documents/send-claims.ts).
 */
import { type RawBuilder, type Selectable, sql } from "kysely";
import { textsIn } from "./dialect.ts";
import { changeRows, hasRow, refs } from "./queries.ts";
import type { Tables, WorkColumns } from "./schema.ts";
import { rowStatement, type Session, statement } from "./session.ts";
import type { Transaction } from "./write.ts";

export type WorkRow = Selectable<WorkColumns>;

export interface WorkClaim {
  /** Rows due by then are claimed, and rows whose claim expired by then. */
  due: string;
  limit: number;
  /** The unique name of this claim. */
  owner: string;
  /** When this claim expires. */
  until: string;
  /** The claims that this process is working on, whether or not they have expired. */
  alive: readonly string[];
}

export interface Rescheduling {
  /** When the rows are due from now on. */
  due: string;
  /** Rows that are due later are changed. */
  latest: string;
  /** How often the rows have been attempted: at least, and at most. */
  attemptsMin: number;
  attemptsMax: number;
  limit: number;
}

/** The due work of one table. `Scope` limits what is claimed. */
export interface WorkTable<Row extends WorkRow, Scope extends object> {
  /** The primary key of the row. */
  identify(row: Row): Partial<Row>;
  hasDue(session: Session, by: { now: string }): Promise<boolean>;
  /** Claims rows, first the one that is due first, and returns them in no particular order. */
  claim(trx: Transaction, claim: WorkClaim & Scope): Promise<Row[]>;
  /** Ends a claim. Returns false if another process has taken the row over, and changes nothing then. */
  settle(
    trx: Transaction,
    row: Row,
    result: Pick<WorkRow, "due_at" | "tries">,
    changes?: Partial<Row>,
  ): Promise<boolean>;
  /** Changes when rows that wait too long are due. Returns how many rows, at most `limit`. */
  reschedule(trx: Transaction, by: Rescheduling): Promise<number>;
  /** Makes claims that end after `latest` end at `due`, except those in `alive`, as in `WorkClaim`. */
  endClaims(trx: Transaction, by: EndingClaims): Promise<number>;
  /** Makes rows that are due before `due` due then. */
  postpone(trx: Transaction, by: { due: string }): Promise<number>;
}

type EndingClaims = Pick<WorkClaim, "due" | "alive"> & { latest: string };

interface Definition<Row, Scope> {
  /** The primary key. */
  key: readonly (keyof Row & string)[];
  /** Which rows, aliased as `due`, a claim may take. */
  among?: (scope: Scope) => RawBuilder<boolean>;
  /** An attempt whose process died does not count: it is made again. */
  repeatsLost?: boolean;
}

export function workTable<Row extends WorkRow, Scope extends object = object>(
  name: keyof Tables,
  { key, among, repeatsLost = false }: Definition<Row, Scope>,
): WorkTable<Row, Scope> {
  const table = sql.table(name);
  const keys = refs(key);
  const dueKeys = refs(key.map((column) => `due.${column}`));
  const tries = repeatsLost ? sql`tries` : sql`case when lease_owner is null then tries else tries + 1 end`;
  const identify = (row: Row) =>
    Object.fromEntries(key.map((column) => [column, row[column]])) as Partial<Row>;

  // Due twice: another server may have claimed a row since it was chosen.
  const claim = statement<WorkClaim & Scope>()(
    (_, p) => sql<Row>`
      update ${table} set lease_owner = ${p.owner}, due_at = ${p.until}, tries = ${tries}
      where due_at <= ${p.due} and (${keys}) in (
        select ${dueKeys} from ${table} as due
        where due.due_at <= ${p.due} and (due.lease_owner is null or due.lease_owner not in ${textsIn(p.alive)})
          and ${among?.(p) ?? sql`1 = 1`}
        order by due.due_at, ${dueKeys} limit ${p.limit} + 0
      )
      returning *`,
  );
  const settle = rowStatement<{ claimed: string | null }>()((_, { claimed, ...row }) => {
    const equals = Object.entries(row).map(
      ([column, value]) => [column, sql`${sql.ref(column)} = ${value}`] as const,
    );
    const isKey = ([column]: readonly [string, unknown]) => (key as readonly string[]).includes(column);
    const set = sql.join(equals.filter((one) => !isKey(one)).map(([, text]) => text));
    const where = sql.join(
      [sql`lease_owner = ${claimed}`, ...equals.filter(isKey).map(([, text]) => text)],
      sql` and `,
    );
    return sql`update ${table} set ${set}, lease_owner = null where ${where}`;
  });

  return {
    identify,
    hasDue: hasRow<{ now: string }>()(
      (_, p) => sql<object>`select 1 from ${table} where due_at <= ${p.now} limit 1`,
    ),
    claim: (trx, by) => trx.all(claim, by),
    settle: async (trx, row, result, changes) =>
      (await trx.run(settle, { ...result, ...changes, ...identify(row), claimed: row.lease_owner })) === 1,
    reschedule: changeRows<Rescheduling>()(
      (_, p) => sql`
        update ${table} set due_at = ${p.due} where (${keys}) in (
          select ${keys} from ${table} where due_at > ${p.latest} and lease_owner is null
            and tries between ${p.attemptsMin} + 0 and ${p.attemptsMax} + 0
          limit ${p.limit} + 0)`,
    ),
    endClaims: changeRows<EndingClaims>()(
      (_, p) => sql`
        update ${table} set due_at = ${p.due} where due_at > ${p.latest}
          and lease_owner is not null and lease_owner not in ${textsIn(p.alive)}`,
    ),
    postpone: changeRows<{ due: string }>()(
      (_, p) => sql`update ${table} set due_at = ${p.due} where due_at < ${p.due}`,
    ),
  };
}
