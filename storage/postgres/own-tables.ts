/** Tables that only PostgreSQL has, because connections to it can be lost. `fiscal move` does not copy them. */

export const OWN_TABLES = ["lanes", "shared_counters"] as const;

export const OWN_STATEMENTS = [
  // What each running process has committed. A row of its own, so that no process waits for another one's.
  `create table lanes (
    lane uuid primary key,
    commits bigint not null,
    last_id text collate "C" not null
  ) with (fillfactor = 50)`,
  // Unlogged: a count is not worth a write to the disk, and after a crash of the database windows begin again.
  `create unlogged table shared_counters (
    digest bytea primary key,
    used bigint not null,
    ends_at timestamptz not null
  ) with (fillfactor = 50)`,
];
