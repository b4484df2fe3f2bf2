/** Finds and changes the times at which queued and polled documents are due: per connection, and after a clock jump. */
import { type RawBuilder, sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import type { DocumentPhase, Provider } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

/** Whether the row named `due` belongs to none of the connections and modes in a JSON array. */
export function isNotExcluded(excluded: string): RawBuilder<boolean> {
  const values = textsIn(excluded);
  return sql<boolean>`(due.mode not in ${values} and coalesce(due.connection_id, '') not in ${values})`;
}

function nextDueStatement(excludes: boolean) {
  return statement<{ provider: Provider; phase: DocumentPhase; excluded: string }>()((db, p) =>
    db
      .selectFrom("documents as due")
      .select("due.next_at")
      .where("due.provider", "=", p.provider)
      .where("due.phase", "=", p.phase)
      .where("due.next_at", "is not", null)
      .$if(excludes, (due) => due.where(isNotExcluded(p.excluded)))
      .orderBy("due.next_at")
      .limit(1),
  );
}

const selectNextDue = nextDueStatement(false);

const selectNextDueExcluding = nextDueStatement(true);

/** When the next document of the provider in `phase` is due, except those of `excluded` connections and modes. */
export async function findNextDue(
  session: Session,
  of: { provider: Provider; phase: DocumentPhase; excluded: readonly string[] },
): Promise<string | undefined> {
  const select = of.excluded.length === 0 ? selectNextDue : selectNextDueExcluding;
  return (
    (await session.first(select, { ...of, excluded: JSON.stringify(of.excluded) }))?.next_at ?? undefined
  );
}

const parkRows = statement<{ connectionId: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: null })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "=", "queued"),
);

/** Makes the queued documents of a connection wait until it is verified again. */
export async function parkQueued(trx: Transaction, connectionId: string): Promise<void> {
  await trx.run(parkRows, { connectionId });
}

const wakeRows = statement<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "=", "queued"),
);

/** Makes the queued documents of a connection due now: it is usable again, or never will be. */
export async function wakeQueued(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(wakeRows, { connectionId, due });
}

const pollRows = statement<{ connectionId: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("connection_id", "=", p.connectionId)
    .where("phase", "in", ["awaiting_mark", "reconciling"])
    .where("next_at", ">", p.due),
);

/** Makes the documents of a connection that are waiting for their next poll due now. */
export async function pollNow(trx: Transaction, connectionId: string, due: string): Promise<void> {
  await trx.run(pollRows, { connectionId, due });
}

interface Rescheduling {
  provider: Provider;
  phase: DocumentPhase;
  /** How often the documents were sent: at least, and at most. */
  attemptsMin: number;
  attemptsMax: number;
  now: string;
  /** When they are due from now on. */
  due: string;
  /** Those due later are changed, and those whose stage began in the future. */
  latest: string;
  limit: number;
}

const rescheduleRows = statement<Rescheduling>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.due })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("documents")
        .select("id")
        .where("provider", "=", p.provider)
        .where("phase", "=", p.phase)
        .where("next_at", ">", p.due)
        .where((where) => where.or([where("next_at", ">", p.latest), where("stage_since", ">", p.now)]))
        .where("attempts", ">=", p.attemptsMin)
        .where("attempts", "<=", p.attemptsMax)
        .limit(p.limit),
    ),
);

/** Changes when documents are due that a clock running ahead has put off. Returns how many there were, at most `limit`. */
export async function rescheduleDocuments(trx: Transaction, by: Rescheduling): Promise<number> {
  return trx.run(rescheduleRows, by);
}

const restartRows = statement<{ provider: Provider; phase: DocumentPhase; now: string; limit: number }>()(
  (db, p) =>
    db
      .updateTable("documents")
      .set({ stage_since: p.now })
      .where("id", "in", (eb) =>
        eb
          .selectFrom("documents")
          .select("id")
          .where("provider", "=", p.provider)
          .where("phase", "=", p.phase)
          .where("next_at", "is not", null)
          .where("stage_since", "<", p.now)
          .limit(p.limit),
      ),
);

/** Lets the stage of waiting documents begin `now`. Returns how many began earlier, at most `limit`. */
export async function restartStages(
  trx: Transaction,
  of: { provider: Provider; phase: DocumentPhase; now: string; limit: number },
): Promise<number> {
  return trx.run(restartRows, of);
}

const moveRows = statement<{ from: string; to: string; due: string }>()((db, p) =>
  db
    .updateTable("documents")
    .set({ connection_id: p.to, next_at: p.due })
    .where("connection_id", "=", p.from)
    .where("phase", "=", "queued"),
);

/** Moves the queued documents of a connection to the one that replaces it, and makes them due now. */
export async function handOverQueued(
  trx: Transaction,
  handover: { from: string; to: string; due: string },
): Promise<void> {
  await trx.run(moveRows, handover);
}
