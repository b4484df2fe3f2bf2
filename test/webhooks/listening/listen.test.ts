import { createMerchant } from "../../../src/merchants/merchants.ts";
import { describe, expect, test } from "vitest";
import { listEvents } from "../../../src/journal/event-object.ts";
import { type Attempt, listen, type ListenOptions } from "../../../src/webhooks/listening/listen.ts";
import { noteResend } from "../../../src/webhooks/listening/listen-files.ts";
import { CAUSE, openBench } from "../../helpers/appliance.ts";
import { startLocalReceiver } from "../../helpers/local-receiver.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const SECRET = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;

const receiver = forEachTest(startLocalReceiver);
const bench = forEachTest(openBench);

let merchants = 0;

/** Causes a `merchant.created` event and returns its id. */
async function createEvent(): Promise<string> {
  merchants += 1;
  const input = { external_id: `m-${merchants}`, name: "Παράδειγμα" };
  await createMerchant(bench.appliance, input, CAUSE);
  const { data } = await listEvents(bench.appliance, "test", { limit: 1 });
  return data[0]?.id ?? "";
}

const noteResendOf = (id: string) => bench.appliance.store.write((trx) => noteResend(trx, "test", id));

/** Listens until `isEnough` accepts an attempt, and returns all attempts. */
async function listenUntil(
  isEnough: (attempts: readonly Attempt[]) => boolean,
  options: Partial<ListenOptions> = {},
): Promise<Attempt[]> {
  const stop = new AbortController();
  const attempts: Attempt[] = [];
  await listen(bench.appliance, "test", {
    url: new URL(receiver.url),
    secret: SECRET,
    start: "resume",
    signal: stop.signal,
    intervalMs: 1,
    retryDelayMs: () => 1,
    onBegin: async () => undefined,
    async onAttempt(attempt) {
      attempts.push(attempt);
      if (isEnough(attempts)) stop.abort();
    },
    ...options,
  });
  return attempts;
}

const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ event }) => event.id);

describe("a listener", () => {
  test("signs each attempt with its own time, so that a retry after hours is still valid", async () => {
    await createEvent();
    receiver.answer = (index) => (index === 0 ? 500 : 200);
    await listenUntil(
      (attempts) => {
        bench.advance(3_600_000);
        return attempts.length === 2;
      },
      { start: "first" },
    );
    const times = receiver.requests.map(({ headers }) =>
      Number(/^t=(\d+),/.exec(headers["service-signature"] as string)?.[1]),
    );
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(3600);
  });

  test("repeats an event if it is interrupted while the receiver handles it", async () => {
    const id = await createEvent();
    receiver.answer = () => "silence";
    const stop = new AbortController();
    const listening = listenUntil(() => false, { start: "first", signal: stop.signal });
    await receiver.received(1);
    stop.abort();
    expect(await listening).toEqual([]);
    receiver.answer = () => 200;
    expect(idsOf(await listenUntil(() => true))).toEqual([id]);
  });

  test("is not delayed by a resent event that the receiver rejects, nor the other way round", async () => {
    const refused = await createEvent();
    await listenUntil(() => true, { start: "first" });
    await noteResendOf(refused);
    const taken = await createEvent();
    receiver.answer = (index) => (receiver.requests[index]?.event.id === refused ? 500 : 200);
    const attempts = await listenUntil((all) => all.length > 4 && idsOf(all).includes(taken));
    expect(attempts.filter(({ event }) => event.id === taken)).toMatchObject([
      { isResent: false, error: null },
    ]);
    expect(attempts.filter(({ event }) => event.id === refused).every(({ isResent }) => isResent)).toBe(true);
  });

  test("skips a resend of a deleted event and continues", async () => {
    const id = await createEvent();
    await listenUntil(() => true, { start: "first" });
    await noteResendOf("evt_0000000000000000000000");
    await noteResendOf(id);
    const attempts = await listenUntil(() => true);
    expect(attempts).toMatchObject([{ event: { id }, isResent: true }]);
  });

  test("ends with its error, and marks nothing as done", async () => {
    const id = await createEvent();
    const broken = listenUntil(() => false, {
      start: "first",
      onAttempt: () => Promise.reject(new Error("the terminal is gone")),
    });
    await expect(broken).rejects.toThrow("the terminal is gone");
    expect(idsOf(await listenUntil(() => true))).toEqual([id]);
  });
});
