"use strict";
// Makes the standard streams usable wherever they lead. In syntax that every Node can read, because bin/fiscal.js uses it.

const { createReadStream, writeFileSync } = require("fs");

const DESCRIPTORS = { stdin: 0, stdout: 1, stderr: 2 };

/**
 * On Windows, `process.stdin`, `process.stdout` and `process.stderr` throw EBADF or EINVAL if the other end is not a pipe of Windows
 * itself, as with WSL, Wine, and some services and remote shells. Such a pipe is then used like a file. Parts of Node and
 * libraries use these properties too, so they are replaced.
 */
exports.repairStreams = function repairStreams() {
  for (const name of Object.keys(DESCRIPTORS)) {
    const { get } = Object.getOwnPropertyDescriptor(process, name);
    let stream;
    const open = () => {
      if (stream === undefined) stream = openStream(name, get);
      return stream;
    };
    Object.defineProperty(process, name, { configurable: true, enumerable: true, get: open });
  }
};

function openStream(name, get) {
  try {
    return get.call(process);
  } catch {
    return name === "stdin" ? readAsFile(name) : writeAsFile(name);
  }
}

function readAsFile(name) {
  return createReadStream("", { fd: DESCRIPTORS[name], autoClose: false });
}

/** Waits for each write, so that nothing is lost when the process exits. */
function writeAsFile(name) {
  // Loaded here, because it takes milliseconds and few processes need it.
  const { Writable } = require("stream");
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
