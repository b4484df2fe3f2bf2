"use strict";
// Run by npm after `npm ci` and `npm install` in a clone: builds with the Node that npm installed. In syntax that Node 12 can read.

const { spawnSync } = require("child_process");
const { existsSync } = require("fs");
const path = require("path");

const IS_WINDOWS = process.platform === "win32";
const root = path.dirname(__dirname);

/** npm before 11 installs the runtime without linking it: it removes the link together with the packages of other platforms. */
function linkRuntime() {
  if (existsSync(path.join(root, "node_modules", ".bin", "node"))) return;
  const options = { cwd: root, stdio: ["ignore", "ignore", "inherit"] };
  spawnSync(process.execPath, [process.env.npm_execpath, "rebuild", "--ignore-scripts"], options);
}

// npx of npm 9 to 11 runs this script at each command, when a server may be running what was built.
if (process.env.npm_command !== "exec") {
  linkRuntime();
  // npm has put `node_modules/.bin` first in PATH. On Windows the program there is a script.
  const { status } = spawnSync("node", ["build.ts"], { cwd: root, stdio: "inherit", shell: IS_WINDOWS });
  process.exitCode = status === null ? 1 : status;
}
