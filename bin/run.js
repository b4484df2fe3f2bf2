"use strict";
// Runs the built program with the process's own streams, signals and environment. Only a suitable Node reads this.

const { accessSync, constants, existsSync, readFileSync } = require("node:fs");
const path = require("node:path");

/** decisions 13, Exit. */
const EXIT_FAILURE = 1;
const EXIT_CONFIGURATION = 78;

/** The file descriptor that stays open as long as the process which handed over is there. */
const LIFELINE = 3;

/**
 * One Ctrl-C arrives several times: from the terminal, from npx, and from the process that handed over. What comes
 * again within this time is the same one.
 */
const SAME_SIGNAL_SECONDS = 0.15;

/** Ends with the process that handed over, even where that one was killed and could forward nothing. */
function followParent() {
  const { Socket } = require("node:net");
  const lifeline = new Socket({ fd: LIFELINE, readable: true, writable: false });
  const end = () => process.kill(process.pid, "SIGKILL");
  lifeline.on("end", end).on("error", end).resume().unref();
}

/** The user's own cache; undefined for a user without a home, as in containers. */
function userCache() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME;
  try {
    return path.join(require("node:os").homedir(), ".cache");
  } catch {
    return undefined;
  }
}

/** Compiled code is kept with the build, or in the user's cache where the package is installed read-only. */
function keepCompiledCode(dist) {
  let folder = dist;
  try {
    accessSync(dist, constants.W_OK);
  } catch {
    const cache = userCache();
    if (cache === undefined) return;
    folder = path.join(cache, "fiscal");
  }
  // It throws nothing: without a folder to write to, a start takes a little longer.
  require("node:module").enableCompileCache(path.join(folder, "compiled"));
}

/** Calls handlers at SIGINT and SIGTERM; while there are none, a signal ends the process as it does any other. */
function createInterrupts() {
  const handlers = new Set();
  const receivedAt = new Map([
    ["SIGINT", -Infinity],
    ["SIGTERM", -Infinity],
  ]);
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
      process.kill(process.pid, signal);
    }
    for (const handler of handlers) handler(signal);
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

/** Calls `handler` at each SIGHUP; without one, a SIGHUP ends the process as it does any other. */
function onHangup(handler) {
  const receive = () => handler();
  process.on("SIGHUP", receive);
  return () => process.off("SIGHUP", receive);
}

/** Whoever reads has gone (`| head`): the program notices when it writes, and ends. */
function ignoreBrokenPipe(stream) {
  return stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/**
 * The log of a server is often on the disk that fills up: the server goes on without it, and writes to it again once there is
 * room. There is no other place left to tell it.
 */
function goOnWithout(stream) {
  return stream.on("error", () => undefined);
}

/** The process as the program sees it. A stream is made when it is first asked for: each costs a millisecond. */
function createIo(packageRoot) {
  let stdout;
  let stderr;
  return {
    env: process.env,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return (stdout ??= ignoreBrokenPipe(process.stdout));
    },
    get stderr() {
      return (stderr ??= goOnWithout(process.stderr));
    },
    version: JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")).version,
    packageRoot,
    onInterrupt: createInterrupts(),
    onHangup,
  };
}

function fail(message, exitCode) {
  process.stderr.write(`fiscal: ${message}\n`);
  process.exitCode = exitCode;
}

/** A defect: what is left of the process is in an unknown state, and the database is made for being left like this. */
function failUnexpectedly(error) {
  fail(`unexpected error: ${error instanceof Error ? error.message : String(error)}`, EXIT_FAILURE);
  const isDebugging = (process.env.NODE_DEBUG ?? "").split(",").includes("fiscal");
  if (isDebugging && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  process.exit();
}

/** Runs the command line of this process. `packageRoot` is absolute. */
exports.run = async function run(packageRoot, wasHandedOver) {
  const dist = path.join(packageRoot, "dist");
  const program = path.join(dist, "fiscal.cjs");
  if (!existsSync(program)) {
    fail(
      `the program is not built; run \`npm ci\` or \`npm run build\` in ${packageRoot}`,
      EXIT_CONFIGURATION,
    );
    return;
  }
  // Rejections that nobody awaits arrive here too.
  process.on("uncaughtException", failUnexpectedly);
  if (wasHandedOver) followParent();
  // Names of hosts are resolved in half of these threads; of the four there are by default, two dead names would take
  // every one. Read by libuv when the first of them is needed.
  process.env.UV_THREADPOOL_SIZE ??= "16";
  keepCompiledCode(dist);
  const { runProgram } = require(program);
  // What questions and progress are drawn with reads the environment, and nothing of the command line.
  if (process.argv.includes("--no-color")) process.env.NO_COLOR = "1";
  // exitCode instead of exit(): what was written to a pipe is still on its way.
  process.exitCode = await runProgram(process.argv.slice(2), createIo(packageRoot));
};
