/**
 * What `webhooks listen` keeps in the data directory: its secret, how far each receiver has come, and which events were
 * asked for again. It is not in the database, because it belongs to the developer's machine and not to what is issued.
 */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePath } from "../../../storage/folder.ts";
import { writeOwnFile } from "../../../storage/own-file.ts";

/** Where the files lie. It is there from the first `webhooks listen` on, and not before. */
export function listeningFolder(dataDir: string): string {
  return join(dataDir, "listening");
}

export function makeListeningFolder(dataDir: string): string {
  const folder = listeningFolder(dataDir);
  makePath(folder);
  return folder;
}

/** Puts `text` in the place of what `file` held: whoever reads finds the old text or the new, never half of one. */
export function replaceOwnFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  // What a process of the same number left when it was killed.
  rmSync(draft, { force: true });
  writeOwnFile(draft, text, "wx");
  renameSync(draft, file);
}
