#!/usr/bin/env node
"use strict";
// The door: the right Node, then the program. CommonJS (bin/package.json) in the words of the oldest Node, so that any
// Node reads this file and gets as far as the check, and because an ES module costs several milliseconds at each start.

const { existsSync, readFileSync } = require("fs");
const path = require("path");

/** Exit codes of decisions 13. */
const EXIT_FAILURE = 1;
const EXIT_CONFIGURATION = 78;

/** Set for the runtime that is handed to, so that one which does not fit either ends instead of handing on for ever. */
const HANDED_OVER = "FISCAL_HANDED_OVER";
/** The file descriptor that is open as long as the process which handed over is there. */
const LIFELINE = 3;

const packageRoot = path.dirname(__dirname);

/** Whether the package's `engines` has `version`: ^22.22.2 || ^24.15 || >=26. better-sqlite3 crashes on others. */
function isSuitable(version) {
  const parts = version.split(".").map(Number);
  const [major, minor, patch] = parts;
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

function fail(message, exitCode) {
  process.stderr.write("fiscal: " + message + "\n");
  process.exitCode = exitCode;
}

/** The runtime that npm installed with the package: beside its dependencies, or hoisted where it is a dependency itself. */
function findRuntime() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const folders = [path.join(packageRoot, "node_modules"), path.dirname(packageRoot)];
  return folders.map((folder) => path.join(folder, "node", "bin", name)).find((file) => existsSync(file));
}

function handOver() {
  const runtime = process.env[HANDED_OVER] === undefined ? findRuntime() : undefined;
  if (runtime === undefined) {
    const needs = "it needs 22.22.2 or later of 22, 24.15 or later of 24, or 26 and later";
    fail("this Node is v" + process.versions.node + "; " + needs + ". Install one of them", EXIT_CONFIGURATION);
    return;
  }
  const child = require("child_process").spawn(runtime, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: Object.assign({}, process.env, { [HANDED_OVER]: "1" }),
  });
  // Who ends this process means the program.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail("the runtime " + runtime + " does not start: " + error.code, EXIT_CONFIGURATION));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? code : 128 + require("os").constants.signals[signal];
  });
}

/** Ends with the process that handed over, even where that one was killed and could forward nothing. */
function followParent() {
  delete process.env[HANDED_OVER];
  const { Socket } = require("net");
  const lifeline = new Socket({ fd: LIFELINE, readable: true, writable: false });
  const end = () => process.kill(process.pid, "SIGKILL");
  lifeline.on("end", end).on("error", end).resume().unref();
}

/**
 * One Ctrl-C reaches the program several times: from the terminal, from npx, and from the process that handed over.
 * What comes again within this time is the same one.
 */
const SAME_SIGNAL_MS = 150;

/** Calls handlers at SIGINT and SIGTERM; while there are none, a signal ends the process as it does any other. */
function createInterrupts() {
  const handlers = new Set();
  const receivedMs = { SIGINT: -Infinity, SIGTERM: -Infinity };
  const isSame = (signal) => performance.now() - receivedMs[signal] < SAME_SIGNAL_MS;
  const stop = () => {
    if (handlers.size > 0) return;
    for (const signal of Object.keys(receivedMs)) process.off(signal, receive);
  };
  function receive(signal) {
    if (isSame(signal)) return;
    receivedMs[signal] = performance.now();
    if (handlers.size === 0) {
      stop();
      process.kill(process.pid, signal);
    }
    for (const handler of handlers) handler(signal);
  }
  return (handler) => {
    if (handlers.size === 0) for (const signal of Object.keys(receivedMs)) process.off(signal, receive).on(signal, receive);
    handlers.add(handler);
    return () => {
      handlers.delete(handler);
      if (Object.keys(receivedMs).some(isSame)) setTimeout(stop, SAME_SIGNAL_MS).unref();
      else stop();
    };
  };
}

/** Compiled code is kept beside the bundle, or in the user's cache where the package is installed read-only. */
function keepCompiledCode() {
  const { accessSync, constants } = require("fs");
  let folder = path.join(packageRoot, "dist");
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    folder = path.join(process.env.XDG_CACHE_HOME || path.join(require("os").homedir(), ".cache"), "fiscal");
  }
  // Without a folder that can be written it answers so, and the program starts a little slower.
  require("module").enableCompileCache(path.join(folder, "compiled"));
}

/** Whoever reads has gone (`| head`): the program notices at its next line and ends. */
function ignoreBrokenPipe(stream) {
  stream.on("error", (error) => {
    if (error.code !== "EPIPE") throw error;
  });
  return stream;
}

function lazily(make) {
  let made;
  return () => (made = made === undefined ? make() : made);
}

/** The process as the program sees it. A stream is opened when it is asked for: stdin alone costs a millisecond. */
function createIo() {
  const stdout = lazily(() => ignoreBrokenPipe(process.stdout));
  const stderr = lazily(() => ignoreBrokenPipe(process.stderr));
  return {
    env: process.env,
    cwd: process.cwd(),
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    version: JSON.parse(readFileSync(path.join(packageRoot, "package.json"), "utf8")).version,
    packageRoot,
    onInterrupt: createInterrupts(),
  };
}

function failUnexpectedly(error) {
  fail("unexpected error: " + (error instanceof Error ? error.message : String(error)), EXIT_FAILURE);
  const isDebugging = (process.env.NODE_DEBUG || "").split(",").includes("fiscal");
  if (isDebugging && error instanceof Error) process.stderr.write(error.stack + "\n");
  // What is left of the process is in an unknown state; the database is made for being left like this.
  process.exit();
}

function start() {
  const bundle = path.join(packageRoot, "dist", "fiscal.cjs");
  if (!existsSync(bundle)) {
    fail("the program is not built: run `npm ci` or `npm run build` in " + packageRoot, EXIT_CONFIGURATION);
    return;
  }
  process.on("uncaughtException", failUnexpectedly);
  if (process.env[HANDED_OVER] !== undefined) followParent();
  keepCompiledCode();
  const { runProgram } = require(bundle);
  // exitCode rather than exit(): what was written to a pipe is still on its way.
  runProgram(process.argv.slice(2), createIo()).then((exitCode) => {
    process.exitCode = exitCode;
  }, failUnexpectedly);
}

if (isSuitable(process.versions.node)) start();
else handOver();
