/**
 * Whether the database that is open is still the file at its path. Who moves, deletes or replaces it under a process that
 * has it open takes nothing from that process, which goes on in a file that nobody finds again.
 */
import { statSync } from "node:fs";

/** Answers whether the database `file` and its log are the files that they were when first seen; true where nothing was ever seen. */
export function createAnchor(file: string): () => boolean {
  // SQLite removes the log with its last connection, and so never while one of ours is open. The newest documents are in it.
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

/** No other file has it as long as this one is open. Undefined where there is none. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // Whatever hides it: nobody finds there what is written.
    return undefined;
  }
}
