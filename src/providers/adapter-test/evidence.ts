/** A call context like the one of issuing, which keeps evidence and secrets for the suite to check. */
import assert from "node:assert/strict";
import type { CallContext, CallRecorder } from "../../domain/provider-adapter.ts";
import type { SceneClock } from "./scenes.ts";

/** What one recorder received. */
interface Kept {
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
  const all: Kept[] = [];
  const secrets = Object.values(credentials ?? {});

  function record(name: string): CallRecorder {
    const kept: Kept = { name, requests: 0, answers: 0 };
    all.push(kept);
    const answer = () => {
      assert.ok(kept.requests > 0, `${name}: an answer is recorded before its request`);
      kept.answers += 1;
    };
    return { request: () => void (kept.requests += 1), response: answer, failed: answer };
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
        assert.equal(requests, 1, `${name}: each exchange has a recorder of its own`);
        assert.equal(answers, 1, `${name}: each exchange ends with one answer or one failure on record`);
      }
      assert.ok(
        used.length >= count,
        `${count} requests reached the provider, ${used.length} are on record once the outcome is there`,
      );
    },
    assertFreeOfSecrets(value, what) {
      const text = JSON.stringify(value) ?? "";
      const isShown = secrets.some((secret) => {
        // As it appears inside JSON, without the quotes.
        const written = JSON.stringify(secret).slice(1, -1);
        return secret.length >= SECRET_CHARACTERS_MIN && text.includes(written);
      });
      assert.ok(!isShown, `${what} shows a credential or a secret`);
    },
  };
}
