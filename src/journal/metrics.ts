/**
 * Collects the metrics of `/metrics` in Prometheus's text format (docs/watching.md): counters and durations as work finishes, and
 * queue lengths on each request. The library is loaded when the metrics are first used.
 */
import { statSync } from "node:fs";
import type { Counter, Gauge, Histogram } from "prom-client";
import { DOCUMENT_STAGES, MODES } from "../../storage/stored-values.ts";
import { countPendingDocuments, countWaitingDeliveries } from "../../storage/upkeep/diagnosis.ts";
import type { Context, Recorder } from "./context.ts";
import { isHeld, readBackupState } from "./held.ts";
import { API_VERSION } from "../foundation/wire.ts";

export interface Metrics extends Recorder {
  contentType: string;
  /** The response of `/metrics`. Throws storage errors. */
  text(): Promise<string>;
}

/** Seconds: an API request takes milliseconds, a provider call up to half a minute. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const CALL_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

type Library = typeof import("prom-client");
type Registers = [InstanceType<Library["Registry"]>];

/** Gauges of prom-client with the names of counters, which `promtool check metrics` rejects. Their values exist per kind as well. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

export async function createMetrics(context: Context): Promise<Metrics> {
  const { default: library } = await import("prom-client");
  const registry = new library.Registry();
  library.collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const registers: Registers = [registry];
  new library.Gauge({
    name: "fiscal_build_info",
    help: "1, with the version of the API and of Node",
    labelNames: ["version", "node"],
    registers,
  }).set({ version: API_VERSION, node: process.version }, 1);
  const counters = defineCounters(library, registers);
  const gauges = defineGauges(library, registers);
  return {
    ...recordInto(counters),
    contentType: registry.contentType,
    async text() {
      await measure(context, gauges);
      return registry.metrics();
    },
  };
}

interface Counters {
  requests: Counter;
  requestSeconds: Histogram;
  documents: Counter;
  calls: Counter;
  callSeconds: Histogram;
  attempts: Counter;
}

function defineCounters({ Counter, Histogram }: Library, registers: Registers): Counters {
  return {
    requests: new Counter({
      name: "fiscal_http_requests_total",
      help: "API requests answered",
      labelNames: ["operation", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "fiscal_http_request_duration_seconds",
      help: "Time from the headers of an API request to its response",
      labelNames: ["operation"],
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    documents: new Counter({
      name: "fiscal_documents_total",
      help: "Documents that this process accepted or made final",
      labelNames: ["status", "provider", "mode"],
      registers,
    }),
    calls: new Counter({
      name: "fiscal_provider_calls_total",
      help: "Provider calls by outcome",
      labelNames: ["provider", "operation", "outcome"],
      registers,
    }),
    callSeconds: new Histogram({
      name: "fiscal_provider_call_duration_seconds",
      help: "Duration of provider calls",
      labelNames: ["provider", "operation"],
      buckets: CALL_BUCKETS,
      registers,
    }),
    attempts: new Counter({
      name: "fiscal_webhook_attempts_total",
      help: "Delivery attempts by the status of the delivery afterwards; pending ones are retried",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

interface Gauges {
  pending: Gauge;
  pendingAge: Gauge;
  deliveries: Gauge;
  overdue: Gauge;
  size: Gauge;
  held: Gauge;
  backup: Gauge;
}

function defineGauges({ Gauge }: Library, registers: Registers): Gauges {
  return {
    pending: new Gauge({
      name: "fiscal_documents_pending",
      help: "Documents without an outcome, up to 10000 per mode",
      labelNames: ["mode", "stage"],
      registers,
    }),
    pendingAge: new Gauge({
      name: "fiscal_documents_pending_age_seconds",
      help: "Age of the oldest document without an outcome; 0 if there is none",
      labelNames: ["mode"],
      registers,
    }),
    deliveries: new Gauge({
      name: "fiscal_webhook_deliveries_waiting",
      help: "Deliveries waiting for an attempt, up to 10000",
      registers,
    }),
    overdue: new Gauge({
      name: "fiscal_webhook_deliveries_overdue_seconds",
      help: "How long the most overdue delivery has been due; 0 if none is",
      registers,
    }),
    size: new Gauge({
      name: "fiscal_database_size_bytes",
      help: "Size of the database and its write-ahead log",
      labelNames: ["file"],
      registers,
    }),
    held: new Gauge({
      name: "fiscal_appliance_held",
      help: "1 from a restore until the appliance is resumed, while nothing is accepted or sent",
      registers,
    }),
    backup: new Gauge({
      name: "fiscal_backup_timestamp_seconds",
      help: "Time of the last scheduled backup, or of the start of the schedule before the first; 0 without a schedule",
      registers,
    }),
  };
}

function recordInto(counters: Counters): Recorder {
  return {
    request({ operation, status, durationMs }) {
      const label = operation ?? "none";
      counters.requests.inc({ operation: label, status });
      counters.requestSeconds.observe({ operation: label }, durationMs / 1000);
    },
    call({ provider, operation, outcome, durationMs }) {
      counters.calls.inc({ provider, operation, outcome });
      counters.callSeconds.observe({ provider, operation }, durationMs / 1000);
    },
    document: ({ status, provider, mode }) => counters.documents.inc({ status, provider, mode }),
    attempt: ({ outcome }) => counters.attempts.inc({ outcome }),
  };
}

/** Sets the gauges to the current state. */
async function measure({ store, clock, config }: Context, gauges: Gauges): Promise<void> {
  const nowMs = clock.nowMs();
  const secondsSince = (instant: string) => Math.max(0, (nowMs - Date.parse(instant)) / 1000);
  for (const mode of MODES) {
    for (const stage of DOCUMENT_STAGES) gauges.pending.set({ mode, stage }, 0);
    let age = 0;
    for (const { stage, documents, oldest } of await countPendingDocuments(store.read, mode)) {
      gauges.pending.set({ mode, stage }, documents);
      age = Math.max(age, secondsSince(oldest));
    }
    gauges.pendingAge.set({ mode }, age);
  }
  const { deliveries, earliest } = await countWaitingDeliveries(store.read);
  gauges.deliveries.set(deliveries);
  gauges.overdue.set(earliest === null ? 0 : secondsSince(earliest));
  gauges.held.set((await isHeld(store.read)) ? 1 : 0);
  const { since, done = since } = await readBackupState(store.read);
  const isScheduled = config.backup.schedule !== "" && done !== undefined;
  gauges.backup.set(isScheduled ? Date.parse(done) / 1000 : 0);
  const file = config.storage.database;
  gauges.size.set({ file: "database" }, sizeOf(file));
  gauges.size.set({ file: "wal" }, sizeOf(`${file}-wal`));
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
