/** Works off a bare queue (bare-queue.ts): node bench/reference/queue.ts DATABASE JOBS */
import { printSample } from "../processes.ts";
import { openBareQueue } from "./bare-queue.ts";
import { openDatabase } from "./store.ts";

const [file = "", jobs = ""] = process.argv.slice(2);
const database = openDatabase(file);
const queue = openBareQueue(database);
database.transaction(() => {
  for (let job = 0; job < Number(jobs); job += 1) queue.add();
})();
await printSample(Number(jobs), async () => {
  while (queue.workOne());
});
database.close();
