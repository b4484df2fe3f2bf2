/** Sends responses, either correct or as a fault requires. */
import type { ServerResponse } from "node:http";
import type { Fault } from "./faults.ts";
import type { Answer, Verdict } from "./world.ts";

const HTML =
  "<!doctype html><html><head><title>502 Bad Gateway</title></head><body>Bad Gateway</body></html>";

export interface Exchange {
  response: ServerResponse;
  /** Does the route's work; called at most once. */
  work(verdict?: Verdict): Answer;
  /** Hides the filed document from this many queries. */
  hide(askings: number): void;
}

/** Every fault except the cut before reading, which comes before there is a response. */
export function answer(fault: Fault | undefined, exchange: Exchange): void {
  const { response, work } = exchange;
  switch (fault?.kind) {
    case undefined:
      return send(response, work());
    case "pending":
    case "authority_refuses":
      return send(response, work(fault));
    case "cut":
      work();
      return void response.destroy();
    case "hidden":
      work();
      exchange.hide(fault.askings);
      return void response.destroy();
    case "hold":
      if (fault.done) work();
      return;
    case "limited":
      return send(response, {
        status: 429,
        headers: { "retry-after": String(fault.retryAfterSeconds) },
        body: { error: "Too many requests" },
      });
    case "garbled":
    case "empty":
    case "html":
    case "error":
      return send(response, broken(fault, work));
  }
}

type Broken = Extract<Fault, { kind: "garbled" | "empty" | "html" | "error" }>;

/** A response that reveals nothing about what was done. */
function broken(fault: Broken, work: () => Answer): Answer {
  const done = fault.done ? work() : undefined;
  switch (fault.kind) {
    case "empty":
      return { status: 200, body: Buffer.alloc(0) };
    case "html":
      return { status: 502, headers: { "content-type": "text/html" }, body: Buffer.from(HTML) };
    case "error":
      return { status: 500, body: { error: "Internal Server Error" } };
    case "garbled": {
      const text = JSON.stringify(done?.body ?? { id: "cut off" });
      const half = Buffer.from(text).subarray(0, Math.floor(text.length / 2));
      return { status: 200, headers: { "content-type": "application/json" }, body: half };
    }
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  const isBytes = Buffer.isBuffer(body);
  response.writeHead(status, {
    ...(isBytes ? {} : { "content-type": "application/json; charset=utf-8" }),
    ...headers,
  });
  response.end(isBytes ? body : JSON.stringify(body));
}
