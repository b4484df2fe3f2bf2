"use strict";
// Runs the built program with the streams, signals and environment of the process. Only a supported Node loads this file.

const { existsSync, lstatSync, mkdirSync, readFileSync, writeSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { homedir } = require("node:os");
const path = require("node:path");
const { repairStreams } = require("./streams.js");

/** docs/contract.md#exit-codes */
const EXIT_FAILURE = 1;
const EXIT_CONFIGURATION = 78;

const IS_WINDOWS = process.platform === "win32";

/** Interval of the checks whether the shell of npx still runs. */
const SHELL_CHECK_MS = 250;

const packageRoot = path.dirname(__dirname);

/**
 * One Ctrl-C arrives several times: from the terminal and from npx. Repeated signals within this time count as one.
 */
const SAME_SIGNAL_SECONDS = 0.15;

/** npx runs the program in a shell that dies at SIGTERM without forwarding it: ends the program with that shell. */
function followShell() {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, SHELL_CHECK_MS);
  timer.unref();
}

/** The user's cache folder. Throws for a user without a home, as in containers. */
function userCache() {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  return XDG_CACHE_HOME || (IS_WINDOWS && LOCALAPPDATA) || path.join(homedir(), ".cache");
}

/** Group and others must not have these. */
const OTHERS_WRITE = 0o022;

/**
 * Whether `folder`, or the nearest one above it that exists, belongs to this user. Under `sudo` the home may be another user's. On
 * Windows, user profiles are private anyway.
 */
function isOwn(folder) {
  if (IS_WINDOWS) return true;
  if (!existsSync(folder)) return isOwn(path.dirname(folder));
  return lstatSync(folder).uid === process.getuid();
}

/** Keeps compiled code for the next start. What Node reads there runs, so the folder belongs to this user alone (SECURITY.md). */
function keepCompiledCode() {
  try {
    const folder = path.join(userCache(), "fiscal", "compiled");
    if (!isOwn(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (IS_WINDOWS || (lstatSync(folder).mode & OTHERS_WRITE) === 0) enableCompileCache(folder);
  } catch {
    // Without it, a start takes longer.
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

function readVersion() {
  return JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")).version;
}

/** Writes the version without the program. Returns false if it cannot be written, which the program then explains. */
function writeVersion() {
  try {
    writeSync(1, `${readVersion()}\n`);
    return true;
  } catch {
    return false;
  }
}

/** The ProgramIo of the process. Streams are created on first use, because each costs a millisecond. */
function createIo() {
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
    version: readVersion(),
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

/** Runs the command line of this process. */
exports.run = async function run() {
  repairStreams();
  if (!existsSync(path.join(packageRoot, "dist", "fiscal.mjs"))) {
    fail(
      `the program is not built; run \`npm rebuild && npm run build\` in ${packageRoot}`,
      EXIT_CONFIGURATION,
    );
    return;
  }
  // Scripts often ask for it.
  const isAskedForVersion = process.argv.length === 3 && ["--version", "-V"].includes(process.argv[2]);
  if (isAskedForVersion && writeVersion()) return;
  // Also receives unhandled rejections.
  process.on("uncaughtException", failUnexpectedly);
  if (process.env.npm_command === "exec") followShell();
  // libuv resolves host names in half of these threads. With the default of four, two unreachable names would block them all.
  // libuv reads the variable when it first needs a thread.
  process.env.UV_THREADPOOL_SIZE ??= "16";
  // Node ends with a failed assertion when anything reads the title of a console that has none, as require("process") does.
  if (IS_WINDOWS) process.title = "fiscal";
  // The libraries for prompts and progress bars read only the environment.
  if (process.argv.includes("--no-color")) process.env.NO_COLOR = "1";
  keepCompiledCode();
  const { runProgram } = await import("../dist/fiscal.mjs");
  // exitCode instead of exit(), which would lose output still on its way to a pipe.
  process.exitCode = await runProgram(process.argv.slice(2), createIo());
};
