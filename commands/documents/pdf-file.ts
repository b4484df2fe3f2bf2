/** Writing a PDF to its place: whole, or not at all. */
import { lstat } from "node:fs/promises";
import { asUsageError } from "../input.ts";
import { startFileAt } from "../output-file.ts";

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
  const file = await startFileAt(path, name);
  try {
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw asUsageError(error, name);
  }
}
