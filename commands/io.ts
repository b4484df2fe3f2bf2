/**
 * The program's streams, environment and signals: `bin/` passes those of the process, tests pass their own. Also how a run prints for
 * people: language, colours and width.
 */
import type { Readable, Writable } from "node:stream";
import { parseArgs } from "node:util";
import type { Language, Text } from "../src/foundation/text.ts";
import { codeOf } from "../src/foundation/system.ts";
import { OutputError } from "./exit.ts";
import { withCommand } from "./next-steps.ts";
import { printableLines } from "../src/foundation/characters.ts";

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

/**
 * Runs `work` with a signal that the first SIGINT or SIGTERM aborts, so that it can stop where it is safe. A second one ends the process
 * at once.
 */
export async function interruptible<T>(io: ProgramIo, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const dispose = io.onInterrupt(() => {
    dispose();
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    dispose();
  }
}

/** Used if neither the terminal nor the environment gives the width. */
const COLUMNS_DEFAULT = 80;

/** The columns of the terminal; otherwise the environment variable COLUMNS, or 80. */
export function columnsOf(io: ProgramIo, stream: OutputStream): number {
  const { columns } = stream;
  if (stream.isTTY === true && columns !== undefined && columns > 0) return columns;
  const given = Number(io.env["COLUMNS"] ?? "");
  return Number.isSafeInteger(given) && given > 0 ? given : COLUMNS_DEFAULT;
}

/** In order of precedence: --color always or never, NO_COLOR (no-color.org), FORCE_COLOR (also for pipes; 0 means no), the terminal. */
export function isColoured(io: ProgramIo, stream: OutputStream): boolean {
  const { colour } = outputSettingsOf(io);
  if (colour !== "auto") return colour === "always";
  const { FORCE_COLOR: forced = "", NO_COLOR: refused = "", TERM: terminal } = io.env;
  if (refused !== "" || forced === "0" || forced === "false") return false;
  if (forced !== "") return true;
  return stream.isTTY === true && terminal !== "dumb";
}

/** The values of `--lang`. */
export const LANGUAGES = ["el", "en"] as const satisfies readonly Language[];

/**
 * `--lang` takes precedence over the environment, and that over `systemLocale`, such as `el-GR`. It is read before the command line is parsed, because help and parse errors
 * are in this language too. The parser rejects an invalid value.
 */
export function chooseLanguage(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  systemLocale = "",
): Language {
  const { values } = parseArgs({ args: [...args], strict: false, options: { lang: { type: "string" } } });
  return LANGUAGES.find((code) => code === values["lang"]) ?? languageOfLocale(env, systemLocale);
}

/** POSIX: the first of the three variables that is set and not empty. Windows has none of them. */
function languageOfLocale(env: Readonly<Record<string, string | undefined>>, systemLocale: string): Language {
  const locales = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"], systemLocale];
  const locale = locales.find((value) => (value ?? "") !== "") ?? "";
  return /^el([_.@-]|$)/i.test(locale) ? "el" : "en";
}
