/**
 * The latest time of the clock at a commit of any process (transactions.ts). While the clock is behind it, due times may lie
 * too far in the future.
 */
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

const selectClock = statement<object>()((db) =>
  db.selectFrom("appliance").select("clock_at").where("id", "=", 1),
);

/** Empty before the first commit. */
export async function findLatestClock(session: Session): Promise<string> {
  return (await session.first(selectClock, {}))?.clock_at ?? "";
}

const setClock = statement<{ at: string }>()((db, p) =>
  db.updateTable("appliance").set({ clock_at: p.at }).where("id", "=", 1),
);

/** Starts again from the clock's present time, because what it had put off is due. */
export async function restartClock(trx: Transaction): Promise<void> {
  await trx.run(setClock, { at: new Date(trx.clockMs).toISOString() });
}
