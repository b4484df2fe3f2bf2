/**
 * A bare h3 server, which parses the body, writes rows in one commit a turn and responds: node accept-server.ts FOLDER MERCHANT KIND.
 * KIND is `bare`, which keeps no promise; `queued`, which also works off a bare queue of what it accepted; or `promising`
 * (promising-store.ts).
 */
import { H3, toNodeHandler } from "h3";
import { createServer } from "node:http";
import { openBareQueue } from "./bare-queue.ts";
import { openDatabase, openReferenceStore } from "./store.ts";

type Accept = (text: string, headers: Headers) => Promise<string>;

const [folder = "", merchantId = "", kind = ""] = process.argv.slice(2);
const accept = kind === "promising" ? await acceptWithPromises() : acceptBarely();
const app = new H3();
app.post("/api/v1/documents", async (event) => {
  const json = await accept(await event.req.text(), event.req.headers);
  event.res.status = 201;
  event.res.headers.set("content-type", "application/json");
  return json;
});
const server = createServer(toNodeHandler(app));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});

/** Loaded here: the others would take 20 MB for the parts of the product. */
async function acceptWithPromises(): Promise<Accept> {
  const { openPromisingStore } = await import("./promising-store.ts");
  return (await openPromisingStore(folder, merchantId)).accept;
}

function acceptBarely(): Accept {
  const database = openDatabase(`${folder}/data/fiscal.db`);
  const store = openReferenceStore(database, merchantId);
  const queue = kind === "queued" ? openBareQueue(database) : undefined;
  let isWorking = false;
  const work = () => {
    isWorking = queue?.workOne() === true;
    if (isWorking) setImmediate(work);
  };
  return async (text, headers) => {
    const body = JSON.parse(text) as unknown;
    const id = await store.accept(text, headers.get("idempotency-key")!, queue?.add);
    if (queue !== undefined && !isWorking) work();
    return JSON.stringify({ data: { id, object: "document", status: "pending", stage: "queued", body } });
  };
}
