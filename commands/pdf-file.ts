/** Writing a PDF to its place: whole, or not at all. */
import { randomUUID } from "node:crypto";
import { lstat, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { asUsageError } from "./input.ts";

/** A link that leads nowhere is there too: writing would put a file at its other end. */
export async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Puts `bytes` at `path`, beside it first: a run that ends in the middle leaves no half of a file, which the next one would
 * take for a whole. `name` is the path as it was given, for messages.
 */
export async function writePdf(path: string, name: string, bytes: Uint8Array): Promise<void> {
  const draft = join(dirname(path), `.fiscal-pdf-${randomUUID()}`);
  try {
    // As private as the customers on it.
    await writeFile(draft, bytes, { flag: "wx", mode: 0o600 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw asUsageError(error, name);
  }
}
