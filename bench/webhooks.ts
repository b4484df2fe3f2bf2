/**
 * Measures webhook deliveries to a receiver on this machine with 1, 16 and 64 in flight, compared with a bare durable
 * outbox.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Appliance, openAppliance } from "../src/appliance.ts";
import { loadConfig } from "../src/config/config.ts";
import { listEvents } from "../src/journal/list-events.ts";
import { createMerchant } from "../src/merchants/merchants.ts";
import { createWebhookEndpoint } from "../src/webhooks/endpoints.ts";
import { median, ratio, report, withFolder } from "./measure.ts";
import { deliverBare } from "./reference/outbox.ts";

const DELIVERIES = 3_200;
const ROUNDS = 3;
/** A single endpoint never gets all slots, so the requested number in flight needs several. */
const IN_FLIGHT_AN_ENDPOINT = 4;
const CAUSE = { mode: "test" as const, requestId: null, idempotencyKey: null };

interface Receiver {
  url: string;
  /** Milliseconds from the first delivery to the last, once all have arrived. */
  elapsedMs: Promise<number>;
  stop(): Promise<void>;
}

async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(join(import.meta.dirname, "webhook-receiver.ts"), [String(DELIVERIES)]);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const elapsedMs = once(child, "message").then(([message]) => (message as { elapsedMs: number }).elapsedMs);
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    elapsedMs,
    async stop() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function open(folder: string, inFlight: number): Promise<Appliance> {
  const env = {
    HOME: folder,
    FISCAL_DATA_DIR: join(folder, "data"),
    FISCAL_WEBHOOKS__CONCURRENCY: String(inFlight),
  };
  const complain = (fields: Record<string, unknown>, message: string) =>
    void process.stderr.write(`${message} ${JSON.stringify(fields)}\n`);
  const log = { debug() {}, info() {}, warn: complain, error: complain };
  return openAppliance({ config: loadConfig({ env, cwd: folder, flags: {} }), log });
}

/** Creates events as large as a document's (1.3 KB of JSON), with one delivery per endpoint. */
async function queueDeliveries(appliance: Appliance, url: string, endpoints: number): Promise<void> {
  for (let count = 0; count < endpoints; count += 1)
    await createWebhookEndpoint(appliance, { url, enabled_events: ["merchant.created"] }, CAUSE);
  const metadata = { first: "x".repeat(450), second: "x".repeat(450) };
  await Promise.all(
    Array.from({ length: DELIVERIES / endpoints }, (_none, index) =>
      createMerchant(appliance, { external_id: `m-${index}`, name: "Μέτρηση", metadata }, CAUSE),
    ),
  );
}

interface Round {
  ours: number;
  bare: number;
}

/** Deliveries per second of both, one right after the other, each with its own receiver. */
async function round(inFlight: number): Promise<Round> {
  return withFolder(async (folder) => {
    const appliance = await open(folder, inFlight);
    const receiver = await startReceiver();
    const endpoints = Math.max(1, inFlight / IN_FLIGHT_AN_ENDPOINT);
    await queueDeliveries(appliance, receiver.url, endpoints);
    const [event] = (await listEvents(appliance, "test", { limit: 1 })).data;
    await appliance.startScheduler({ webhooks: true });
    const oursMs = await receiver.elapsedMs;
    await appliance.stop(0);
    await receiver.stop();
    const other = await startReceiver();
    const bare = { url: other.url, body: JSON.stringify(event), count: DELIVERIES, inFlight };
    await deliverBare(join(folder, "bare.db"), bare);
    const bareMs = await other.elapsedMs;
    await other.stop();
    return { ours: (DELIVERIES / oursMs) * 1000, bare: (DELIVERIES / bareMs) * 1000 };
  });
}

export async function benchWebhooks(): Promise<void> {
  report(
    "Webhook deliveries, signed, with every attempt kept, compared with a bare outbox that only claims, posts and marks",
  );
  for (const inFlight of [1, 16, 64]) {
    const rounds: Round[] = [];
    for (let count = 0; count < ROUNDS; count += 1) rounds.push(await round(inFlight));
    const of = (pick: (one: Round) => number) => median(rounds.map(pick));
    report(
      `  ${String(inFlight).padStart(2)} in flight: ${ratio(of(({ ours, bare }) => ours / bare))} of the bare outbox ` +
        `(${of(({ ours }) => ours).toFixed(0)}/s; bare ${of(({ bare }) => bare).toFixed(0)}/s)`,
    );
  }
}
