/**
 * Encrypts a backup with a passphrase: scrypt derives the key, and AES-256-GCM encrypts the file piece by piece, so that a
 * backup of any size needs a few megabytes of memory. A piece's nonce is its position and whether it is the last, so that
 * pieces cannot be removed, exchanged or truncated. The header is additional data of each piece. Its random salt makes the key
 * unique to the file.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

const MAGIC = Buffer.from("FISCALE1");
const SALT_BYTES = 16;
/** Magic, binary logarithm of scrypt's cost, salt. */
const HEADER_BYTES = MAGIC.length + 1 + SALT_BYTES;
/** Each guess costs 128 MB and some tenths of a second. Any other cost in a header is refused before the memory is used. */
const COST_LOG = 17;
const BLOCK_SIZE = 8;
const PIECE_BYTES = 1_048_576;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

const deriveKey = promisify<string, Buffer, number, object, Buffer>(scrypt);

export function isEncrypted(start: Uint8Array): boolean {
  return MAGIC.equals(start.subarray(0, MAGIC.length));
}

function isHeader(header: Buffer): boolean {
  return header.length === HEADER_BYTES && isEncrypted(header) && header[MAGIC.length] === COST_LOG;
}

/** The passphrase is wrong or the file was changed. The two cannot be distinguished. */
export class UnreadableBackup extends Error {
  override readonly name = "UnreadableBackup";
}

async function keyOf(passphrase: string, header: Buffer): Promise<Buffer> {
  const N = 2 ** COST_LOG;
  const options = { N, r: BLOCK_SIZE, p: 1, maxmem: 2 * 128 * N * BLOCK_SIZE };
  return deriveKey(passphrase.normalize("NFC"), header.subarray(MAGIC.length + 1), 32, options);
}

function nonceOf(position: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(position), 0);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

/** Yields the encrypted file of `plain`, piece by piece. */
export async function* encrypt(plain: AsyncIterable<Uint8Array>, passphrase: string): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from([COST_LOG]), randomBytes(SALT_BYTES)]);
  const key = await keyOf(passphrase, header);
  yield header;
  let position = 0;
  for await (const { piece, isLast } of splitPieces(plain, PIECE_BYTES)) {
    const cipher = createCipheriv("aes-256-gcm", key, nonceOf(position, isLast)).setAAD(header);
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]);
    position += 1;
  }
}

/** Yields the plain file. Throws UnreadableBackup at the first piece that cannot be decrypted. */
export async function* decrypt(
  sealed: AsyncIterable<Uint8Array>,
  passphrase: string,
): AsyncGenerator<Buffer> {
  let header: Buffer | undefined;
  let key: Buffer | undefined;
  let position = 0;
  for await (const { piece, isLast } of splitPieces(sealed, PIECE_BYTES + TAG_BYTES, HEADER_BYTES)) {
    if (header === undefined || key === undefined) {
      header = piece;
      if (isLast || !isHeader(header)) throw new UnreadableBackup();
      key = await keyOf(passphrase, header);
      continue;
    }
    yield openPiece(piece, key, nonceOf(position, isLast), header);
    position += 1;
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

/** Splits `source` into pieces of `size` bytes, the first of `firstSize`. The last may be shorter or empty, but always exists. */
async function* splitPieces(
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
    // A piece is known not to be the last only when a byte follows it.
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
