/**
 * The clock of the database server, which all servers go by: a lease that one of them takes ends at the same time for the others.
 * Each transaction compares it when it begins.
 */
import type { Client } from "pg";

export interface DatabaseClock {
  /** The database's time, as far as it is known here. */
  nowMs(): number;
  /** The database said `theirMs` between `sentMs`, by `nowMs`, and now. */
  follow(theirMs: number, sentMs: number): void;
}

/** The database's time in milliseconds, in SQL. */
export const DATABASE_MS = "floor(extract(epoch from clock_timestamp()) * 1000)::bigint";

export async function compareClocks(client: Client, clock: DatabaseClock): Promise<void> {
  const sentMs = clock.nowMs();
  const { rows } = await client.query<{ ms: number }>(`select ${DATABASE_MS} as ms`);
  for (const { ms } of rows) clock.follow(ms, sentMs);
}
