/** A bare h3 server: parses the body, writes the same rows with one group commit per turn, responds. Nothing else. */
import { H3, toNodeHandler } from "h3";
import { createServer } from "node:http";
import { openReferenceStore } from "./store.ts";

const [file = "", merchantId = ""] = process.argv.slice(2);
const store = openReferenceStore(file, merchantId);
const app = new H3();
app.post("/api/v1/documents", async (event) => {
  const text = await event.req.text();
  const body = JSON.parse(text) as { external_reference: string };
  const id = await store.accept(text, event.req.headers.get("idempotency-key") ?? body.external_reference);
  event.res.status = 201;
  event.res.headers.set("content-type", "application/json");
  return JSON.stringify({ data: { id, object: "document", status: "pending", stage: "queued", body } });
});
const server = createServer(toNodeHandler(app));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object")
    process.stdout.write(`http://127.0.0.1:${address.port}\n`);
});
