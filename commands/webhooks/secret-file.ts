/** Reads webhook secrets from files. */
import { UsageError } from "../exit.ts";
import type { ProgramIo } from "../io.ts";
import { readSmallFile } from "../small-files.ts";

/** Far longer than any secret. */
const SECRET_BYTES_MAX = 4096;

/** The secret in `file`, without the line break that editors and `echo` add at the end. Throws UsageError. */
export async function readSecretFile(io: ProgramIo, flag: string, file: string): Promise<Buffer> {
  const bytes = await readSmallFile(io, file, SECRET_BYTES_MAX);
  const secret = bytes.subarray(0, bytes.length - (/\r?\n$/.exec(bytes.toString("latin1"))?.[0].length ?? 0));
  if (secret.length === 0)
    throw new UsageError({
      en: `${flag} names a file that is empty`,
      el: `η ${flag} ορίζει ένα αρχείο που είναι κενό`,
    });
  return secret;
}
