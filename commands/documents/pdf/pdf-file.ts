/** Writes a PDF file completely or not at all. */
import { lstat } from "node:fs/promises";
import { asUsageError } from "../../input.ts";
import { startFileAt } from "../../output-file.ts";

/** Also true for a broken link: writing to it would create a file at its target. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes `bytes` to a temporary file and moves it to `path`, so that an interrupted run leaves no partial file that the next
 * run would skip. `name` is the path for messages.
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
