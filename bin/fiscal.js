#!/usr/bin/env node
"use strict";
// Entry point: checks the version of Node before it loads the program. Written in CommonJS (bin/package.json) and old syntax, so that
// every Node gets as far as the check (docs/decisions/0001-the-door.md).

const { repairStreams } = require("./streams.js");

/** docs/contract.md#exit-codes */
const EXIT_CONFIGURATION = 78;

/** Whether `version` satisfies `engines` of the package (packaging/manifest.ts). better-sqlite3 crashes on older versions. */
function isSupported(version) {
  const [major, minor, patch] = version.split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 2);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/** As the program itself chooses it from the environment. */
function readsGreek({ LC_ALL, LC_MESSAGES, LANG }) {
  return /^el([_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || "");
}

if (isSupported(process.versions.node)) {
  const { run } = require("./run.js");
  run();
} else {
  repairStreams();
  const version = process.versions.node;
  process.stderr.write(
    readsGreek(process.env)
      ? `fiscal: αυτό είναι το Node ${version}, με το οποίο δεν τρέχει· εγκαταστήστε το Node 24.15 ή νεότερο του 24, ή γράψτε \`npx fiscal\` σε έναν κλώνο, που φέρνει το δικό του\n`
      : `fiscal: this is Node ${version}, which cannot run it; install Node 24.15 or later of 24, or type \`npx fiscal\` in a clone, which brings its own\n`,
  );
  process.exitCode = EXIT_CONFIGURATION;
}
