#!/usr/bin/env node
"use strict";
// The door: the right Node, then the program. In CommonJS (bin/package.json) and in the words of an old Node, so that
// every Node reads it and gets as far as the check (docs/decisions/0001).

const { existsSync } = require("fs");
const path = require("path");

/** decisions 13, Exit: configuration or storage. */
const EXIT_CONFIGURATION = 78;

/**
 * Holds the id of the process that handed over. Its child, when it does not fit either, ends instead of handing on for
 * ever; and it knows that file descriptor 3 is its lifeline.
 */
const HANDED_OVER_BY = "FISCAL_HANDED_OVER_BY";

/** How soon the program notices that the shell of npx is gone. */
const SHELL_CHECK_MS = 250;

const packageRoot = path.dirname(__dirname);

/** Whether `version` is within the `engines` of package.json: better-sqlite3 crashes on what is older. */
function isSuitable(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

function fail(message) {
  process.stderr.write("fiscal: " + message + "\n");
  process.exitCode = EXIT_CONFIGURATION;
}

/** The runtime that npm installed: with the package's own dependencies, or beside it where it is a dependency itself. */
function findRuntime() {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const folders = [path.join(packageRoot, "node_modules"), path.dirname(packageRoot)];
  return folders.map((folder) => path.join(folder, "node", "bin", name)).find((file) => existsSync(file));
}

/** Runs this file again with `runtime`, and ends as it ends: with its exit code, or 128 and the number of its signal. */
function handOver(runtime) {
  const child = require("child_process").spawn(runtime, process.argv.slice(1), {
    stdio: ["inherit", "inherit", "inherit", "pipe"],
    env: Object.assign({}, process.env, { [HANDED_OVER_BY]: String(process.pid) }),
  });
  // Who ends this process means the program.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail("the runtime " + runtime + " does not start: " + error.code));
  child.on("exit", (code, signal) => {
    process.exitCode = signal === null ? code : 128 + require("os").constants.signals[signal];
  });
}

/** npx runs the program through a shell that dies of SIGTERM without passing it on: whoever stops npx means the program. */
function followShell() {
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, SHELL_CHECK_MS);
  timer.unref();
}

const wasHandedOver = process.env[HANDED_OVER_BY] === String(process.ppid);
delete process.env[HANDED_OVER_BY];
if (process.env.npm_command === "exec") followShell();

if (isSuitable(process.versions.node)) {
  const { run } = require("./run.js");
  run(packageRoot, wasHandedOver);
} else {
  const runtime = wasHandedOver ? undefined : findRuntime();
  if (runtime !== undefined) handOver(runtime);
  else
    fail(
      "this is Node " + process.versions.node + ", which cannot run it; install Node 24.15 or later of 24",
    );
}
