/**
 * The files of `webhooks listen` in the data directory: its secret, the position of each receiver, and the resend
 * requests. They are not in the database because they belong to the developer's machine, not to the issued documents.
 */
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makePath } from "../../../storage/files/folder.ts";
import { writePrivateFile } from "../../../storage/files/private-file.ts";

/** The folder of these files. The first `webhooks listen` creates it. */
export function listeningFolder(dataDir: string): string {
  return join(dataDir, "listening");
}

export function makeListeningFolder(dataDir: string): string {
  const folder = listeningFolder(dataDir);
  makePath(folder);
  return folder;
}

/** Replaces the content of `file` atomically. */
export function replaceOwnFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  // A killed process with the same id may have left a draft.
  rmSync(draft, { force: true });
  writePrivateFile(draft, text, "wx");
  renameSync(draft, file);
}
