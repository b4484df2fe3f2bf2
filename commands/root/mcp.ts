/** `fiscal mcp`: the tools of the Model Context Protocol on standard input and output, on the data directory itself. */
import type { Command } from "commander";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { CommandContext } from "../context.ts";
import { EXIT, type ExitCode, UsageError } from "../exit.ts";
import { nameOf, readBytes, readText } from "../input.ts";
import { listenForInterrupt, tellTrouble } from "../io.ts";
import { withExample } from "../options.ts";

interface McpOptions {
  readOnly?: boolean;
  apiKeyFile?: string;
}

export function defineMcp(command: Command, context: CommandContext): void {
  withExample(
    command
      .option("--read-only", "offer only the tools that change nothing")
      .option(
        "--api-key-file <file>",
        "act as this API key, in its mode and as long as it is valid; without one, as the command line",
      )
      .action((options: McpOptions) => context.end(runMcp(context, options))),
    "fiscal --data-dir ./data mcp --read-only",
  );
}

/**
 * Ends when its input does, or at a signal: calls under way are answered, and the documents that were issued are worked off,
 * both within `server.shutdown_seconds`.
 */
async function runMcp(context: CommandContext, options: McpOptions): Promise<ExitCode> {
  const { io } = context;
  const key = await readKey(context, options.apiKeyFile);
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const { allOperations } = await import("../../server/app.ts");
      const { serveStdio } = await import("../../server/mcp/stdio.ts");
      const authorise = await authorisation(context, appliance, key, mode);
      const readsOnly = options.readOnly === true;
      const deadlineMs = appliance.config.server.shutdownSeconds * 1000;
      // What is issued here is issued although no server runs.
      if (!readsOnly) await appliance.startScheduler();
      const documentIds = await serveStdio(appliance, {
        input: io.stdin,
        output: io.stdout,
        operations: allOperations(),
        readsOnly,
        authorise,
        signal: interrupt.signal,
        deadlineMs,
      });
      await workOff(context, appliance, documentIds, interrupt.signal, deadlineMs);
    });
    return EXIT.done;
  } finally {
    interrupt.dispose();
  }
}

async function readKey(context: CommandContext, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  if (file === "-") throw new UsageError("--api-key-file takes a file: standard input carries the protocol");
  return (await readText(readBytes(context.io, file), nameOf(file))).trim();
}

/** What says, at every call, in which mode it acts. A key that cannot be used is noticed at the start. */
async function authorisation(
  context: CommandContext,
  appliance: Appliance,
  key: string | undefined,
  mode: Mode,
): Promise<() => Promise<Mode>> {
  if (key === undefined) return async () => mode;
  const { authenticateKey } = await import("../../src/keys/api-keys.ts");
  const authorise = async () => {
    const known = await authenticateKey(appliance, key);
    if (known !== undefined) return known.mode;
    throw new AppError(
      "unauthorized",
      "The API key of --api-key-file is not valid, or not any more; `fiscal keys create` makes another",
    );
  };
  const keyMode = await authorise();
  if (context.options.live === true && keyMode !== "live")
    throw new UsageError("--live and the API key contradict each other: the key is one of test mode");
  return authorise;
}

/** As `documents issue` does. A signal ends the wait: a server or the next run goes on with what is left. */
async function workOff(
  { io }: CommandContext,
  appliance: Appliance,
  documentIds: ReadonlySet<string>,
  interrupted: AbortSignal,
  deadlineMs: number,
): Promise<void> {
  if (documentIds.size === 0) return;
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = AbortSignal.any([interrupted, deadline]);
  await appliance.issuing.drain({ documentIds, signal });
  if (signal.aborted)
    await tellTrouble(
      io,
      "Documents of this session may still be pending; a running server or the next command that issues goes on with them.",
    );
}
