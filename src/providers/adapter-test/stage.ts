/** One scene with its adapter. Every question to the adapter goes through here and is checked against the rules for all. */
import assert from "node:assert/strict";
import { createClock } from "../../foundation/clock.ts";
import type { CallContext, OutgoingDocument, ProviderAdapter } from "../../domain/provider-adapter.ts";
import type { CreateAdapter } from "../contract.ts";
import { createExchange, type Exchange } from "../exchange.ts";
import { createTestCall } from "./evidence.ts";
import { buildSample, freeze } from "./samples.ts";
import type { Scene, SceneClock, RefusingScene, SceneName } from "./scenes.ts";

/** 14:00 in Athens: the same day in nearly every time zone of a test machine. */
const NOW_MS = Date.parse("2026-11-02T12:00:00.000Z");

/** An adapter that takes longer with a local fake is waiting for something that never comes. */
const OPERATION_MS_MAX = 10_000;

/** After an abort. A process that is shutting down has little more time. */
export const ABORT_MS_MAX = 1_000;

export interface StageOptions {
  provider: Parameters<CreateAdapter>[0]["provider"];
  credentials: Readonly<Record<string, string>> | null;
  createAdapter(host: Parameters<CreateAdapter>[0], scene: Scene): ProviderAdapter | Promise<ProviderAdapter>;
}

export interface Stage<Opened extends Scene = Scene> {
  readonly scene: Opened;
  readonly clock: SceneClock;
  readonly credentials: StageOptions["credentials"];
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

export async function withStage<Opened extends Scene>(
  options: StageOptions,
  open: (clock: SceneClock) => Promise<Opened>,
  run: (stage: Stage<Opened>) => Promise<void>,
): Promise<void> {
  const clock = createClock(() => NOW_MS);
  const scene = await open(clock);
  const exchange = createExchange();
  // A failure of `run` is reported rather than a failure of closing.
  const [ran] = await Promise.allSettled([runOn(options, { clock, scene, exchange }, run)]);
  const [closed] = await Promise.allSettled([exchange.close().then(() => scene.close())]);
  if (ran.status === "rejected") throw ran.reason;
  if (closed.status === "rejected") throw closed.reason;
}

async function runOn<Opened extends Scene>(
  options: StageOptions,
  { clock, scene, exchange }: { clock: SceneClock; scene: Opened; exchange: Exchange },
  run: (stage: Stage<Opened>) => Promise<void>,
): Promise<void> {
  const { provider, credentials } = options;
  const host = { provider, exchange, today: () => clock.today(), contractVersion: 1 as const };
  const create = async () => options.createAdapter(host, scene);
  const stage: Stage<Opened> = {
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
  await run(stage);
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

/** Reports a throw as a violation of the contract, which allows none for anything a network or a provider does. */
async function limitTime<T>(what: string, msMax: number, question: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new assert.AssertionError({ message: `${what} did not end within ${msMax} ms` });
    timer = setTimeout(() => reject(error), msMax);
  });
  const asked = (async () => question())().catch((cause: unknown) => {
    throw new Error(`${what} threw, which the contract forbids: ${String(cause)}`, { cause });
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}

export type Trial =
  | {
      name: string;
      /** `registering` means `issues` or, if the provider does not have that scene, `accepts`. */
      scene: Exclude<SceneName, "rejects"> | "registering";
      run(stage: Stage<Scene>, options: StageOptions): Promise<void>;
    }
  | { name: string; scene: "rejects"; run(stage: Stage<RefusingScene>): Promise<void> };
