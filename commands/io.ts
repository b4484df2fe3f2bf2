/** The program's streams, environment and signals: `bin/` passes those of the process, tests pass their own. */
import type { Readable, Writable } from "node:stream";
import type { Text } from "../src/foundation/text.ts";
import type { Language } from "./language/choice.ts";
import { codeOf } from "../src/foundation/system.ts";
import { OutputError } from "./exit.ts";
import { withCommand } from "./next-steps.ts";
import { printableLines } from "./ui/printable.ts";

export type InterruptSignal = "SIGINT" | "SIGTERM";

type InputStream = Readable & { readonly isTTY?: boolean };
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export const COLOUR_WORDS = ["auto", "always", "never"] as const;

/** How this run prints for people, chosen by flags and environment. */
export interface OutputSettings {
  readonly language: Language;
  /** `--quiet`: only the result and errors. */
  readonly quiet: boolean;
  /** `--color`; `--no-color` is `never`. */
  readonly colour: (typeof COLOUR_WORDS)[number];
  /** Of `--json FIELDS`; empty for all. */
  readonly fields: readonly string[];
}

const DEFAULT_OUTPUT_SETTINGS: OutputSettings = { language: "en", quiet: false, colour: "auto", fields: [] };

export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's language where it is no environment variable, as on Windows: `el-GR`. */
  readonly systemLocale?: string;
  /** Absolute path that relative paths in arguments and configuration refer to. */
  readonly cwd: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The package version, for example `0.1.0`. */
  readonly version: string;
  /** Absolute path of the installed package, which contains `examples/`. */
  readonly packageRoot: string;
  /**
   * Calls `handler` at each SIGINT and SIGTERM until the returned function is called. Without a handler these signals end
   * the process.
   */
  onInterrupt(handler: (signal: InterruptSignal) => void): () => void;
  /** Calls `handler` at each SIGHUP, which otherwise ends the process, until the returned function is called. */
  onHangup?(handler: () => void): () => void;
  /** Set by the program for its commands. */
  readonly outputSettings?: OutputSettings;
}

export function outputSettingsOf(io: Pick<ProgramIo, "outputSettings">): OutputSettings {
  return io.outputSettings ?? DEFAULT_OUTPUT_SETTINGS;
}

/** `text` in the language of the person at the terminal, with its next step. */
export function inLanguage(io: ProgramIo, text: Text): string {
  return withCommand(text)[outputSettingsOf(io).language];
}

/** Writes text or bytes and waits for a slow reader, so that a long list does not accumulate in memory. */
export function write(stream: OutputStream, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error) => {
      // A broken pipe ends the program without a message.
      if (error) reject(isBrokenPipe(error) ? error : new OutputError(error));
      else resolve();
    });
  });
}

/** Whether the reader of the output has gone. Windows reports some of these as the end of the file. */
export function isBrokenPipe(error: unknown): boolean {
  const code = codeOf(error);
  return code === "EPIPE" || code === "EOF";
}

/** Writes to stderr. If nobody can read that, the work goes on all the same: the exit code reports a failure. */
export async function writeToStderr(io: ProgramIo, text: string): Promise<void> {
  try {
    await write(io.stderr, text);
  } catch (error) {
    if (!(error instanceof OutputError) && !isBrokenPipe(error)) throw error;
  }
}

/** Prints a note to stderr, unless `--quiet` is set. */
export async function printNote(io: ProgramIo, text: Text): Promise<void> {
  if (!outputSettingsOf(io).quiet) await printProblem(io, text);
}

/** Prints a problem, or what a person must know before a question, to stderr, even with `--quiet`. */
export function printProblem(io: ProgramIo, text: Text): Promise<void> {
  return writeToStderr(io, `${printableLines(inLanguage(io, text))}\n`);
}

/** Prints a line of the result to stdout, for people. */
export function printLine(io: ProgramIo, text: Text): Promise<void> {
  return write(io.stdout, `${printableLines(inLanguage(io, text))}\n`);
}

export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  dispose(): void;
}

/** Turns the first signal into an abort, so that work can stop where it is safe. A second one ends the process at once. */
export function listenForInterrupt(io: ProgramIo): Interrupt {
  const controller = new AbortController();
  const dispose = io.onInterrupt(() => {
    dispose();
    controller.abort();
  });
  return { signal: controller.signal, dispose };
}
