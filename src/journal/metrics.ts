/** Collects the metrics of `/metrics` (docs/watching.md): counters as work finishes, and queue lengths on each request. */
import { statSync } from "node:fs";
import type { Gauge } from "prom-client";
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
  const gauges = defineGauges(library, registers);
  return {
    ...createRecorder(library, registers),
    contentType: registry.contentType,
    async text() {
      await measure(context, gauges);
      return registry.metrics();
    },
  };
}

/** Defines the counters and durations, and records into them. */
function createRecorder({ Counter, Histogram }: Library, registers: Registers): Recorder {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const requests = counter("fiscal_http_requests_total", "API requests answered", "operation", "status");
  const requestSeconds = new Histogram({
    name: "fiscal_http_request_duration_seconds",
    help: "Time from the headers of an API request to its response",
    labelNames: ["operation"],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const documents = counter(
    "fiscal_documents_total",
    "Documents that this process accepted or made final",
    "status",
    "provider",
    "mode",
  );
  const calls = counter(
    "fiscal_provider_calls_total",
    "Provider calls by outcome",
    "provider",
    "operation",
    "outcome",
  );
  const callSeconds = new Histogram({
    name: "fiscal_provider_call_duration_seconds",
    help: "Duration of provider calls",
    labelNames: ["provider", "operation"],
    buckets: CALL_BUCKETS,
    registers,
  });
  const attempts = counter(
    "fiscal_webhook_attempts_total",
    "Delivery attempts by the status of the delivery afterwards; pending ones are retried",
    "outcome",
  );
  return {
    request({ operation, status, durationMs }) {
      const label = operation ?? "none";
      requests.inc({ operation: label, status });
      requestSeconds.observe({ operation: label }, durationMs / 1000);
    },
    call({ provider, operation, outcome, durationMs }) {
      calls.inc({ provider, operation, outcome });
      callSeconds.observe({ provider, operation }, durationMs / 1000);
    },
    document: ({ status, provider, mode }) => documents.inc({ status, provider, mode }),
    attempt: ({ outcome }) => attempts.inc({ outcome }),
  };
}

/** The gauges, each with its help and labels. */
const GAUGES = {
  pending: [
    "fiscal_documents_pending",
    "Documents without an outcome, up to 10000 per mode",
    "mode",
    "stage",
  ],
  pendingAge: [
    "fiscal_documents_pending_age_seconds",
    "Age of the oldest document without an outcome; 0 if there is none",
    "mode",
  ],
  deliveries: ["fiscal_webhook_deliveries_waiting", "Deliveries waiting for an attempt, up to 10000"],
  overdue: [
    "fiscal_webhook_deliveries_overdue_seconds",
    "How long the most overdue delivery has been due; 0 if none is",
  ],
  size: ["fiscal_database_size_bytes", "Size of the database and its write-ahead log", "file"],
  held: [
    "fiscal_appliance_held",
    "1 from a restore until the appliance is resumed, while nothing is accepted or sent",
  ],
  backup: [
    "fiscal_backup_timestamp_seconds",
    "Time of the last scheduled backup, or of the start of the schedule before the first; 0 without a schedule",
  ],
} as const;
type Gauges = Record<keyof typeof GAUGES, Gauge>;

function defineGauges({ Gauge }: Library, registers: Registers): Gauges {
  const gauges = Object.entries(GAUGES).map(([key, [name, help, ...labelNames]]) => [
    key,
    new Gauge({ name, help, labelNames, registers }),
  ]);
  return Object.fromEntries(gauges) as Gauges;
}

/** Sets the gauges to the current state. */
async function measure({ store, clock, config }: Context, gauges: Gauges): Promise<void> {
  const nowMs = clock.nowMs();
  const secondsSince = (instant: string) => Math.max(0, (nowMs - Date.parse(instant)) / 1000);
  for (const mode of MODES) {
    for (const stage of DOCUMENT_STAGES) gauges.pending.set({ mode, stage }, 0);
    let age = 0;
    for (const { stage, documents, oldest } of await countPendingDocuments(store.read, { mode })) {
      gauges.pending.set({ mode, stage }, documents);
      age = Math.max(age, secondsSince(oldest));
    }
    gauges.pendingAge.set({ mode }, age);
  }
  const { deliveries, earliest } = (await countWaitingDeliveries(store.read))!;
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
