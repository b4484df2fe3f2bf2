/**
 * A bare durable outbox: workers claim a row, sign it, post it through undici's pool and mark it as delivered, each
 * step in its own commit. No schedule, no retries, no evidence:
 * node bench/reference/outbox.ts DATABASE DELIVERIES IN_FLIGHT
 */
import { createHmac } from "node:crypto";
import Database from "better-sqlite3";
import undici from "undici";
import { printSample } from "../processes.ts";
import { startReceiver } from "../scripts/receiver.ts";

const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

interface Row {
  id: number;
  body: string;
}

const [file = "", count = "", connections = ""] = process.argv.slice(2);
const [deliveries, inFlight] = [Number(count), Number(connections)];
/** As large as the event of a document. */
const BODY = JSON.stringify({ id: "evt_0", object: "event", padding: "x".repeat(1250) });

async function deliverBare(url: string): Promise<void> {
  const database = new Database(file);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.exec(
    "create table outbox (id integer primary key, state text not null, body text not null) strict",
  );
  database.exec("create index outbox_by_state on outbox (state, id)");
  const insert = database.prepare("insert into outbox (state, body) values ('pending', ?)");
  database.transaction(() => {
    for (let row = 0; row < deliveries; row += 1) insert.run(BODY);
  })();
  const claim = database.prepare<[], Row>(
    "update outbox set state = 'sending' where id = (select id from outbox where state = 'pending' order by id limit 1) returning id, body",
  );
  const finish = database.prepare("update outbox set state = 'delivered' where id = ?");
  const { origin, pathname } = new URL(url);
  const pool = new undici.Pool(origin, { connections: inFlight });
  const work = async () => {
    for (let row = claim.get(); row !== undefined; row = claim.get()) {
      const t = Math.floor(Date.now() / 1000);
      const v1 = createHmac("sha256", SECRET).update(`${t}.${row.body}`).digest("hex");
      const headers = { "content-type": "application/json", "service-signature": `t=${t},v1=${v1}` };
      const answer = await pool.request({ method: "POST", path: pathname, headers, body: row.body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}`);
      finish.run(row.id);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, work));
  await pool.close();
  database.close();
}

async function main(): Promise<void> {
  const receiver = await startReceiver(deliveries);
  await printSample(deliveries, async () => {
    await deliverBare(receiver.url);
    return receiver.elapsedMs;
  });
  await receiver.stop();
}

await main();
