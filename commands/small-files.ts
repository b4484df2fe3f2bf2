/** Reads files that are known to be small, such as secrets, byte for byte. */
import { UsageError } from "./exit.ts";
import { nameOf, readBytes } from "./input.ts";
import type { ProgramIo } from "./io.ts";

/** The bytes of `file`; `-` is standard input. Throws UsageError, in particular for more than `bytesMax`. */
export async function readSmallFile(io: ProgramIo, file: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(io, file)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const { en, el } = nameOf(file);
      throw new UsageError({
        en: `${en} has more than ${bytesMax} bytes; check that it is the right file`,
        el: `${el}: έχει πάνω από ${bytesMax} byte· δείτε μήπως είναι λάθος αρχείο`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
