/**
 * What `webhooks listen` keeps in the data directory: its secret, how far each receiver has come, and which events were
 * asked for again. It is not in the database, because it belongs to the developer's machine and not to what is issued.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makePath } from "../../../storage/folder.ts";

const FILE_MODE = 0o600;

/** Where the files lie. It is there from the first `webhooks listen` on, and not before. */
export function listeningFolder(dataDir: string): string {
  return join(dataDir, "listening");
}

export function makeListeningFolder(dataDir: string): string {
  const folder = listeningFolder(dataDir);
  makePath(folder);
  return folder;
}

/** Writes a file for its owner alone, and is back when it is on disk. `flags` as of open(2): `wx` fails where there is one. */
export function writeOwnFile(file: string, text: string, flags: "a" | "wx"): void {
  const handle = openSync(file, flags, FILE_MODE);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Puts `text` in the place of what `file` held: whoever reads finds the old text or the new, never half of one. */
export function replaceOwnFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  // What a process of the same number left when it was killed.
  rmSync(draft, { force: true });
  writeOwnFile(draft, text, "wx");
  renameSync(draft, file);
}
