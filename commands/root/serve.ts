/** `fiscal serve`: the HTTP server and the background work, until it is told to stop. */
import { join } from "node:path";
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import { AppError, ConfigurationError } from "../../src/foundation/errors.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { listenForInterrupt, mannersOf, say } from "../io.ts";
import { integer, withExample } from "../options.ts";
import { printJson } from "../ui/json.ts";

interface ServeOptions {
  host?: string;
  port?: number;
  socket?: string;
  tlsCert?: string;
  tlsKey?: string;
}

/** 0 lets the system choose a free one. */
const PORT_MAX = 65_535;

export function defineServe(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--host <address>", "address to listen on (default 127.0.0.1)")
      .option(
        "--port <port>",
        "port to listen on (default 8787); 0 takes a free one",
        integer("--port", 0, PORT_MAX),
      )
      .option("--socket <path>", "socket file to listen on in place of an address and a port")
      .option("--tls-cert <file>", "certificate in PEM, with its chain: speaks https")
      .option("--tls-key <file>", "its private key in PEM")
      .action((options: ServeOptions) => context.end(runServe(context, options))),
    "fiscal --data-dir ./data serve --port 8787  # runs until Ctrl-C",
  );
}

/**
 * The first SIGINT or SIGTERM stops it: no new requests, those under way are answered, claimed documents are finished,
 * all within `server.shutdown_seconds`. A second one ends the process at once.
 */
async function runServe(context: CommandContext, options: ServeOptions): Promise<ExitCode> {
  const { io } = context;
  if (options.socket !== undefined && (options.host !== undefined || options.port !== undefined))
    throw new UsageError("--socket and --host or --port contradict each other; give the one or the other");
  const config = await context.configuration({ overrides: { server: options } });
  const { createServiceLog } = await import("../ui/service-log.ts");
  const { describeConfig } = await import("../../src/config/config.ts");
  const { createServer } = await import("../../server/listen.ts");
  const { createBackupRunner } = await import("./backup-runner.ts");
  const { quiet } = mannersOf(io);
  const log = createServiceLog(quiet ? { ...config.log, level: "error" } : config.log, io.stderr);
  const { preparePlace } = await import("../../src/journal/disk/prepare-folder.ts");
  const { findServers, holdServing } = await import("../../src/upkeep/disk/disk-serving.ts");
  const { database } = config.storage;
  preparePlace(database);
  const others = findServers(database);
  const serving = holdServing(database, new Date().toISOString());
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance) => {
      log.info({ version: io.version, settings: describeConfig(config) }, "starting");
      // Documents and deliveries are shared out; what a process counts for itself is not.
      if (others.length > 0)
        log.info({ others }, "other servers work on this database: limits of rates hold for each of them");
      await requireWritable(appliance);
      const server = createServer(appliance, join(io.packageRoot, "dist", "pages"));
      const { url } = await server.start();
      serving.listensAt(url);
      // A terminal that is closed ends the program; a service has none, and is told so to read its certificate again.
      const followsHangup = config.server.tls !== null && io.stdin.isTTY !== true;
      const deafen = followsHangup ? io.onHangup?.(() => server.reload()) : undefined;
      await appliance.startScheduler({ webhooks: true, backUp: createBackupRunner(context) });
      if (context.options.json === true) await printJson(io.stdout, { url });
      else await say(io, `fiscal listens on ${url}`);
      log.info({ url }, "listening");
      // After the first requests can be taken: the library of the metrics is no part of a quick start.
      await appliance.metrics();
      await abortOf(interrupt.signal);
      deafen?.();
      log.info({ deadline_seconds: config.server.shutdownSeconds }, "stopping");
      // Side by side, so that one deadline holds for both.
      await Promise.all([server.stop(), appliance.finish(config.server.shutdownSeconds * 1000)]);
    }, log);
    log.info({}, "stopped");
    return EXIT.done;
  } finally {
    serving.release();
    interrupt.dispose();
  }
}

/** A server that can write nothing is of no use: what it was started for shows at its start, not at its first document. */
async function requireWritable(appliance: Appliance): Promise<void> {
  try {
    await appliance.store.probe();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new ConfigurationError(`The server does not start: ${error.message}`, { cause: error });
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
