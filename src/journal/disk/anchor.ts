/**
 * Detects when the open database is no longer the file at its path. A process keeps writing to a file that was moved, deleted or
 * replaced, and everything written there would be lost.
 */
import { statSync } from "node:fs";

/** Returns a check whether `file` and its log are still the files first seen; true if none was ever seen. */
export function createAnchor(file: string): () => boolean {
  // The newest documents are in the log, which SQLite does not remove while one of our connections is open.
  const parts = [anchorOf(file), anchorOf(`${file}-wal`)];
  return () => parts.every((isSame) => isSame());
}

function anchorOf(file: string): () => boolean {
  let first: string | undefined;
  return () => {
    const now = identityOf(file);
    first ??= now;
    return now === first;
  };
}

/** Unique as long as the file is open. Undefined if there is no file. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // Whatever the reason, nothing written to the path can be found there.
    return undefined;
  }
}
