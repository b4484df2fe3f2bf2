/**
 * A server on this machine that sends scripted responses: the next queued one for a request, otherwise its fixed one. A
 * request without a response, and an unused queued response, fail the test.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { createHost } from "./host.ts";

/** `cut` closes the connection without a response after the request was read; `after` holds the response back. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; body?: unknown; after?: Promise<unknown> }
  | "cut";

/** A request as the server received it. */
export interface Got {
  /** As the script calls it. */
  what: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: string;
}

/** `nameOf` is what the script calls a request. Bodies that are no text or bytes are sent as JSON. */
export async function startScriptedServer(nameOf: (verb: string, path: string) => string) {
  const fixed = new Map<string, Answer>();
  const queued: { what: string; answer: Answer }[] = [];
  const unexpected: string[] = [];
  const got: Got[] = [];

  function answerFor(what: string): Answer {
    const index = queued.findIndex((entry) => entry.what === what);
    const answer = index === -1 ? fixed.get(what) : queued.splice(index, 1)[0]!.answer;
    if (answer === undefined) unexpected.push(what);
    return answer ?? { status: 599 };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method: verb = "", url: path = "", headers: sent } = request;
    const what = nameOf(verb, path);
    const query = Object.fromEntries(new URL(path, "http://scripted.invalid").searchParams);
    got.push({ what, path, query, headers: sent, body: await text(request) });
    const answer = answerFor(what);
    if (answer === "cut") return void response.destroy();
    const { status = 200, headers = {}, body = "" } = answer;
    await answer.after;
    const isRaw = typeof body === "string" || Buffer.isBuffer(body);
    response.writeHead(status, { "content-type": isRaw ? "text/plain" : "application/json", ...headers });
    response.end(isRaw ? body : JSON.stringify(body));
  }

  const host = createHost(serve, (error) => void unexpected.push(String(error)));
  await host.listen();
  return {
    origin: host.origin(),
    got,
    requests: () => got.map(({ what }) => what),
    /** The response to every request `what` without a queued response. */
    always: (what: string, answer: Answer) => void fixed.set(what, answer),
    /** Queues the response to the next request `what`. */
    next: (what: string, answer: Answer) => void queued.push({ what, answer }),
    /** Fails if a response was not used or a request had none. */
    async close() {
      await host.close();
      expect({ unexpected, left: queued.map(({ what }) => what) }).toEqual({ unexpected: [], left: [] });
    },
  };
}
