/** Runs the built program as a separate process. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";

const BIN = resolve(import.meta.dirname, "../../bin/fiscal.js");
/** Shared, because each test has a home of its own. */
const COMPILED = resolve(import.meta.dirname, "../../build/compiled");

export interface ProgramEnvironment {
  /** Contains HOME and the data directory. */
  folder: string;
  env?: Record<string, string>;
  /** Another installation of the program: the executable and its leading arguments. */
  command?: readonly [string, ...string[]];
  /** The user to run as, if this user may choose. */
  uid?: number;
}

function environmentOf({ folder, env }: ProgramEnvironment): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    NODE_COMPILE_CACHE: COMPILED,
    FISCAL_DATA_DIR: `${folder}/data`,
    ...env,
  };
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Starts the built program with pipes and empty input. */
export function spawnBuilt(args: readonly string[], environment: ProgramEnvironment) {
  const [program, ...before] = environment.command ?? [process.execPath, BIN];
  return spawn(program, [...before, ...args], {
    env: environmentOf(environment),
    cwd: environment.folder,
    stdio: ["ignore", "pipe", "pipe"],
    ...(environment.uid === undefined ? {} : { uid: environment.uid }),
  });
}

/** Runs the built program until it exits. */
export async function runBuilt(args: readonly string[], environment: ProgramEnvironment): Promise<Ended> {
  const child = spawnBuilt(args, environment);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}

/** Runs the built program and kills it after `ms` if it is still running. */
export async function killLater(
  args: readonly string[],
  environment: ProgramEnvironment,
  ms: number,
): Promise<void> {
  const child = spawnBuilt(args, environment);
  // Nobody reads it, so it must not fill up.
  child.stdout.resume();
  child.stderr.resume();
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await once(child, "close");
  clearTimeout(timer);
}

/** Starts `fiscal serve` on a free port and waits until it listens. */
export async function startBuilt(environment: ProgramEnvironment, args: readonly string[] = []) {
  const child = spawnBuilt(["serve", "--port", "0", ...args], environment);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const exited = once(child, "exit") as Promise<[number | null]>;
  const url = await new Promise<string>((settle, fail) => {
    let stdout = "";
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk.toString();
      const found = /http:\/\/\S+/.exec(stdout)?.[0];
      if (found !== undefined) settle(found);
    });
    void exited.then(([code]) => fail(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  /** Kills it, as a power failure would. */
  async function kill(): Promise<void> {
    child.kill("SIGKILL");
    await exited;
  }
  return {
    url,
    child,
    /** What it has written to stderr. */
    log: () => stderr,
    kill,
    [Symbol.asyncDispose]: kill,
    /** Stops it gracefully and returns its exit code. */
    async stop() {
      child.kill("SIGTERM");
      const [code] = await exited;
      return code;
    },
  };
}

export type ServerProcess = Awaited<ReturnType<typeof startBuilt>>;
