/** Works off what is due of one kind. Webhooks have a queue of their own, because receivers share slots. */
import type { WorkRow } from "../../storage/database/work.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import { claimWork, dueIn, nextDue } from "./claim.ts";
import type { WorkKind } from "./kinds.ts";

export interface WorkOptions<Scope> {
  scope: Scope;
  /** Aborted when no more attempts are to begin. */
  stopping?: AbortSignal | undefined;
  /** Attempts at the same time. */
  concurrency?: number;
}

/**
 * Makes attempts until nothing is due. `attempt` settles its row. If it throws, the attempt counts, and is repeated whatever the
 * schedule says; a failure affects no other row.
 */
export async function workOff<Row extends WorkRow, Scope extends object>(
  { store, clock, log, cut }: Context,
  kind: WorkKind<Row, Scope>,
  { scope, stopping = cut, concurrency = 1 }: WorkOptions<Scope>,
  attempt: (row: Row) => Promise<void>,
): Promise<void> {
  const { table, delaysSeconds } = kind;
  const alive = new Set<string>();

  /** Looks with the read connection first, so that an idle server takes no write lock. */
  async function claimOne(): Promise<Row | undefined> {
    if (stopping.aborted || cut.aborted || (await isHeld(store.read))) return undefined;
    if (!(await table.hasDue(store.read, { now: clock.now() }))) return undefined;
    const [row] = await store.write((trx) => claimWork(trx, kind, scope, { limit: 1, alive }));
    return row;
  }

  async function repeatLater(row: Row, error: unknown): Promise<void> {
    if (!isReportedAlready(error))
      log.error({ ...table.identify(row), error: String(error) }, "background work failed; trying again");
    await store.write((trx) => {
      const lastMs = (delaysSeconds.at(-1) ?? 0) * 1000;
      const due = nextDue(trx, kind, row) ?? dueIn(trx, lastMs);
      return table.settle(trx, row, { due_at: due, tries: row.tries + 1 });
    });
  }

  async function work(): Promise<void> {
    for (let row = await claimOne(); row !== undefined; row = await claimOne()) {
      const claimed = row;
      alive.add(String(row.lease_owner));
      await attempt(row).catch((error: unknown) => repeatLater(claimed, error));
      alive.delete(String(row.lease_owner));
    }
  }

  await Promise.all(Array.from({ length: concurrency }, work));
}
