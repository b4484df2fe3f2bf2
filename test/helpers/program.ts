/** Runs the program in this process, with captured streams and its own data directory. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import Database from "better-sqlite3";
import { expect } from "vitest";
import type { InterruptSignal, ProgramIo } from "../../commands/io.ts";
import { runProgram } from "../../commands/program.ts";

export interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
  /** Parses the only JSON document on stdout. */
  json<T>(): T;
}

export interface RunOptions {
  stdin?: string | Buffer;
  env?: Record<string, string>;
  /** The streams are a terminal; `onOutput` types the input. */
  terminal?: boolean;
  /** The terminal's width. Default: 120. */
  columns?: number;
  /** Called with each piece of stdout or stderr as it is written, to act while the program runs. */
  onOutput?(text: string, program: RunningProgram): void;
}

export interface RunningProgram {
  /** Returns whether the program listened. If not, the signal would have ended its process. */
  interrupt(signal?: InterruptSignal): boolean;
  /** Simulates SIGHUP. */
  hangUp(): void;
  /** Types `text` at the terminal. */
  type(text: string): void;
  /** Ends the input. */
  endInput(): void;
}

/** The arguments of a command: its words, or as they are typed, with spaces in quotation marks: `documents show 'TIM 1'`. */
export type Line = string | readonly string[];

export interface Workshop {
  /** A temporary folder, the current directory of every run. */
  folder: string;
  /** Runs `fiscal …line` with the workshop's data directory. */
  run(line: Line, options?: RunOptions): Promise<Run>;
  /** Runs it without naming a data directory. */
  runBare(line: Line, options?: RunOptions): Promise<Run>;
  /** Runs it with `--json`, expects exit code 0, and returns what it prints. */
  read<T>(line: Line, options?: RunOptions): Promise<T>;
  /** The items of the list that it prints. */
  list<T>(line: Line, options?: RunOptions): Promise<T[]>;
  /** The path of a name in the folder. */
  at(...names: string[]): string;
  /** Writes a file of the folder. */
  write(name: string, content: string | Uint8Array): Promise<void>;
  /** Changes the database directly, as somebody else would. */
  change(...statements: string[]): void;
  close(): Promise<void>;
}

const PACKAGE_ROOT = resolve(import.meta.dirname, "../..");

class Capture extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number;
  readonly #onText: (text: string) => void;

  constructor(isTTY: boolean, columns: number, onText: (text: string) => void) {
    super({ decodeStrings: false });
    this.columns = columns;
    this.isTTY = isTTY;
    this.#onText = onText;
  }

  /** Like the process's own streams, which borrowers never end. */
  override end(): this {
    return this;
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    const text = chunk.toString();
    this.text += text;
    this.#onText(text);
    done();
  }
}

/** What a part of the program is given, where the whole does not run: streams that nobody reads, and no terminal. */
export function createIo(parts: Partial<ProgramIo> = {}): ProgramIo {
  return {
    env: {},
    cwd: "/",
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    version: "1.2.3",
    packageRoot: PACKAGE_ROOT,
    onInterrupt: () => () => {},
    ...parts,
  };
}

/** The words of a command line. Between quotation marks there may be anything but that mark. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"/g, (_quoted, single, double) => single ?? double),
  );
}

/** Runs one command line. `HOME` is the given folder, so that nothing of this machine is read or created. */
async function runArgs(args: readonly string[], folder: string, options: RunOptions = {}): Promise<Run> {
  const handlers = new Set<(signal: InterruptSignal) => void>();
  const hangupHandlers = new Set<() => void>();
  const isTTY = options.terminal === true;
  const stdin = Object.assign(new PassThrough(), { isTTY });
  // A terminal stays open, a pipe ends.
  if (options.stdin !== undefined) stdin.write(options.stdin);
  if (!isTTY) stdin.end();
  const program: RunningProgram = {
    interrupt: (signal = "SIGINT") => {
      const listening = [...handlers];
      for (const handler of listening) handler(signal);
      return listening.length > 0;
    },
    hangUp: () => {
      for (const handler of hangupHandlers) handler();
    },
    // A prompt listens to the keyboard only a moment after it is shown.
    type: (text) => void setImmediate(() => stdin.write(text)),
    endInput: () => void stdin.end(),
  };
  const tell = (text: string) => options.onOutput?.(text, program);
  const { columns = 120 } = options;
  const stdout = new Capture(isTTY, columns, tell);
  const stderr = new Capture(isTTY, columns, tell);
  const io = createIo({
    env: {
      HOME: folder,
      XDG_DATA_HOME: join(folder, "share"),
      XDG_CONFIG_HOME: join(folder, "config"),
      ...options.env,
    },
    cwd: folder,
    stdin,
    stdout,
    stderr,
    onInterrupt(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    onHangup(handler) {
      hangupHandlers.add(handler);
      return () => hangupHandlers.delete(handler);
    },
  });
  const exitCode = await runProgram([...args], io);
  return {
    exitCode,
    stdout: stdout.text,
    stderr: stderr.text,
    json: <T>() => JSON.parse(stdout.text) as T,
  };
}

/** A new folder; the first command that needs the database creates it. `env` is for every command. */
export async function openWorkshop(env: Record<string, string> = {}): Promise<Workshop> {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-program-"));
  const split = (line: Line) => (typeof line === "string" ? wordsOf(line) : line);
  const runBare: Workshop["run"] = (line, options) =>
    runArgs(split(line), folder, { ...options, env: { ...env, ...options?.env } });
  const run: Workshop["run"] = (line, options) =>
    runBare(["--data-dir", join(folder, "data"), ...split(line)], options);
  const read = async <T>(line: Line, options?: RunOptions) => {
    const { exitCode, stderr, json } = await run([...split(line), "--json"], options);
    expect(exitCode, stderr).toBe(0);
    return json<T>();
  };
  return {
    folder,
    run,
    runBare,
    read,
    list: async <T>(line: Line, options?: RunOptions) => (await read<{ data: T[] }>(line, options)).data,
    at: (...names) => join(folder, ...names),
    write: (name, content) => writeFile(join(folder, name), content),
    change(...statements) {
      const database = new Database(join(folder, "data", "fiscal.db"));
      database.pragma("foreign_keys = OFF");
      for (const statement of statements) database.exec(statement);
      database.close();
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Expects this exit code, and each of the texts on stderr. */
export function expectSaid({ exitCode, stderr }: Run, code: number, ...texts: (string | RegExp)[]): void {
  expect(exitCode, stderr).toBe(code);
  expect(stderr).toContainAll(...texts);
}

/** The same of stdout. */
export function expectPrinted(run: Run, code: number, ...texts: (string | RegExp)[]): void {
  expect(run.exitCode, run.stderr).toBe(code);
  expect(run.stdout).toContainAll(...texts);
}

/** Expects this exit code, each of the texts on stderr, and nothing on stdout. */
export function expectRefused(run: Run, code: number, ...texts: (string | RegExp)[]): void {
  expectSaid(run, code, ...texts);
  expect(run.stdout).toBe("");
}

/** Types each answer once, at its question. */
export function answering(answers: Record<string, string>): RunOptions {
  const open = new Map(Object.entries(answers));
  return {
    terminal: true,
    onOutput(text, program) {
      for (const [question, answer] of open) {
        // Open questions begin with a question mark; answered ones do not.
        if (!stripVTControlCharacters(text).includes(`? ${question}`)) continue;
        open.delete(question);
        program.type(answer);
      }
    },
  };
}
