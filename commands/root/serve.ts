/** `fiscal serve`: runs the HTTP server and the background work until it is stopped. */
import { once } from "node:events";
import { join } from "node:path";
import { Option } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import { SELF_SIGNED } from "../../src/config/config.ts";
import { AppError, ConfigurationError } from "../../src/foundation/errors.ts";
import { EXIT, UsageError } from "../exit.ts";
import { interruptible, outputSettingsOf } from "../io.ts";
import { contradiction, integer, UNTIL_INTERRUPTED } from "../options.ts";
import { createServiceLog } from "../ui/log.ts";
import { isAtTerminal, printStart } from "./serve-start.ts";
import { type Define, verb } from "../define.ts";

const PORT_MAX = 65_535;

/** The flags of settings, by which messages name where a wrong value comes from. */
const FLAGS = {
  "server.host": "--host",
  "server.port": "--port",
  "server.socket": "--socket",
  "server.tls_cert_file": "--tls-cert",
  "server.tls_key_file": "--tls-key",
};

export const defineServe: Define = (command, context) => {
  defineOwn(command, context);
  command.addOption(new Option("--workers [count]").hideHelp()).on("option:workers", () => {
    throw new UsageError(NO_WORKERS);
  });
};

/** Service files may still have the flag. */
const NO_WORKERS = {
  en: "There is no --workers: a server is one process. Omit it; several servers may run on one PostgreSQL database (docs/postgres.md)",
  el: "Δεν υπάρχει --workers: ένας διακομιστής είναι μία διεργασία. Παραλείψτε το· σε μία βάση PostgreSQL μπορούν να τρέχουν πολλοί διακομιστές (docs/postgres.md)",
};

