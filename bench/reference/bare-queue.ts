/** A bare durable queue: claims a job and marks it done, each in its own commit. The job does nothing. */
import type Database from "better-sqlite3";

export interface BareQueue {
  add(): void;
  /** Returns false if there is no job. */
  workOne(): boolean;
}

export function openBareQueue(database: Database.Database): BareQueue {
  database.exec("create table jobs (id integer primary key, state text not null, data text not null) strict");
  database.exec("create index jobs_by_state on jobs (state, id)");
  const insert = database.prepare("insert into jobs (state, data) values ('queued', ?)");
  const claim = database.prepare<[], { id: number }>(
    "update jobs set state = 'running' where id = (select id from jobs where state = 'queued' order by id limit 1) returning id",
  );
  const finish = database.prepare("update jobs set state = 'done' where id = ?");
  return {
    add: () => void insert.run('{"document":1}'),
    workOne() {
      const job = claim.get();
      if (job !== undefined) finish.run(job.id);
      return job !== undefined;
    },
  };
}
