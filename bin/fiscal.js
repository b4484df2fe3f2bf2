#!/usr/bin/env node
"use strict";
// Entry point: finds a supported Node and runs the program. Written in CommonJS (bin/package.json) and old syntax, so that
// every Node gets as far as the check (docs/decisions/0001).

const { existsSync } = require("fs");
const path = require("path");
const { repairStreams } = require("./streams.js");

/** docs/contract.md#exit-codes */
const EXIT_CONFIGURATION = 78;

/**
 * Contains the id of the parent process that started this one. An unsupported child then fails instead of starting another
 * one forever, and a supported one watches file descriptor 3.
 */
const STARTED_BY = "FISCAL_HANDED_OVER_BY";

/** Interval of the checks whether the shell of npx still runs. */
const SHELL_CHECK_MS = 250;

/** What stops the program; SIGBREAK is Ctrl-Break on Windows. */
const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"].concat(process.platform === "win32" ? ["SIGBREAK"] : []);

const packageRoot = path.dirname(__dirname);

/** Whether `version` satisfies `engines` in package.json. better-sqlite3 crashes on older versions. */
function isSupported(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

function fail(message) {
  repairStreams();
  process.stderr.write("fiscal: " + message + "\n");
  process.exitCode = EXIT_CONFIGURATION;
}

/** The Node that npm installed for this platform among the package's dependencies, or beside the package. */
function findRuntime() {
  const isWindows = process.platform === "win32";
  const target = (isWindows ? "win" : process.platform) + "-" + process.arch;
  const packages = ["node-" + target, "node-bin-" + target, "node"];
  const folders = [path.join(packageRoot, "node_modules"), path.dirname(packageRoot)];
  for (const folder of folders)
    for (const name of packages) {
      const file = path.join(folder, name, "bin", isWindows ? "node.exe" : "node");
      if (existsSync(file)) return file;
    }
  return undefined;
}

/** Runs this file again with `runtime` and ends with its exit code, or with 128 plus the number of its signal. */
function startAgain(runtime) {
  const child = require("child_process").spawn(runtime, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: Object.assign({}, process.env, { [STARTED_BY]: String(process.pid) }),
  });
  // A signal to this process is meant for the program. Windows has sent Ctrl-C to both, and would end the program at once here.
  const pass = (signal) => process.platform !== "win32" && child.kill(signal);
  for (const signal of STOPPING) process.on(signal, pass);
  child.on("error", (error) => fail("the runtime " + runtime + " does not start: " + error.code));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? code : 128 + require("os").constants.signals[signal];
  });
}

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

const isChild = process.env[STARTED_BY] === String(process.ppid);
delete process.env[STARTED_BY];
if (process.env.npm_command === "exec") followShell();

if (isSupported(process.versions.node)) {
  const { run } = require("./run.js");
  run(packageRoot, isChild);
} else {
  const runtime = isChild ? undefined : findRuntime();
  if (runtime !== undefined) startAgain(runtime);
  else
    fail(
      "this is Node " + process.versions.node + ", which cannot run it; install Node 24.15 or later of 24",
    );
}