const defineOwn = verb({
  flags: {
    "--host <address>": {
      en: "address to listen on (default 127.0.0.1)",
      el: "διεύθυνση όπου ακούει (αν λείπει: 127.0.0.1)",
    },
    "--port <port>": {
      en: "port to listen on (default 8787); 0 chooses a free one",
      el: "θύρα όπου ακούει (αν λείπει: 8787)· με 0 παίρνει μια ελεύθερη",
      read: integer(0, PORT_MAX),
    },
    "--socket <path>": {
      en: "socket file to listen on instead of an address and a port",
      el: "αρχείο socket όπου ακούει, στη θέση διεύθυνσης και θύρας",
    },
    "--tls-cert <file>": {
      en: "certificate in PEM with its chain, to serve https",
      el: "πιστοποιητικό σε PEM, μαζί με την αλυσίδα του: μιλά https",
    },
    "--tls-key <file>": { en: "its private key in PEM", el: "το ιδιωτικό κλειδί του σε PEM" },
    "--https": {
      en: "serve https with a certificate made for this run, on your own machine",
      el: "μιλά https με πιστοποιητικό που φτιάχνεται για αυτή την εκτέλεση, στον δικό σας υπολογιστή",
    },
    "--open": {
      en: "open the console's sign-in link in the browser",
      el: "ανοίγει στον φυλλομετρητή τον σύνδεσμο εισόδου της κονσόλας",
    },
    "--qr": {
      en: "print the console's address on the network as a QR code, for a phone",
      el: "τυπώνει τη διεύθυνση της κονσόλας στο δίκτυο ως κωδικό QR, για κινητό",
    },
  },
  examples: [
    {
      line: "fiscal --data-dir ./data serve --port 8787",
      note: UNTIL_INTERRUPTED,
    },
  ],
  makesDatabase: true,
  fields: ["url"],
  /**
   * Runs until the first SIGINT or SIGTERM. It then takes no new requests, answers those in progress and finishes claimed
   * documents, all within `server.shutdown_seconds`. A second signal ends the process at once.
   */
  async run(context, options) {
    const { io } = context;
    if (options.socket !== undefined && (options.host !== undefined || options.port !== undefined))
      throw contradiction("--socket", options.host === undefined ? "--port" : "--host");
    const { open: isOpened = false, qr: hasQr = false, https, host, port, socket, tlsCert, tlsKey } = options;
    const hasAddress = host !== undefined || port !== undefined;
    const values = {
      "server.host": host,
      "server.port": port,
      // An address on the command line disables a configured socket file.
      "server.socket": socket ?? (hasAddress ? "" : undefined),
      "server.tls_cert_file": tlsCert,
      "server.tls_key_file": tlsKey,
    };
    const config = await context.configuration({ overrides: { values, flags: FLAGS, https } });
    if ((isOpened || hasQr) && config.server.socket !== null) {
      const flag = isOpened ? "--open" : "--qr";
      throw new UsageError({
        en: `${flag} needs an address that a browser can reach: omit --socket and server.socket`,
        el: `η ${flag} χρειάζεται διεύθυνση που φτάνει ο φυλλομετρητής: παραλείψτε τα --socket και server.socket`,
      });
    }
    const { describeConfig } = await import("../../src/config/config.ts");
    const { createBackupRunner, createDoctorRunner } = await import("./child-commands.ts");
    const { quiet, language } = outputSettingsOf(io);
    const logging = quiet ? { ...config.log, level: "error" as const } : config.log;
    const log = await createServiceLog(logging, io.stderr);
    // At a terminal `printStart` says the same in sentences.
    const started = isAtTerminal(io) && config.log.format === "auto" ? log.debug : log.info;
    const { preparePlace } = await import("../../src/journal/disk/file-system.ts");
    const { findServers, recordServing } = await import("../../src/upkeep/servers.ts");
    const { database } = config.storage;
    preparePlace(database);
    const others = findServers(database);
    const serving = recordServing(database, new Date().toISOString());
    const serve = async (signal: AbortSignal) => {
      const { createServer } = await import("../../server/listen.ts");
      await context.withAppliance(async (appliance, mode) => {
        started({ version: io.version, settings: describeConfig(config) }, "starting");
        if (others.length > 0) log.info({ others }, describeOthers(appliance));
        const server = createServer(appliance, join(io.packageRoot, "dist", "pages"));
        try {
          // Without a terminal SIGHUP is the usual request to reload, here the certificate; on one it means that it was closed.
          const { tls } = config.server;
          const reloadsOnHangup = tls !== null && tls !== SELF_SIGNED && io.stdin.isTTY !== true;
          const ignoreHangup = reloadsOnHangup ? io.onHangup?.(() => server.reload()) : undefined;
          const { url } = await starting(async () => {
            // Fails now, not at the first document, if the database cannot be written.
            await appliance.store.probe();
            const listening = await server.start();
            serving.noteUrl(listening.url);
            await appliance.startScheduler({
              webhooks: true,
              backUp: createBackupRunner(context),
              alerting: { diagnose: createDoctorRunner(context), language },
            });
            await printStart(context, appliance, mode, { ...listening, isOpened, hasQr });
            return listening;
          });
          started({ url }, "listening");
          // Loading the metrics library would delay the first request.
          await appliance.metrics();
          if (!signal.aborted) await once(signal, "abort");
          ignoreHangup?.();
          log.info({ deadline_seconds: config.server.shutdownSeconds }, "stopping");
        } finally {
          // Also after a failed start, so that the process ends. In parallel, so that one deadline covers both.
          await Promise.all([server.stop(), appliance.finish(config.server.shutdownSeconds * 1000)]);
        }
      }, log);
    };
    try {
      await interruptible(io, serve);
      log.info({}, "stopped");
      return EXIT.done;
    } finally {
      serving.release();
    }
  },
});

/** The servers share documents and deliveries; whether they count requests together depends on the database. */
function describeOthers({ store }: Appliance): string {
  const limits =
    store.counters === undefined ? "rate limits apply to each server separately" : "rate limits are shared";
  return `other servers use this database: ${limits}`;
}

/** Returns what `start` returns. A database that cannot be written is a reason not to start, not one to send a request again. */
async function starting<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const reason = error.text;
    throw new ConfigurationError(
      {
        en: `The server does not start: ${reason.en}`,
        el: `Ο διακομιστής δεν ξεκινά: ${reason.el}`,
      },
      { cause: error },
    );
  }
}
