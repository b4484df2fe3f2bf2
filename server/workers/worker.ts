/** A worker: answers requests on connections that the main process accepted, and leaves issuing and webhooks to that process. */
import type { Appliance, ApplianceOptions } from "../../src/appliance.ts";
import type { Config } from "../../src/config/config.ts";
import { UnavailableDatabaseError } from "../../storage/database/errors.ts";
import { limitsOf, type Windows } from "../limits.ts";
import type { Together } from "../together.ts";
import { type Channel, createChannel, type Port } from "./channel.ts";
import { createForwarding } from "./forward.ts";
import type { News } from "./messages.ts";
import { createReceiver, type Receiver } from "./receiver.ts";

export interface WorkerOptions {
  port: Port;
  viewerFolder: string;
  /** Opens the appliance with `parts`. */
  open(start: News<"start">, parts: Pick<ApplianceOptions, "wakeIssuing" | "takeTurn">): Promise<Appliance>;
}

/** Resolves when the main process has stopped this worker, and everything is answered and closed. */
export async function serveAsWorker({ port, viewerFolder, open }: WorkerOptions): Promise<void> {
  const start = Promise.withResolvers<News<"start">>();
  const stop = Promise.withResolvers<null>();
  let appliance: Appliance | undefined;
  let receiver: Receiver | undefined;
  const channel = createChannel(port, {
    news: {
      start: start.resolve,
      connection({ id, isSurplus }, socket) {
        // The client has gone already.
        if (socket === undefined) return channel.tell("closed", id);
        channel.tell("taken", id);
        socket.once("close", () => channel.tell("closed", id));
        receiver!.receive(socket, isSurplus);
      },
      reload: () => receiver?.reload(),
      stop: stop.resolve,
    },
    questions: {
      check: () => appliance!.ready(),
      collect: async () => (await appliance!.metrics()).values(),
    },
  });
  const started = await start.promise;
  appliance = await open(started, {
    wakeIssuing: oncePerTurn(() => channel.tell("wake", "issuing")),
    takeTurn: () => takeTurn(channel),
  });
  appliance.setPublicUrl(started.publicUrl);
  appliance.store.onNews(
    "deliveries",
    oncePerTurn(() => channel.tell("wake", "webhooks")),
  );
  // Counts from the first request on.
  await appliance.metrics();
  receiver = createReceiver(appliance, viewerFolder, togetherOver(channel, started.config));
  channel.tell("ready", null);
  await stop.promise;
  await receiver.stop();
  await appliance.stop(started.config.server.shutdownSeconds * 1000);
  channel.close();
}

const NOT_COUNTED = {
  en: "the main process could not count a request there",
  el: "η κύρια διεργασία δεν μπόρεσε να μετρήσει εκεί ένα αίτημα",
};

function togetherOver(channel: Channel, config: Config): Together {
  const limits = limitsOf(config);
  const windows: Windows = {
    count(window, key) {
      const [limit] = limits[window];
      return limit === 0 ? undefined : count();
      async function count() {
        const counted = await channel.ask("count", { window, key });
        if (counted === "unavailable") throw new UnavailableDatabaseError(NOT_COUNTED);
        return counted ?? undefined;
      }
    },
  };
  return {
    windows,
    ready: () => channel.ask("readiness", null),
    metrics: () => channel.ask("metrics", null),
    serveUpload: createForwarding(channel),
  };
}

async function takeTurn(channel: Channel): Promise<() => void> {
  try {
    await channel.ask("turn", null);
  } catch {
    // The main process has ended, and this one is about to: the lock of the database is enough.
  }
  return () => channel.tell("written", null);
}

/** Calls `tell` once, however often it is called in one turn of the event loop. */
function oncePerTurn(tell: () => void): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    setImmediate(() => {
      isTold = false;
    });
    tell();
  };
}
