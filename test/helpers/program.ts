/** Runs the program in this process, with streams that are caught and a data directory of its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable, Writable } from "node:stream";
import type { InterruptSignal, ProgramIo } from "../../commands/io.ts";
import { runProgram } from "../../commands/program.ts";

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout. */
  json<T>(): T;
}

export interface RunOptions {
  stdin?: string | Buffer;
  env?: Record<string, string>;
  /** Called with each piece of stdout or stderr as it is written: to act while the program runs. */
  onOutput?(text: string, program: { interrupt(signal?: InterruptSignal): void }): void;
}

export interface Workshop {
  /** A temporary folder: the current one of every run. */
  folder: string;
  /** Runs `fiscal …args` with the workshop's own data directory. */
  run(args: string[], options?: RunOptions): Promise<Run>;
  /** Runs it without naming a data directory. */
  runBare(args: string[], options?: RunOptions): Promise<Run>;
  remove(): Promise<void>;
}

const PACKAGE_ROOT = resolve(import.meta.dirname, "../..");

class Capture extends Writable {
  text = "";
  readonly #onText: (text: string) => void;

  constructor(onText: (text: string) => void) {
    super({ decodeStrings: false });
    this.#onText = onText;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    const text = chunk.toString();
    this.text += text;
    this.#onText(text);
    done();
  }
}

/** Runs one command line. `HOME` is the given folder, so that nothing of this machine is read or made. */
export async function runArgs(args: string[], folder: string, options: RunOptions = {}): Promise<Run> {
  const handlers = new Set<(signal: InterruptSignal) => void>();
  const program = {
    interrupt: (signal: InterruptSignal = "SIGINT") => {
      for (const handler of handlers) handler(signal);
    },
  };
  const tell = (text: string) => options.onOutput?.(text, program);
  const stdout = new Capture(tell);
  const stderr = new Capture(tell);
  const io: ProgramIo = {
    env: { HOME: folder, XDG_DATA_HOME: join(folder, "share"), XDG_CONFIG_HOME: join(folder, "config"), ...options.env },
    cwd: folder,
    stdin: Readable.from(options.stdin === undefined ? [] : [Buffer.from(options.stdin)]),
    stdout,
    stderr,
    version: "1.2.3",
    packageRoot: PACKAGE_ROOT,
    onInterrupt(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  const exitCode = await runProgram(args, io);
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    json: <T>() => JSON.parse(stdout.text) as T,
  };
}

/** A fresh folder; the database is made by the first command that needs it. */
export async function openWorkshop(): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-program-"));
  return {
    folder,
    run: (args, options) => runArgs(["--data-dir", join(folder, "data"), ...args], folder, options),
    runBare: (args, options) => runArgs(args, folder, options),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
