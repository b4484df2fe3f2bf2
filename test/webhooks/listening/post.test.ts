import { describe, expect, test } from "vitest";
import { listenRetryDelayMs, type PostedOnce, postOnce } from "../../../src/webhooks/listening/listen.ts";
import { createSender } from "../../../src/webhooks/sender.ts";
import { startLocalReceiver } from "../../helpers/local-receiver.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const receiver = forEachTest(startLocalReceiver);

async function post(
  url: string,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<PostedOnce | undefined> {
  const sender = createSender({ timeoutMs: options.timeoutMs ?? 5000, connections: 1 });
  const signal = options.signal ?? new AbortController().signal;
  try {
    return await postOnce(sender, { mode: "test", url, headers: {}, body: '{"id":"evt_1"}' }, signal);
  } finally {
    await sender.close();
  }
}

describe("one post", () => {
  // What fails without a status is classified as in deliveries of endpoints.
  test.each([
    ...[200, 201, 204, 299].map((status) => ({ status, error: null })),
    ...[300, 304, 308, 400, 410, 429, 500, 503].map((status) => ({ status, error: "http" })),
  ])("with $status has the error $error", async ({ status, error }) => {
    receiver.answer = () => status;
    expect(await post(receiver.url)).toMatchObject({ status, error });
    expect(receiver.requests).toMatchObject([{ method: "POST", path: "/hooks?shop=1" }]);
  });

  test("a silent receiver times out, and waiting can be interrupted", async () => {
    receiver.answer = () => "silence";
    expect(await post(receiver.url, { timeoutMs: 50 })).toMatchObject({ status: null, error: "timeout" });
    const interrupted = new AbortController();
    const posting = post(receiver.url, { signal: interrupted.signal });
    await receiver.received(2);
    interrupted.abort();
    expect(await posting).toBeUndefined();
  });
});

test("the wait after a failure doubles from a quarter of a second up to ten", () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map(listenRetryDelayMs);
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
});
