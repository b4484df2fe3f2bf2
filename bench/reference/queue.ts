/**
 * A bare durable queue: claims a job and marks it done, each in its own commit. The job does nothing:
 * node bench/reference/queue.ts DATABASE JOBS
 */
import Database from "better-sqlite3";
import { printSample } from "../processes.ts";

const [file = "", jobs = ""] = process.argv.slice(2);

async function main(): Promise<void> {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec("create table jobs (id integer primary key, state text not null, data text not null) strict");
  database.exec("create index jobs_by_state on jobs (state, id)");
  const insert = database.prepare("insert into jobs (state, data) values ('queued', ?)");
  database.transaction(() => {
    for (let job = 0; job < Number(jobs); job += 1) insert.run('{"document":1}');
  })();
  const claim = database.prepare<[], { id: number }>(
    "update jobs set state = 'running' where id = (select id from jobs where state = 'queued' order by id limit 1) returning id",
  );
  const finish = database.prepare("update jobs set state = 'done' where id = ?");
  await printSample(Number(jobs), async () => {
    for (let row = claim.get(); row !== undefined; row = claim.get()) finish.run(row.id);
  });
  database.close();
}

await main();
