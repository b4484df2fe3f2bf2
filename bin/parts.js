"use strict";
// Loads the parts of the built program (packaging/packs.ts) with the compiled code that an earlier run of the same command kept.
// Node's own compile cache keeps only what is compiled when a file is loaded, without the functions that are called later, and is
// read and checked file by file (docs/decisions/0002).

const { isAscii } = require("node:buffer");
const fs = require("node:fs");
const path = require("node:path");
const { Script } = require("node:vm");
const { crc32 } = require("node:zlib");

/** Of one build: enough for every command. Words that only look like a command must not fill the disk. */
const KEPT_MAX = 250;

/** The flags of all commands that take the next word as their value. */
const VALUED_FLAGS = new Set(["--config", "--data-dir", "--lang"]);

/** The noun and the verb of a command line, for example `documents-show`. */
function commandOf(args) {
  const words = [];
  for (let at = 0; at < args.length && words.length < 2; at += 1) {
    if (VALUED_FLAGS.has(args[at])) at += 1;
    else if (!args[at].startsWith("-")) words.push(args[at]);
  }
  return words.filter((word) => /^[a-z_-]+$/.test(word)).join("-") || "none";
}

/** V8 rejects code that was compiled with other flags, so each set of flags has a folder of its own. */
function folderOf(build) {
  const { version, arch, execArgv, env } = process;
  const flags = [...execArgv, env.NODE_OPTIONS].join(" ").replaceAll(/[^\w.=-]/g, "_");
  return [version, arch, build, flags.slice(0, 100)].join("-");
}

/**
 * Reads what `writeKept` wrote: the compiled code of files, by their names. Empty if there is none, or it is damaged: V8 does not
 * check that, and would crash.
 */
function readKept(file) {
  try {
    const [checksum, content] = splitLine(fs.readFileSync(file));
    if (crc32(content) !== checksum) return new Map();
    const [lengths, code] = splitLine(content);
    let at = 0;
    return new Map(lengths.map(([name, length]) => [name, code.subarray(at, (at += length))]));
  } catch {
    // Without compiled code, a start takes longer.
    return new Map();
  }
}

/** The JSON in the first line, and what follows. */
function splitLine(bytes) {
  const end = bytes.indexOf("\n");
  return [JSON.parse(bytes.latin1Slice(0, end)), bytes.subarray(end + 1)];
}

function writeKept(file, kept) {
  const folder = path.dirname(file);
  const lengths = [...kept].map(([name, { length }]) => [name, length]);
  const content = Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...kept.values()]);
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (fs.readdirSync(folder).length >= KEPT_MAX) return;
    replaceFile(file, Buffer.concat([Buffer.from(`${crc32(content)}\n`), content]));
  } catch {
    // The folder cannot be written, the disk is full, or on Windows another process reads the file.
  }
}

/** Other processes see either the old file or the whole new one, even after a power cut. */
function replaceFile(file, bytes) {
  const temporary = `${file}.${process.pid}`;
  try {
    fs.writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
    fs.renameSync(temporary, file);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
}

/** Reads `file` at once. With `utf8` readFileSync takes many small steps; for ASCII, V8 needs half the memory. */
function readSource(file) {
  const bytes = fs.readFileSync(file);
  return isAscii(bytes) ? bytes.latin1Slice() : bytes.utf8Slice();
}

/** Loads parts from the file `entry` and the folder `parts` beside it, with compiled code from `kept`. */
function createLoader(entry, entrySource, kept) {
  const folder = path.join(path.dirname(entry), "parts");
  const functions = new Map();
  const modules = new Map();
  const loader = { part, scripts: new Map(), isComplete: true };

  /** Each file is an expression: an object with the functions of its parts. */
  function loadFile(file) {
    const isEntry = file === path.basename(entry);
    const filename = isEntry ? entry : path.join(folder, file);
    const source = isEntry ? entrySource : readSource(filename);
    const script = new Script(source, { filename, cachedData: kept.get(file) });
    if (script.cachedDataRejected !== false) loader.isComplete = false;
    loader.scripts.set(file, script);
    for (const [name, run] of Object.entries(script.runInThisContext()))
      functions.set(name, { run, filename });
  }

  /** The exports of the part `name`, which runs once, as modules do; it is in `file`. */
  function part(name, file = name) {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    if (!functions.has(name)) loadFile(file);
    const module = { exports: {} };
    modules.set(name, module);
    try {
      const { run, filename } = functions.get(name);
      run(module.exports, requireFrom, module, filename, folder);
    } catch (error) {
      modules.delete(name);
      throw error;
    }
    return module.exports;
  }

  /** What parts get as `require`: `./` is before the names of parts. */
  function requireFrom(id, file) {
    return id.startsWith("./") ? part(id.slice(2), file) : require(id);
  }
  requireFrom.resolve = require.resolve;

  return loader;
}

/**
 * Opens the program whose entry is the file `entry`. `cache` is a folder for compiled code, undefined if there is none; `args` is
 * the command line.
 */
exports.openProgram = function openProgram(entry, cache, args) {
  const source = readSource(entry);
  // The first line names the build.
  const [, build] = /^\/\/ (\w+)\n/.exec(source) ?? [];
  const isKept = cache !== undefined && build !== undefined;
  const file = isKept ? path.join(cache, "compiled", folderOf(build), commandOf(args)) : undefined;
  const kept = isKept ? readKept(file) : new Map();
  const loader = createLoader(entry, source, kept);
  return {
    exports: loader.part(path.basename(entry)),
    /** Keeps the compiled code of all functions that ran, for the next run of this command. */
    keep() {
      if (!isKept || loader.isComplete) return;
      for (const [name, script] of loader.scripts) kept.set(name, script.createCachedData());
      writeKept(file, kept);
    },
  };
};
