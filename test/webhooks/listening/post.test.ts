import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  listenRetryDelayMs,
  createPoster,
  type PostOutcome,
} from "../../../src/webhooks/listening/listen.ts";
import { type LocalReceiver, startLocalReceiver } from "../../helpers/local-receiver.ts";

let receiver: LocalReceiver;
beforeEach(async () => {
  receiver = await startLocalReceiver();
});
afterEach(() => receiver.down());

async function post(
  url: string,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<PostOutcome> {
  const poster = createPoster(new URL(url), options.timeoutMs ?? 5000);
  const signal = options.signal ?? new AbortController().signal;
  try {
    return await poster.post({ "content-type": "application/json" }, '{"id":"evt_1"}', signal);
  } finally {
    await poster.close();
  }
}

describe("one post", () => {
  test.each([200, 201, 204, 299])("%d is accepted", async (status) => {
    receiver.answer = () => status;
    expect(await post(receiver.url)).toMatchObject({ status, error: null });
    expect(receiver.requests).toMatchObject([{ method: "POST", path: "/hooks?shop=1" }]);
  });

  test.each([300, 304, 400, 410, 429, 500, 503])("%d is a failure", async (status) => {
    receiver.answer = () => status;
    expect(await post(receiver.url)).toMatchObject({ status, error: "http" });
  });

  test("redirects are not followed", async () => {
    receiver.answer = () => ({ status: 308, headers: { location: receiver.url } });
    expect(await post(receiver.url)).toMatchObject({ status: 308, error: "http" });
    expect(receiver.requests).toHaveLength(1);
  });

  test("a cut connection, a closed port and a receiver that does not speak HTTP have no status", async () => {
    receiver.answer = () => "cut";
    expect(await post(receiver.url)).toMatchObject({ status: null, error: "connect" });
    await receiver.down();
    expect(await post(receiver.url)).toMatchObject({ status: null, error: "connect" });
    const babble = createTcpServer((socket) => {
      socket.on("error", () => socket.destroy());
      socket.end("220 smtp.example.com ready\r\n").resume();
    });
    await new Promise<void>((resolve) => babble.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(babble.address() as AddressInfo).port}/`;
    expect(await post(url)).toMatchObject({ status: null, error: "connect" });
    expect(await post(url.replace("http:", "https:"))).toMatchObject({ status: null, error: "tls" });
    await new Promise((resolve) => babble.close(resolve));
  });

  test("a silent receiver times out, and waiting can be interrupted", async () => {
    receiver.answer = () => "silence";
    expect(await post(receiver.url, { timeoutMs: 50 })).toMatchObject({ status: null, error: "timeout" });
    const interrupted = new AbortController();
    const posting = post(receiver.url, { signal: interrupted.signal });
    await receiver.received(2);
    interrupted.abort();
    expect(await posting).toMatchObject({ status: null });
  });

  test("an unknown host name fails", async () => {
    expect(await post("http://receiver.invalid/")).toMatchObject({ status: null, error: "dns" });
  });
});

test("the wait after a failure doubles from a quarter of a second up to ten", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map(listenRetryDelayMs);
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
});
