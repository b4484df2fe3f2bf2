/** Follows a log as it grows, for `requests tail` and `calls tail`. */
import type { Command } from "commander";
import type { Context } from "../src/journal/context.ts";
import type { Mode } from "../storage/stored-values.ts";
import type { CommandContext } from "./context.ts";
import type { Text } from "../src/foundation/text.ts";
import { EXIT, type ExitCode, UsageError } from "./exit.ts";
import { listenForInterrupt, printNote, write } from "./io.ts";
import { printJsonLine } from "./ui/json.ts";
import { printable } from "./ui/printable.ts";

export interface TailOptions {
  after?: string;
  fromStart?: boolean;
}

/** Short enough to feel immediate, long enough to cost nothing. */
const TAIL_INTERVAL_MS = 500;

/** `begin` are the descriptions of the two flags. */
export function addTailOptions(
  command: Command,
  context: CommandContext,
  begin: { after: Text; fromStart: Text },
): Command {
  return command
    .option("--after <id>", context.inLanguage(begin.after))
    .option("--from-start", context.inLanguage(begin.fromStart));
}

export interface Tail<T> {
  /** Printed first, for example "Following the requests; Ctrl-C ends it.". */
  started: Text;
  /** The newest item: without a flag the tail starts after it. */
  newest(appliance: Context, mode: Mode): Promise<{ data: readonly { id: string }[] }>;
  follow(
    appliance: Context,
    mode: Mode,
    from: { after: string | undefined; signal: AbortSignal; intervalMs: number },
  ): AsyncIterable<T>;
  /** An item as one line for people. */
  line(item: T): string;
}

/** Prints new items until it is interrupted, which is its normal end (exit code 130). */
export async function runTail<T>(
  context: CommandContext,
  options: TailOptions,
  tail: Tail<T>,
): Promise<ExitCode> {
  const { io } = context;
  if (options.after !== undefined && options.fromStart === true)
    throw new UsageError({
      en: "--after and --from-start contradict each other",
      el: "οι --after και --from-start αντιφάσκουν μεταξύ τους",
    });
  const interrupt = listenForInterrupt(io);
  try {
    await context.withAppliance(async (appliance, mode) => {
      const isOpenEnded = options.after === undefined && options.fromStart !== true;
      const after = isOpenEnded ? (await tail.newest(appliance, mode)).data[0]?.id : options.after;
      await printNote(io, tail.started);
      const from = { after, signal: interrupt.signal, intervalMs: TAIL_INTERVAL_MS };
      for await (const item of tail.follow(appliance, mode, from)) {
        if (context.options.json === true) await printJsonLine(io, item);
        else await write(io.stdout, `${printable(tail.line(item))}\n`);
      }
    });
  } finally {
    interrupt.dispose();
  }
  return EXIT.interrupted;
}
