/** When queued and polled documents are due next: per connection, and after a clock jump. */
import type { DocumentPhase, Provider } from "./stored-values.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

const selectNextDue = statement<{ provider: Provider; phase: DocumentPhase }>()((db, p) =>
  db
    .selectFrom("documents")
    .select("next_at")
    .where("provider", "=", p.provider)
    .where("phase", "=", p.phase)
    .where("next_at", "is not", null)
    .orderBy("next_at")
    .limit(1),
);

/** When the next document of the provider in `phase` is due; undefined if none is waiting. */
export async function findNextDue(
  session: Session,
  provider: Provider,
  phase: DocumentPhase,
): Promise<string | undefined> {
  return (await session.first(selectNextDue, { provider, phase }))?.next_at ?? undefined;
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

const rescheduleRows = statement<{
  provider: Provider;
  phase: DocumentPhase;
  now: string;
  latest: string;
  limit: number;
}>()((db, p) =>
  db
    .updateTable("documents")
    .set({ next_at: p.now })
    .where("id", "in", (eb) =>
      eb
        .selectFrom("documents")
        .select("id")
        .where("provider", "=", p.provider)
        .where("phase", "=", p.phase)
        .where("next_at", ">", p.now)
        .where((where) =>
          where.or([
            where("next_at", ">", p.latest),
            where.and([where("phase", "=", "queued"), where("attempts", "=", 0)]),
          ]),
        )
        .limit(p.limit),
    ),
);

/**
 * Makes due what a clock running ahead has put off: documents that were never tried, and those due after `latest`, which no
 * pause can be. Returns how many there were, at most `limit`.
 */
export async function rescheduleDocuments(
  trx: Transaction,
  by: { provider: Provider; phase: DocumentPhase; now: string; latest: string; limit: number },
): Promise<number> {
  return trx.run(rescheduleRows, by);
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
