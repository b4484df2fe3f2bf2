"use strict";
// What the executable runs first: it unpacks the program that it carries into the user's cache, once for each build, and
// runs it from there. A file of its own is what the database's native part needs to be loaded, and what Node's cache
// of compiled code is kept for.

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { gunzipSync } = require("node:zlib");

/** decisions 13, Exit: configuration or storage. */
const EXIT_CONFIGURATION = 78;

/** What others may not do with the unpacked program: whoever writes there decides what is run. */
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

/** The files by their paths. Throws where the executable is not what was built: cut short, or changed. */
function readArchive(id) {
  const plain = gunzipSync(Buffer.from(getRawAsset("archive")));
  if (createHash("sha256").update(plain).digest("hex") !== id)
    throw new UnpackError("this executable is damaged; get it again, and compare its checksum");
  const end = plain.indexOf("\n");
  let offset = end + 1;
  return JSON.parse(plain.toString("utf8", 0, end)).map(([file, length]) => {
    const content = plain.subarray(offset, offset + length);
    offset += length;
    return [file, content];
  });
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

/** Beside its place first, then moved there whole: what lies in its place is complete, however often this is interrupted. */
function unpack(folder, id) {
  const files = readArchive(id);
  fs.mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
  const temporary = fs.mkdtempSync(`${folder}.`);
  try {
    for (const [file, content] of files) writeFile(path.join(temporary, file), content);
    fs.renameSync(temporary, folder);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    // Another process of the same build was there first.
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Another user's folder, or one that others write to, is not run. Windows keeps the user's profile to the user by itself. */
function checkOwner(folder) {
  if (process.platform === "win32") return;
  const { uid, mode } = fs.statSync(folder);
  if (uid !== process.getuid() || (mode & OTHERS_WRITE) !== 0)
    throw new UnpackError(`others can write to ${folder}; remove it, and it is made again`);
}

/** The native part is mapped as it lies there: a damaged one would crash the process instead of telling. */
function checkNativePart(folder, { file, sha256 }) {
  const content = fs.readFileSync(path.join(folder, file));
  if (createHash("sha256").update(content).digest("hex") !== sha256)
    throw new UnpackError(`${folder} is damaged; remove it, and it is made again`);
}

function prepare() {
  const { id, native } = JSON.parse(getAsset("build", "utf8"));
  const folder = path.join(cacheFolder(), `program-${id.slice(0, 16)}`);
  try {
    if (!fs.existsSync(folder)) unpack(folder, id);
    checkOwner(folder);
    checkNativePart(folder, native);
  } catch (error) {
    if (error instanceof UnpackError) throw error;
    const why = `the program cannot be unpacked to ${folder} (${error.code ?? error.message})`;
    throw new UnpackError(`${why}; XDG_CACHE_HOME names another folder to unpack to`);
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
  const { run } = createRequire(path.join(folder, "bin", "run.js"))("./run.js");
  run(folder, false);
}

main();
