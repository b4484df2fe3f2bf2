/** Small files for their owner alone, each on disk before anything relies on it. */
import { randomBytes } from "node:crypto";
import { closeSync, fchmodSync, fsyncSync, linkSync, openSync, unlinkSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./folder.ts";
import { codeOf } from "./system-errors.ts";

const FILE_MODE = 0o600;

/** Writes a file for its owner alone, and is back when it is on disk. `flags` as of open(2): `wx` fails where there is one. */
export function writePrivateFile(file: string, text: string, flags: "a" | "wx"): void {
  const handle = openSync(file, flags, FILE_MODE);
  try {
    // Whatever the umask.
    fchmodSync(handle, FILE_MODE);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Writes `text` beside its place and links it there, so that two processes that do it together agree on one: where there is
 * a file already it stays. Whoever reads finds it whole.
 */
export function createPrivateFileOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    writePrivateFile(draft, text, "wx");
    linkSync(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    removeDraft(draft);
  }
  syncFolder(dirname(file));
}

function removeDraft(draft: string): void {
  try {
    unlinkSync(draft);
  } catch (error) {
    // It was never made: what kept it from being made is told.
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EROFS") throw error;
  }
}
