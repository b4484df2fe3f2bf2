/**
 * A backup under a passphrase: scrypt makes the key, AES-256-GCM seals piece by piece, so that a backup of any size goes
 * through a few megabytes of memory. Each piece's nonce is its place and whether it is the last one: pieces cannot be
 * left out, swapped or cut off. The header is additional data of each, and the key is of this one file.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

const MAGIC = Buffer.from("FISCALE1");
const SALT_BYTES = 16;
/** Magic, the logarithm of scrypt's cost, salt. */
const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES;
/** 128 MB and some tenths of a second for each guess. */
const COST_LOG = 17;
/** A header that asks for more than a gigabyte is not one of ours. */
const COST_LOG_MAX = 20;
const BLOCK_SIZE = 8;
const PIECE_BYTES = 1_048_576;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);

export function isEncrypted(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, MAGIC.length));
}

/** The passphrase is another one, or the file is not what was written: nobody can tell the two apart. */
export class UnreadableBackup extends Error {
  override readonly name = "UnreadableBackup";
}

async function keyOf(passphrase: string, header: Buffer): Promise<Buffer> {
  const costLog = header[MAGIC.length] ?? 0;
  if (costLog > COST_LOG_MAX || costLog < 1) throw new UnreadableBackup();
  const N = 2 ** costLog;
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * N * BLOCK_SIZE };
  return deriveKey(passphrase.normalize("NFC"), header.subarray(MAGIC.length + 1), 32, options);
}

function nonceOf(place: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(place), 0);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** The encrypted file of `plain`, piece by piece. */
export async function* encrypt(plain: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from([COST_LOG]), randomBytes(SALT_BYTES)]);
  const key = await keyOf(passphrase, header);
  yield header;
  let place = 0;
  for await (const { piece, isLast } of inPieces(plain, PIECE_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(place, isLast)).setAAD(header);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
    place += 1;
  }
}

/** What was encrypted. Throws UnreadableBackup, at the first piece that does not open. */
export async function* decrypt(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  let header: Buffer | undefined;
  let key: Buffer | undefined;
  let place = 0;
  for await (const { piece, isLast } of inPieces(sealed, PIECE_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (header === undefined || key === undefined) {
      header = piece;
      if (isLast || header.length !== HEADER_BYTES || !isEncrypted(header)) throw new UnreadableBackup();
      key = await keyOf(passphrase, header);
      continue;
    }
    yield openPiece(piece, key, nonceOf(place, isLast), header);
    place += 1;
  }
}

function openPiece(piece: Buffer, key: Buffer, nonce: Buffer, header: Buffer): Buffer {
  const end = piece.length - TAG_BYTES;
  if (end < 0) throw new UnreadableBackup();
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(header).setAuthTag(piece.subarray(end));
  try {
    return Buffer.concat([decipher.update(piece.subarray(0, end)), decipher.final()]);
  } catch (error) {
    throw new UnreadableBackup(undefined, { cause: error });
  }
}

/** `source` in pieces of `size` bytes, the first of `firstSize`; the last may be shorter, and is there also where it is empty. */
async function* inPieces(
  source: AsyncIterable<Uint8Array>,
  size: number,
  firstSize = size,
): AsyncGenerator<{ piece: Buffer; isLast: boolean }> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  let wanted = firstSize;
  for await (const chunk of source) {
    waiting.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    bytes += chunk.length;
    // One byte more than a piece: only then is it known not to be the last.
    while (bytes > wanted) {
      const all = Buffer.concat(waiting);
      yield { piece: all.subarray(0, wanted), isLast: false };
      waiting = [all.subarray(wanted)];
      bytes -= wanted;
      wanted = size;
    }
  }
  yield { piece: Buffer.concat(waiting), isLast: true };
}
