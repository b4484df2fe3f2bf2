/** `fiscal __worker`: a process that `fiscal serve --workers` starts to answer requests. */
import { join } from "node:path";
import type { Command } from "commander";
import { serveAsWorker } from "../../server/workers/worker.ts";
import { openAppliance } from "../../src/appliance.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { keepServerSmall, restoreMemory } from "../memory.ts";
import { createServiceLog } from "../ui/service-log.ts";

export function defineWorker(command: Command, context: CommandContext): void {
  command.action(() => context.end(runWorker(context).finally(restoreMemory)));
}

async function runWorker({ io }: CommandContext): Promise<void> {
  const { parent } = io;
  if (parent === undefined)
    throw new UsageError({
      en: "Only `fiscal serve --workers` starts this command",
      el: "Αυτή την εντολή ξεκινά μόνο η `fiscal serve --workers`",
    });
  keepServerSmall();
  // Ctrl-C in a terminal and a service manager signal all processes. The main process stops this one when it may end.
  io.onInterrupt(() => undefined);
  io.onHangup?.(() => undefined);
  await serveAsWorker({
    port: parent,
    viewerFolder: join(io.packageRoot, "dist", "pages"),
    open: ({ number, config }, parts) =>
      openAppliance({
        config,
        log: createServiceLog(config.log, io.stderr, { worker: number }),
        ...parts,
      }),
  });
  parent.disconnect();
}
