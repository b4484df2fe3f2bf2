"use strict";
// Runs the built program with the streams, signals and environment of the process. Only a supported Node loads this file.

const { accessSync, constants, existsSync, readFileSync, writeSync } = require("node:fs");
const path = require("node:path");
const { repairStreams } = require("./streams.js");

/** docs/contract.md#exit-codes */
const EXIT_FAILURE = 1;
const EXIT_CONFIGURATION = 78;

const IS_WINDOWS = process.platform === "win32";

/** A file descriptor that stays open as long as the parent process lives. */
const LIFELINE = 3;

/**
 * One Ctrl-C arrives several times: from the terminal, from npx and from the parent process. Repeated signals within this time
 * count as one.
 */
const SAME_SIGNAL_SECONDS = 0.15;

/** Ends with the parent process, even if that was killed and could not forward a signal. */
function followParent() {
  const { Socket } = require("node:net");
  const lifeline = new Socket({ fd: LIFELINE, readable: true, writable: false });
  const end = () => process.kill(process.pid, "SIGKILL");
  lifeline.on("end", end).on("error", end).resume().unref();
}

/** The user's cache folder; undefined for a user without a home, as in containers. */
function userCache() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  try {
    return path.join(require("node:os").homedir(), ".cache");
  } catch {
    return undefined;
  }
}

/** The folder for compiled code: the build, or the user's cache if the package is read-only. Undefined if there is none. */
function cacheFolder(dist) {
  try {
    accessSync(dist, constants.W_OK);
    return dist;
  } catch {
    const cache = userCache();
    return cache && path.join(cache, "fiscal");
  }
}

/**
 * What stops the program, each with the signal that handlers get. On Windows, which has no SIGTERM, closing the window and signing
 * out are a SIGHUP, after which Windows leaves a process a few seconds; Ctrl-Break is SIGBREAK.
 */
const STOPPING = IS_WINDOWS
  ? { SIGINT: "SIGINT", SIGBREAK: "SIGINT", SIGHUP: "SIGTERM" }
  : { SIGINT: "SIGINT", SIGTERM: "SIGTERM" };

/** Calls handlers at the signals that stop the program; without a handler these end the process. */
function createInterrupts() {
  const handlers = new Set();
  const receivedAt = new Map(Object.keys(STOPPING).map((signal) => [signal, -Infinity]));
  const isSame = (signal) => process.uptime() - receivedAt.get(signal) < SAME_SIGNAL_SECONDS;

  function listen() {
    for (const signal of receivedAt.keys()) process.off(signal, receive).on(signal, receive);
  }
  function stopListening() {
    if (handlers.size === 0) for (const signal of receivedAt.keys()) process.off(signal, receive);
  }
  function receive(signal) {
    if (isSame(signal)) return;
    receivedAt.set(signal, process.uptime());
    if (handlers.size === 0) {
      stopListening();
      process.kill(process.pid, STOPPING[signal]);
    }
    for (const handler of handlers) handler(STOPPING[signal]);
  }

  return (handler) => {
    handlers.add(handler);
    listen();
    return () => {
      handlers.delete(handler);
      if ([...receivedAt.keys()].some(isSame)) setTimeout(stopListening, SAME_SIGNAL_SECONDS * 1000).unref();
      else stopListening();
    };
  };
}

/** Calls `handler` at each SIGHUP, which ends the process otherwise. */
function onHangup(handler) {
  const receive = () => handler();
  process.on("SIGHUP", receive);
  return () => process.off("SIGHUP", receive);
}

/**
 * The write that fails reports its own error: the reader has gone (`| head`), or the disk is full. The log of a server is often on
 * the disk that fills up; the server continues without it and logs again once there is space.
 */
function ignoreErrors(stream) {
  return stream.on("error", () => undefined);
}

function readVersion(packageRoot) {
  return JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")).version;
}

/** Writes the version without the program. Returns false if it cannot be written, which the program then explains. */
function writeVersion(packageRoot) {
  try {
    writeSync(1, `${readVersion(packageRoot)}\n`);
    return true;
  } catch {
    return false;
  }
}

/** The ProgramIo of the process. Streams are created on first use, because each costs a millisecond. */
function createIo(packageRoot) {
  let stdout;
  let stderr;
  return {
    env: process.env,
    cwd: process.cwd(),
    systemLocale: IS_WINDOWS ? new Intl.NumberFormat().resolvedOptions().locale : "",
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return (stdout ??= ignoreErrors(process.stdout));
    },
    get stderr() {
      return (stderr ??= ignoreErrors(process.stderr));
    },
    version: readVersion(packageRoot),
    packageRoot,
    onInterrupt: createInterrupts(),
    // On Windows it stops the program instead.
    ...(IS_WINDOWS ? {} : { onHangup }),
  };
}

function writeProblem(line) {
  ignoreErrors(process.stderr).write(`${line}\n`);
}

function fail(message, exitCode) {
  writeProblem(`fiscal: ${message}`);
  process.exitCode = exitCode;
}

/** Ends the process after a defect, which leaves its state unknown. The database survives that. */
function failUnexpectedly(error) {
  fail(`unexpected error: ${error instanceof Error ? error.message : String(error)}`, EXIT_FAILURE);
  const isDebugging = (process.env.NODE_DEBUG ?? "").split(",").includes("fiscal");
  if (isDebugging && error instanceof Error) writeProblem(error.stack);
  process.exit();
}

/** Runs the command line of this process. `packageRoot` is absolute; `isChild` if bin/fiscal.js started another Node. */
exports.run = async function run(packageRoot, isChild) {
  repairStreams();
  const dist = path.join(packageRoot, "dist");
  const program = path.join(dist, "fiscal.cjs");
  if (!existsSync(program)) {
    fail(
      `the program is not built; run \`npm ci\` or \`npm run build\` in ${packageRoot}`,
      EXIT_CONFIGURATION,
    );
    return;
  }
  // Scripts often ask for it.
  const isAskedForVersion = process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2]);
  if (isAskedForVersion && writeVersion(packageRoot)) return;
  // Also receives unhandled rejections.
  process.on("uncaughtException", failUnexpectedly);
  if (isChild) followParent();
  // libuv resolves host names in half of these threads. With the default of four, two unreachable names would block them all.
  // libuv reads the variable when it first needs a thread.
  process.env.UV_THREADPOOL_SIZE ??= "16";
  // Node ends with a failed assertion when anything reads the title of a console that has none, as require("process") does.
  if (process.platform === "win32") process.title = "fiscal";
  const { openProgram } = require("./parts.js");
  const args = process.argv.slice(2);
  const { exports: started, keep } = openProgram(program, cacheFolder(dist), args);
  // A failed command may have run only a part of its functions.
  process.on("exit", (code) => code === 0 && keep());
  // The libraries for prompts and progress bars read only the environment.
  if (process.argv.includes("--no-color")) process.env.NO_COLOR = "1";
  // exitCode instead of exit(), which would lose output still on its way to a pipe.
  process.exitCode = await started.runProgram(args, createIo(packageRoot));
};
