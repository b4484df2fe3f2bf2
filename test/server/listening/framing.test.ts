/** Rejects requests that two programs could read differently, with an error, and closes the connection. */
import { describe, expect, test } from "vitest";
import { openServingPlace, readToClose } from "../../helpers/serving.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const place = forEachTest(openServingPlace);

const NEXT = "GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n";

async function ask(lines: (key: string) => string[], rest: string) {
  const { port, bench } = await place.start();
  const socket = await place.open(port);
  const ended = readToClose(socket);
  socket.write([...lines(await bench.makeKey("test")), "", rest].join("\r\n"));
  const text = await ended;
  return {
    answers: text.match(/HTTP\/1\.1 \d+/g),
    body: JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as { code: string; message: string },
  };
}

const POST = (key: string) => [
  "POST /api/v1/merchants HTTP/1.1",
  "Host: here",
  `Authorization: Bearer ${key}`,
  "Idempotency-Key: one",
  "Content-Type: application/json",
];

describe("a request with", () => {
  test.each([
    [
      "two hosts",
      400,
      "more than one Host",
      () => ["GET /healthz HTTP/1.1", "Host: here", "HOST: there"],
      NEXT,
    ],
    [
      "a coding of its own",
      501,
      "chunked",
      (key: string) => [...POST(key), "Transfer-Encoding: xchunked"],
      NEXT,
    ],
    [
      "another coding too",
      501,
      "chunked",
      (key: string) => [...POST(key), "Transfer-Encoding: gzip, chunked"],
      "0\r\n\r\n",
    ],
    [
      "two lengths",
      400,
      "not valid HTTP",
      (key: string) => [...POST(key), "Content-Length: 2", "Transfer-Encoding: chunked"],
      "0\r\n\r\n",
    ],
    ["another protocol", 400, "not valid HTTP", () => ["PRI * HTTP/2.0"], "SM\r\n\r\n"],
    [
      "a broken chunk",
      400,
      "not valid HTTP",
      (key: string) => [...POST(key), "Transfer-Encoding: chunked"],
      `zz\r\n${NEXT}`,
    ],
  ])(
    "%s is rejected with an error, and what follows is not parsed as a request",
    async (_name, status, words, lines, rest) => {
      const { answers, body } = await ask(lines, rest);
      expect(answers).toEqual([`HTTP/1.1 ${status}`]);
      expect(body.code).toBe("validation_failed");
      expect(body.message).toContain(words);
    },
  );
});
