"use strict";
// The executable's entry point: unpacks the program into the user's cache, once per build, and runs it from there. Native
// modules need real files.

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");

/** The configuration or the storage cannot be used (docs/contract.md#exit-codes). */
const EXIT_CONFIGURATION = 78;

/** Mode bits that group and others must not have: whoever can write the unpacked program decides what runs. */
const OTHERS_WRITE = 0o022;

class UnpackError extends Error {}

function cacheFolder() {
  const { env, platform } = process;
  if (env.XDG_CACHE_HOME) return path.join(env.XDG_CACHE_HOME, "fiscal");
  if (platform === "win32")
    return path.join(env.LOCALAPPDATA || path.join(os.homedir(), "AppData", "Local"), "fiscal", "Cache");
  if (platform === "darwin") return path.join(os.homedir(), "Library", "Caches", "fiscal");
  return path.join(os.homedir(), ".cache", "fiscal");
}

function digestOf(content) {
  return createHash("sha256").update(content).digest("hex");
}

/** Throws if the executable was cut off or changed. */
function readFile(file, sha256) {
  const content = Buffer.from(getRawAsset(file));
  if (digestOf(content) === sha256) return content;
  throw new UnpackError("this executable is damaged; download it again and compare its checksum");
}

function writeFile(file, content) {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = fs.openSync(file, "wx", 0o600);
  try {
    fs.writeFileSync(descriptor, content);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Unpacks to a temporary folder, then renames it, so that `folder` is always complete, even after an interruption. */
function unpack(folder, files) {
  fs.mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  const temporary = fs.mkdtempSync(`${folder}.`);
  try {
    for (const [file, sha256] of Object.entries(files))
      writeFile(path.join(temporary, file), readFile(file, sha256));
    fs.renameSync(temporary, folder);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    // Another process of the same build was faster.
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Refuses a folder that others own or can write to. On Windows, user profiles are private anyway. */
function checkOwner(folder) {
  if (process.platform === "win32") return;
  const { uid, mode } = fs.statSync(folder);
  if (uid !== process.getuid() || (mode & OTHERS_WRITE) !== 0)
    throw new UnpackError(`other users can write to ${folder}; remove it, and it will be created again`);
}

/** A damaged native module would crash the process instead of failing with an error. */
function checkNativePart(folder, file, sha256) {
  if (digestOf(fs.readFileSync(path.join(folder, file))) !== sha256)
    throw new UnpackError(`${folder} is damaged; remove it, and it will be created again`);
}

function prepare() {
  const { id, native, files } = JSON.parse(getAsset("build", "utf8"));
  const folder = path.join(cacheFolder(), `program-${id.slice(0, 16)}`);
  try {
    if (!fs.existsSync(folder)) unpack(folder, files);
    checkOwner(folder);
    checkNativePart(folder, native, files[native]);
  } catch (error) {
    if (error instanceof UnpackError) throw error;
    const why = `the program cannot be unpacked to ${folder} (${error.code ?? error.message})`;
    throw new UnpackError(`${why}; set XDG_CACHE_HOME to unpack to another folder`);
  }
  return folder;
}

function main() {
  let folder;
  try {
    folder = prepare();
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    process.stderr.write(`fiscal: ${error.message}\n`);
    process.exitCode = EXIT_CONFIGURATION;
    return;
  }
  createRequire(path.join(folder, "bin", "run.js"))("./run.js").run();
}

main();
