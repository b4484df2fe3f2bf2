/**
 * One scene with its adapter. Every question to the adapter goes through here, with a call context like the one of issuing, which collects
 * evidence and secrets, and is checked against the rules for all.
 */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { createClock } from "../../foundation/clock.ts";
import type {
  CallContext,
  CallRecorder,
  OutgoingDocument,
  ProviderAdapter,
} from "../../domain/provider-adapter.ts";
import type { AdapterHost } from "../contract.ts";
import { createExchange, type Exchange } from "../exchange.ts";
import {
  buildSample,
  freeze,
  type RefusingScene,
  type Scene,
  type SceneClock,
  type Scenes,
} from "./scenes.ts";

/** 14:00 in Athens: the same day in nearly every time zone of a test machine. */
const NOW_MS = Date.parse("2026-11-02T12:00:00.000Z");

/** An adapter that takes longer with a local fake is waiting for something that never comes. */
const OPERATION_MS_MAX = 10_000;

/** After an abort. A process that is shutting down has little more time. */
export const ABORT_MS_MAX = 1_000;

export interface AdapterDescription {
  /** Prefix of the name of each case. */
  name: string;
  /** The provider that the adapter is created for; provider_b by default. */
  provider?: AdapterHost["provider"];
  /**
   * Credentials that fit its form and are right in every scene except `refusesCredentials`; null for an adapter
   * without a form.
   */
  credentials: Readonly<Record<string, string>> | null;
  /** Creates the adapter as its module does, with the address of the scene. */
  createAdapter(host: AdapterHost, scene: Scene): ProviderAdapter | Promise<ProviderAdapter>;
  scenes: Scenes;
}

export interface Stage {
  readonly provider: AdapterHost["provider"];
  readonly scene: Scene & Partial<RefusingScene>;
  readonly clock: SceneClock;
  readonly credentials: AdapterDescription["credentials"];
  adapter: ProviderAdapter;
  /** Replaces the adapter with a new one, as after a restart: what the old one had in memory is lost. */
  restart(): Promise<void>;
  /** Frozen, and adapted to the scene. As many as fit one send, at most `most`. */
  documents(most: number): OutgoingDocument[];
  /**
   * Calls the adapter, with its own call context. Fails if it throws, takes too long, records no evidence or
   * reveals a secret.
   */
  ask<T>(what: string, question: (call: CallContext) => Promise<T>, limits?: Limits): Promise<T>;
}

export interface Limits {
  signal?: AbortSignal;
  msMax?: number;
}

export async function withStage(
  description: AdapterDescription,
  open: (clock: SceneClock) => Promise<Scene>,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const clock = createClock(() => NOW_MS);
  const scene = await open(clock);
  const exchange = createExchange();
  // A failure of `run` is reported rather than a failure of closing.
  const [ran] = await Promise.allSettled([openStage(description, { clock, scene, exchange }).then(run)]);
  const [closed] = await Promise.allSettled([exchange.close().then(() => scene.close())]);
  if (ran.status === "rejected") throw ran.reason;
  if (closed.status === "rejected") throw closed.reason;
}

async function openStage(
  { provider = "provider_b", credentials, createAdapter }: AdapterDescription,
  { clock, scene, exchange }: { clock: SceneClock; scene: Scene; exchange: Exchange },
): Promise<Stage> {
  const host = { provider, exchange, today: () => clock.today(), contractVersion: 1 as const };
  const create = async () => createAdapter(host, scene);
  const stage: Stage = {
    provider,
    scene,
    clock,
    credentials,
    adapter: await create(),
    async restart() {
      stage.adapter = await create();
    },
    documents(most) {
      const { numbering, issueBatchMax } = stage.adapter;
      return Array.from({ length: Math.min(most, issueBatchMax) }, () => {
        const sample = buildSample(numbering, clock);
        return freeze(scene.adapt?.(sample) ?? sample);
      });
    },
    ask: (what, question, limits = {}) => ask(stage, { what, question, limits }),
  };
  return stage;
}

async function ask<T>(
  { scene, clock, credentials }: Stage,
  asked: { what: string; question: (call: CallContext) => Promise<T>; limits: Limits },
): Promise<T> {
  const { what, question, limits } = asked;
  const { signal = new AbortController().signal, msMax = OPERATION_MS_MAX } = limits;
  const call = createTestCall({ credentials, clock, signal });
  const before = await scene.requests();
  const answer = await limitTime(what, msMax, () => question(call.context));
  call.assertRecorded((await scene.requests()) - before);
  call.assertFreeOfSecrets(answer, `the outcome of ${what}`);
  return answer;
}

const LATE = Symbol();

/** Reports a throw as a violation of the contract, which allows none for anything a network or a provider does. */
async function limitTime<T>(what: string, msMax: number, question: () => Promise<T>): Promise<T> {
  const asked = (async () => question())().catch((cause: unknown) => {
    throw new Error(`${what} threw, which the contract forbids: ${String(cause)}`, { cause });
  });
  const ended = new AbortController();
  // The timer keeps the process alive: an adapter that waits for nothing would otherwise end it without a failure.
  const late = setTimeout(msMax, LATE, { signal: ended.signal });
  try {
    const answer = await Promise.race([asked, late]);
    if (answer !== LATE) return answer;
    throw new assert.AssertionError({ message: `${what} did not end within ${msMax} ms` });
  } finally {
    ended.abort();
  }
}

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
