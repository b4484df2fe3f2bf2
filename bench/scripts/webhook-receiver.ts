/**
 * A receiver in its own process that reads each delivery and responds with 200. It is given the expected number,
 * reports when it listens, and then the time from the first to the last.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const expected = Number(process.argv[2]);
let seen = 0;
let firstMs = 0;

/** Sends to the parent process. */
function say(message: { port: number } | { elapsedMs: number }): void {
  if (process.send === undefined) throw new Error("The receiver of the measurement runs as a child only");
  process.send(message);
}

const server = createServer((request, response) => {
  if (seen === 0) firstMs = performance.now();
  request.resume().on("end", () => {
    response.writeHead(200).end();
    seen += 1;
    if (seen === expected) say({ elapsedMs: performance.now() - firstMs });
  });
});

server.listen(0, "127.0.0.1", () => say({ port: (server.address() as AddressInfo).port }));
