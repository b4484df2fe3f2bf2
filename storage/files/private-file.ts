/** Writes small files that only their owner can read, and syncs them to disk. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { syncFolder } from "./folder.ts";
import { codeOf } from "../database/system-errors.ts";
import { keepFromOthers } from "./windows-access.ts";

const FILE_MODE = 0o600;

/** Writes a file that only its owner can read, and syncs it. With `wx` it fails if the file exists. */
export function writePrivateFile(file: string, text: string, flags: "a" | "wx"): void {
  if (process.platform === "win32" && flags === "wx") return createInPrivateFolder(file, text);
  write(file, text, flags);
}

/** On Windows a file has the access list of its folder from the start, so the text is written in a folder that is closed before. */
function createInPrivateFolder(file: string, text: string): void {
  // Takes the name; nothing is ever written into this file.
  closeSync(openSync(file, "wx"));
  const folder = mkdtempSync(`${file}.`);
  try {
    keepFromOthers(folder);
    const draft = join(folder, "draft");
    write(draft, text, "wx");
    renameSync(draft, file);
  } catch (error) {
    unlinkSync(file);
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(file: string, text: string, flags: "a" | "wx"): void {
  const handle = openSync(file, flags, FILE_MODE);
  try {
    // Independent of the umask.
    fchmodSync(handle, FILE_MODE);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Creates `file` with `text` unless it exists. A complete draft is linked to the name, so that two processes that do this at
 * once end with the same file, and readers never see a part of it.
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
    // The draft was never created; the error that prevented it is thrown.
    if (codeOf(error) !== "ENOENT" && codeOf(error) !== "EROFS") throw error;
  }
}
