/** A call context like the one of issuing, which collects evidence and secrets for the suite to check. */
import assert from "node:assert/strict";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { SceneClock } from "./scenes.ts";

/** What one recorder received. */
interface Recorded {
  name: string;
  requests: number;
  answers: number;
}

export interface TestCall {
  context: CallContext;
  /** Fails unless every exchange that was started is complete and there are at least `count` of them. */
  assertRecorded(count: number): void;
  /** Fails if `value`, as JSON, contains a credential or a secret of the call. */
  assertFreeOfSecrets(value: unknown, what: string): void;
}

/** Shorter values may occur in any text by chance. */
const SECRET_CHARACTERS_MIN = 4;

export function createTestCall(options: {
  credentials: Readonly<Record<string, string>> | null;
  clock: SceneClock;
  signal: AbortSignal;
}): TestCall {
  const { credentials, clock, signal } = options;
  const all: Recorded[] = [];
  const secrets = Object.values(credentials ?? {});

  function record(name: string): CallRecorder {
    const recorded: Recorded = { name, requests: 0, answers: 0 };
    all.push(recorded);
    const answer = () => {
      assert.ok(recorded.requests > 0, `${name}: the request is recorded before the response`);
      recorded.answers += 1;
    };
    return { request: () => void (recorded.requests += 1), response: answer, failed: answer };
  }

  const evidence = record("evidence");
  const own = new Map<number, CallRecorder>();
  const context: CallContext = {
    mode: "test",
    credentials: credentials === null ? null : { ...credentials },
    signal,
    nowMs: () => clock.nowMs(),
    secret: (value) => void secrets.push(value),
    evidence,
    evidenceOf(index, ...others) {
      const known = own.get(index) ?? record(`evidenceOf(${index})`);
      for (const place of [index, ...others]) own.set(place, known);
      return known;
    },
    known: () => undefined,
    filing: async () => undefined,
    async begin(operation, purpose) {
      // As long as storing a row takes, so that an adapter that does not wait for it is too late.
      await new Promise((resolve) => setImmediate(resolve));
      return record(`begin(${operation}, ${purpose})`);
    },
  };
  return {
    context,
    assertRecorded(count) {
      const used = all.filter(({ requests }) => requests > 0);
      for (const { name, requests, answers } of used) {
        assert.equal(requests, 1, `${name}: each exchange has its own recorder`);
        assert.equal(answers, 1, `${name}: each exchange is recorded with one response or one failure`);
      }
      assert.ok(
        used.length >= count,
        `${count} requests reached the provider, but ${used.length} are recorded when the outcome is returned`,
      );
    },
    assertFreeOfSecrets(value, what) {
      const text = JSON.stringify(value) ?? "";
      const isLeaked = secrets.some((secret) => {
        // As it appears inside JSON, without the quotes.
        const written = JSON.stringify(secret).slice(1, -1);
        return secret.length >= SECRET_CHARACTERS_MIN && text.includes(written);
      });
      assert.ok(!isLeaked, `${what} must not contain a credential or a secret`);
    },
  };
}
