/** The readiness and the metrics of a server with several workers. */
import type { Appliance } from "../../src/appliance.ts";
import { countsOf, type MetricValues } from "../../src/journal/metrics.ts";
import type { Readiness } from "../../src/upkeep/readiness.ts";
import type { Together } from "../together.ts";
import type { Channel } from "./channel.ts";

export interface State extends Pick<Together, "ready" | "metrics"> {
  /** The worker has ended. What it counted remains in the sums. */
  forget(channel: Channel): void;
}

/** A worker that does not answer within this time is not ready. */
const ANSWER_MS = 2000;

/** More are added up, so that they take no memory. */
const ENDED_MAX = 8;

export function createState(
  appliance: Appliance,
  channels: () => readonly Channel[],
  missing: () => number,
): State {
  const collected = new Map<Channel, MetricValues[]>();
  /** The counts of ended workers, as far as they were collected: a sum that shrinks would look like a restart. */
  let ended: MetricValues[][] = [];

  async function check(): Promise<Readiness> {
    const asked = channels().map((channel) => within(ANSWER_MS, channel.ask("check", null)));
    const [own, ...answers] = await Promise.all([appliance.ready(), ...asked]);
    const found = answers.filter((answer) => answer !== undefined);
    const workers = missing() === 0 && found.length === answers.length;
    const all = [own, ...found];
    const checks = Object.keys(own.checks).map(
      (name) => [name, all.every((readiness) => readiness.checks[name] === true)] as const,
    );
    return {
      ready: workers && all.every(({ ready }) => ready),
      checks: { ...Object.fromEntries(checks), workers },
    };
  }

  async function collect(channel: Channel): Promise<void> {
    const values = await within(ANSWER_MS, channel.ask("collect", null));
    if (values !== undefined && channels().includes(channel)) collected.set(channel, values);
  }

  async function gather(): Promise<{ contentType: string; text: string }> {
    const { contentType, text, sum } = await appliance.metrics();
    await Promise.all(channels().map(collect));
    const { length } = ended;
    if (length > ENDED_MAX) ended = [await sum(ended), ...ended.slice(length)];
    return { contentType, text: await text([...ended, ...collected.values()]) };
  }

  return {
    ready: shared(check),
    metrics: shared(gather),
    forget(channel) {
      ended.push(countsOf(collected.get(channel) ?? []));
      collected.delete(channel);
    },
  };
}

/** Calls while `work` runs get its result. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/** The answer; undefined if there is none in time. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms).unref();
  });
  try {
    return await Promise.race([answer, late]);
  } catch {
    // The worker has ended, which the crew notices.
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
