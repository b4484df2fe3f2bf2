/**
 * Whether the database that is open is still the file at its path. Who moves, deletes or replaces it under a process that
 * has it open takes nothing from that process, which goes on in a file that nobody finds again.
 */
import { statSync } from "node:fs";

/** Answers whether `file` is the one that it was at the first asking; always true where it was not there then. */
export function createAnchor(file: string): () => boolean {
  let first: string | undefined;
  return () => {
    const now = identityOf(file);
    first ??= now;
    return now === first;
  };
}

/** No other file has it as long as one of them is open. Undefined where there is none. */
function identityOf(file: string): string | undefined {
  try {
    const { dev, ino } = statSync(file, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    // Whatever hides it: nobody finds there what is written.
    return undefined;
  }
}
