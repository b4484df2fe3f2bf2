/** Tables that only PostgreSQL has, because several servers write at the same time. `fiscal move` does not copy them. */

export const OWN_TABLES = ["lanes", "sealed", "shared_counters"] as const;

export const OWN_STATEMENTS = [
  // What each running process has committed. A row of its own, so that no process waits for another one's.
  `create table lanes (
    lane uuid primary key,
    commits bigint not null,
    last_id text collate "C" not null
  ) with (fillfactor = 50)`,
  // Ids up to `through`: their transactions are committed, and their events linked (sealer.ts).
  `create table sealed (
    id integer primary key check (id = 1),
    through text collate "C" not null
  ) with (fillfactor = 50)`,
  "insert into sealed values (1, '')",
  // Unlogged: a count is not worth a write to the disk, and after a crash of the database windows begin again.
  `create unlogged table shared_counters (
    digest bytea primary key,
    used bigint not null,
    ends_at timestamptz not null
  ) with (fillfactor = 50)`,
];

/** The lock of all transactions, in one schema: shared by those beside others. */
export const LANE_LOCK = "'appliance'::regclass::oid::bigint";
