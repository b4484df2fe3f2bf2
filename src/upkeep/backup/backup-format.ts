/**
 * The form of a backup: the database, and behind it the manifest, which says what it contains and whether it can be restored here. SQLite
 * does not read behind the last page, so any tool can open the file, and the manifest cannot get lost: a line break, the manifest as JSON,
 * its SHA-256 in hexadecimal, its length in 8 hexadecimal digits, and 8 characters that identify the format.
 *
 * A passphrase encrypts the file: scrypt derives the key, and AES-256-GCM encrypts piece by piece, so that a backup of any size needs a few
 * megabytes of memory. A piece's nonce is its position and whether it is the last, so that pieces cannot be removed, exchanged or
 * truncated. The header is additional data of each piece. Its random salt makes the key unique to the file.
 */
import { createCipheriv, createDecipheriv, hash, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import * as v from "valibot";
import { type FileHandle, open } from "node:fs/promises";

/** The tables whose rows are counted when the backup is made, and again when it is restored. */
export const COUNTED_TABLES = [
  "merchants",
  "connections",
  "documents",
  "events",
  "webhook_endpoints",
  "api_keys",
  "provider_calls",
  "requests",
] as const;

export const ManifestSchema = v.object({
  object: v.literal("backup"),
  /** Version of the manifest. Unknown versions are rejected. */
  format: v.literal(1),
  program: v.string(),
  /** The schema of the database in it. */
  schema: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** When the copy began; a UTC instant. */
  created: v.pipe(v.string(), v.isoTimestamp()),
  /** Length of the database, without manifest and encryption. */
  bytes: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  /** SHA-256 of the database, in hexadecimal. */
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Rows by table, for the tables that the schema has. */
  counts: v.record(v.string(), v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  /** Id of the newest event; null if there is none. */
  last_event: v.nullable(v.string()),
});

export type Manifest = v.InferOutput<typeof ManifestSchema>;

const MANIFEST_MAGIC = "FISCALB1";
const LENGTH_DIGITS = 8;
const SHA_DIGITS = 64;
const FOOTER_BYTES = SHA_DIGITS + LENGTH_DIGITS + MANIFEST_MAGIC.length;
/** Manifests have some hundred bytes. */
const MANIFEST_BYTES_MAX = 65_536;

/** The checksum proves only that the JSON is unchanged, so its form is checked too. */
const ManifestText = v.pipe(v.string(), v.parseJson(), ManifestSchema);
const NewerSchema = v.object({ object: v.literal("backup"), format: v.pipe(v.number(), v.minValue(2)) });
const NewerText = v.pipe(v.string(), v.parseJson(), NewerSchema);

export function buildTrailer(manifest: Manifest): Buffer {
  const json = Buffer.from(`\n${JSON.stringify(manifest)}`);
  const length = json.length.toString(16).padStart(LENGTH_DIGITS, "0");
  return Buffer.concat([json, Buffer.from(`${hash("sha256", json)}${length}${MANIFEST_MAGIC}`)]);
}

type Trailer =
  | { kind: "manifest"; manifest: Manifest }
  /** A newer fiscal made it, in an unknown version of the manifest. */
  | { kind: "newer" }
  | { kind: "none" }
  /** The trailer is damaged or does not fit the file. */
  | { kind: "broken" };

export async function readTrailer(path: string): Promise<Trailer> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size < FOOTER_BYTES) return { kind: "none" };
    const footer = (await readAt(file, size - FOOTER_BYTES, FOOTER_BYTES)).toString("latin1");
    if (!footer.endsWith(MANIFEST_MAGIC)) return { kind: "none" };
    const digits = footer.slice(SHA_DIGITS, -MANIFEST_MAGIC.length);
    const length = /^[0-9a-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
    if (!(length <= MANIFEST_BYTES_MAX && length + FOOTER_BYTES < size)) return { kind: "broken" };
    const json = await readAt(file, size - FOOTER_BYTES - length, length);
    if (hash("sha256", json) !== footer.slice(0, SHA_DIGITS)) return { kind: "broken" };
    const text = json.toString();
    if (v.is(NewerText, text)) return { kind: "newer" };
    const read = v.safeParse(ManifestText, text);
    const isWhole = read.success && read.output.bytes + length + FOOTER_BYTES === size;
    return isWhole ? { kind: "manifest", manifest: read.output } : { kind: "broken" };
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}

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
