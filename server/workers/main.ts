/**
 * The main process of a server with several workers: it accepts connections, keeps what the workers share, and starts them again
 * when they end (docs/decisions/0014). It answers no requests itself, apart from those about uploads.
 */
import type { Server } from "node:http";
import type { Appliance } from "../../src/appliance.ts";
import type { Config } from "../../src/config/config.ts";
import { ConfigurationError } from "../../src/foundation/errors.ts";
import { createApp, type ServerApp } from "../app.ts";
import { UnavailableDatabaseError } from "../../storage/database/errors.ts";
import { createWindows, type Windows } from "../limits.ts";
import { type HttpServer, notePublicUrl, openCertificate, stopListening } from "../listen.ts";
import { openServer } from "../listening/open-server.ts";
import type { Together } from "../together.ts";
import { type Channel, createChannel } from "./channel.ts";
import { createCrew, type Member, WorkerEnded } from "./crew.ts";
import { createDoor } from "./door.ts";
import type { Answer, Asked } from "./messages.ts";
import { respondTo } from "./forward.ts";
import { createState } from "./state.ts";
import type { StartWorker } from "./worker-process.ts";
import type { EndTurn, WriteTurns } from "./write-turns.ts";

export interface MainOptions {
  startWorker: StartWorker;
  /** In which the main process takes its turns too. */
  turns: WriteTurns;
  /** The settings of the workers' log. */
  workerLog: Config["log"];
}

/** Beyond `server.shutdown_seconds`, for a worker that does not end by itself. */
const STOP_GRACE_MS = 5000;
const EXIT_CONFIGURATION = 78;

export function createWorkersServer(
  appliance: Appliance,
  { startWorker, turns, workerLog }: MainOptions,
): Pick<HttpServer, "start" | "reload" | "stop"> {
  const { config, log } = appliance;
  const windows = createWindows(appliance);
  const door = createDoor(appliance);
  const channels = new Set<Channel>();
  const ready = new Set<Channel>();
  const state = createState(
    appliance,
    () => [...ready],
    () => crew.missing(),
  );
  const together: Together = { windows, ready: state.ready, metrics: state.metrics };
  const crew = createCrew({
    count: config.server.workers,
    log,
    startWorker,
    welcome,
    onRestart: () => void appliance.metrics().then((metrics) => metrics.workerRestarted()),
  });
  let app: ServerApp | undefined;
  let listening: Server | undefined;

  function welcome(member: Member): () => void {
    let endTurn: EndTurn | undefined;
    const channel: Channel = createChannel(member.process, {
      news: {
        ready() {
          door.add(taker);
          ready.add(channel);
          crew.ready(member);
        },
        taken: (id) => door.taken(taker, id),
        closed: (id) => door.closed(taker, id),
        wake: (queue) => (queue === "issuing" ? appliance.pokeIssuing() : appliance.pokeWebhooks()),
        written: () => endTurn?.(),
      },
      questions: {
        count: (asked) => countIn(windows, asked),
        async turn() {
          endTurn = await turns.take(member);
          return null;
        },
        readiness: state.ready,
        metrics: state.metrics,
        upload: (asked) => respondTo((app ??= createApp(appliance, undefined, together)).app, asked),
      },
    });
    const taker = { take: channel.give.bind(undefined, "connection") };
    channels.add(channel);
    channel.tell("start", {
      number: member.number,
      config: { ...config, log: workerLog },
      publicUrl: appliance.publicUrl(),
    });
    return () => {
      channels.delete(channel);
      ready.delete(channel);
      channel.close();
      door.remove(taker);
      turns.forget(member);
      state.forget(channel);
    };
  }

  return {
    async start() {
      const { server, url, findNetworkUrls } = await openServer(
        config.server,
        openCertificate(appliance),
        door.watch,
      );
      listening = server;
      notePublicUrl(appliance, server);
      crew.start();
      try {
        await crew.started();
      } catch (error) {
        await stop();
        throw error instanceof WorkerEnded && error.code === EXIT_CONFIGURATION ? notStarted(error) : error;
      }
      return { url, networkUrls: await findNetworkUrls() };
    },
    reload() {
      for (const channel of channels) channel.tell("reload", null);
    },
    stop,
  };

  async function stop(): Promise<void> {
    if (listening !== undefined) void stopListening(listening);
    // Stops Node's timer that looks for slow clients.
    listening?.close();
    door.close();
    for (const channel of channels) channel.tell("stop", null);
    await crew.stop(config.server.shutdownSeconds * 1000 + STOP_GRACE_MS);
  }
}

async function countIn(windows: Windows, { window, key }: Asked<"count">): Promise<Answer<"count">> {
  try {
    return (await windows.count(window, key)) ?? null;
  } catch (error) {
    if (error instanceof UnavailableDatabaseError) return "unavailable";
    throw error;
  }
}

function notStarted(cause: WorkerEnded): ConfigurationError {
  return new ConfigurationError(
    {
      en: "The server does not start: a worker could not; its own message says why",
      el: "Ο διακομιστής δεν ξεκινά: μια διεργασία εξυπηρέτησης δεν μπόρεσε· το δικό της μήνυμα λέει γιατί",
    },
    { cause },
  );
}
