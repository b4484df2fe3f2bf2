/**
 * A webhook receiver: checks the signature of each delivery, responds, and then processes the event (Node 22.18 or later;
 * nothing to install).
 *
 *   FISCAL_WEBHOOK_SECRET=whsec_… PORT=3000 node receiver.ts
 *   fiscal webhooks listen --forward-to http://localhost:3000/
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { isGenuine } from "./verify.ts";

/** The parts of an event that this receiver uses. */
interface Event {
  id: string;
  type: string;
  data: { object: { id: string; mark?: string | null } };
}

const secret = process.env["FISCAL_WEBHOOK_SECRET"] ?? "";

/**
 * The events received so far: if a response is lost, the event is delivered again. A real receiver stores the ids in its
 * database, in the same transaction as the event's effects.
 */
const known = new Set<string>();

/** Reads the body unchanged, byte for byte. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** 2xx confirms that the event is stored here; after any other response it is sent again. */
async function statusFor(request: IncomingMessage): Promise<number> {
  const body = await readBody(request);
  const header = request.headers["service-signature"];
  if (typeof header !== "string" || !isGenuine(secret, header, body)) return 401;
  const event = JSON.parse(body.toString("utf8")) as Event;
  if (known.has(event.id)) return 200;
  known.add(event.id);
  process.stdout.write(`${event.type} ${event.data.object.id} ${event.data.object.mark ?? ""}\n`);
  return 200;
}

const server = createServer((request, response) => {
  statusFor(request).then(
    (status) => response.writeHead(status).end(),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      response.writeHead(500).end();
    },
  );
});

server.listen(Number(process.env["PORT"] ?? "3000"), "127.0.0.1", () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
