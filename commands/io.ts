/** What the program is given of the world: `bin/` hands in the process's own, tests hand in theirs. */
import type { Readable, Writable } from "node:stream";
import { type Text, textOf } from "../src/foundation/text.ts";
import { type Catalogue, ENGLISH, type Language } from "./language/language.ts";
import { printableLines } from "./ui/printable.ts";

export type InterruptSignal = "SIGINT" | "SIGTERM";

type InputStream = Readable & { readonly isTTY?: boolean };
export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** How this run speaks to a person, by its flags and environment. */
export interface Manners {
  readonly language: Language;
  /** For texts that are not yet written in both languages; undefined in English. */
  readonly catalogue?: Catalogue | undefined;
  /** `--quiet`: only the result and errors. */
  readonly quiet: boolean;
  /** `--no-color`. */
  readonly plain: boolean;
}

const DEFAULT_MANNERS: Manners = { language: "en", quiet: false, plain: false };

export interface ProgramIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that relative paths in arguments and configuration start from. */
  readonly cwd: string;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** The version of the package, for example `0.1.0`. */
  readonly version: string;
  /** Absolute path of the installed package: where `examples/` lies. */
  readonly packageRoot: string;
  /**
   * Calls `handler` at each SIGINT and SIGTERM instead of ending the process, until the function that it returns is
   * called. While nobody listens, a signal ends the process as it does any other.
   */
  onInterrupt(handler: (signal: InterruptSignal) => void): () => void;
  /** Calls `handler` at each SIGHUP instead of ending the process, until the function that it returns is called. */
  onHangup?(handler: () => void): () => void;
  /** Set by the program for the commands that it runs. */
  readonly manners?: Manners;
}

export function mannersOf(io: ProgramIo): Manners {
  return io.manners ?? DEFAULT_MANNERS;
}

/** For texts that are not yet written in both languages. */
export function catalogueOf(io: ProgramIo): Catalogue {
  return mannersOf(io).catalogue ?? ENGLISH;
}

/** `text` in the language of the person at the terminal. */
export function inLanguage(io: ProgramIo, text: Text | string): string {
  return inMannersOf(mannersOf(io), text);
}

export function inMannersOf(
  { language, catalogue }: Pick<Manners, "language" | "catalogue">,
  text: Text | string,
): string {
  const { en, el } = textOf(text);
  if (en === el && catalogue !== undefined) return catalogue.text(en);
  return language === "el" ? el : en;
}

/** Writes text or bytes and waits while the reader is slow, so that a long list does not pile up in memory. */
export function write(stream: OutputStream, content: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(content, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** One line for the person at the terminal: what is not the result goes to stderr, and with `--quiet` nowhere. */
export async function tell(io: ProgramIo, text: Text | string): Promise<void> {
  if (!mannersOf(io).quiet) await tellTrouble(io, text);
}

/** The same for what went wrong, and for what must be known before a question is answered: `--quiet` does not hide it. */
export function tellTrouble(io: ProgramIo, text: Text | string): Promise<void> {
  return write(io.stderr, `${printableLines(inLanguage(io, text))}\n`);
}

/** One line of the result as a person reads it. Where `--json` is given, nobody does. */
export function say(io: ProgramIo, text: Text | string): Promise<void> {
  return write(io.stdout, `${printableLines(inLanguage(io, text))}\n`);
}

export interface Interrupt {
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  dispose(): void;
}

/**
 * Turns the first signal into an abort, so that work can stop where it is safe. The listener leaves with it: a second
 * signal ends the process at once.
 */
export function listenForInterrupt(io: ProgramIo): Interrupt {
  const controller = new AbortController();
  const dispose = io.onInterrupt(() => {
    dispose();
    controller.abort();
  });
  return { signal: controller.signal, dispose };
}
