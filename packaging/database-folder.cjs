"use strict";
// Part of the program: the folder of better-sqlite3, which is bundled except for its native module.

const { existsSync } = require("node:fs");
const path = require("node:path");

/** The parts are in `dist/parts`. */
const packageRoot = path.dirname(path.dirname(__dirname));

/** npm installs it in the package or beside it. Finding it by its name would take some milliseconds. */
const usual = [path.join(packageRoot, "node_modules"), path.dirname(packageRoot)]
  .map((folder) => path.join(folder, "better-sqlite3"))
  .find(existsSync);

exports.databaseFolder = usual ?? path.dirname(require.resolve("better-sqlite3/package.json"));
