"use strict";
// Makes `npm run` find the Node of packaging/runtime. npm 7 and 8 link programs of a local folder's optional packages only
// in `npm rebuild`. In syntax that Node 12 can read (docs/decisions/0012).

const { execFileSync } = require("child_process");
const { existsSync } = require("fs");
const path = require("path");

const root = path.resolve(__dirname, "../..");

if (process.env.npm_execpath && !existsSync(path.join(root, "node_modules", ".bin", "node")))
  execFileSync(process.execPath, [process.env.npm_execpath, "rebuild", "--ignore-scripts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
