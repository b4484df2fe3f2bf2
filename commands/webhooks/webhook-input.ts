/** Secrets and bodies of webhooks, read from files byte for byte: what a signature is over must not be touched. */
import { UsageError } from "../exit.ts";
import { nameOf, readBytes } from "../input.ts";
import type { ProgramIo } from "../io.ts";

/** Far above any secret; a wrong file is not read whole. */
const SECRET_BYTES_MAX = 4096;
/** Far above the largest event: a document in it is without its lines, and a full timeline is some 10 KB. */
const BODY_BYTES_MAX = 4 * 1024 * 1024;

/** The secret in `file`, without the line break that editors and `echo` end a file with. Throws UsageError. */
export async function readSecretFile(io: ProgramIo, flag: string, file: string): Promise<Buffer> {
  const bytes = await readWhole(io, file, SECRET_BYTES_MAX);
  const secret = bytes.subarray(0, bytes.length - (/\r?\n$/.exec(bytes.toString("latin1"))?.[0].length ?? 0));
  if (secret.length === 0) throw new UsageError(`${flag} names a file that is empty`);
  return secret;
}

/** The bytes of `file`, which may be none. Throws UsageError. */
export function readBodyFile(io: ProgramIo, file: string): Promise<Buffer> {
  return readWhole(io, file, BODY_BYTES_MAX);
}

async function readWhole(io: ProgramIo, file: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(io, file)) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new UsageError(`${nameOf(file)} holds more than ${bytesMax} bytes: it is not what is meant`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
