"use strict";
// The standard streams of the process. In syntax that every Node can read, because bin/fiscal.js uses it too.

const { createReadStream, writeFileSync } = require("fs");
const { Writable } = require("stream");

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 };

/**
 * Returns `process.stdin`, `process.stdout` or `process.stderr`. On Windows, Node throws EBADF or EINVAL instead if the other
 * end is not a pipe of Windows itself, as with WSL, Wine, and some services and remote shells. Such pipes can still be used
 * like files.
 */
exports.openStream = function openStream(name) {
  try {
    return process[name];
  } catch {
    return name === "stdin" ? readAsFile(name) : writeAsFile(name);
  }
};

function readAsFile(name) {
  return createReadStream("", { fd: DESCRIPTORS[name], autoClose: false });
}

/** Waits for each write, so that nothing is lost when the process exits. */
function writeAsFile(name) {
  return new Writable({
    write(chunk, encoding, done) {
      try {
        writeFileSync(DESCRIPTORS[name], chunk);
        done();
      } catch (error) {
        done(error);
      }
    },
  });
}
