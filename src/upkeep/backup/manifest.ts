/**
 * The manifest of a backup: what it contains, and whether it can be restored here, readable without opening it. It is at the end of the
 * file: a line break, the manifest as JSON, its SHA-256 in hexadecimal, its length in 8 hexadecimal digits, and 8 characters that
 * identify the format. It follows the last page of the database, where SQLite does not read. Any tool can open the file, and the
 * manifest cannot get lost.
 */
import * as v from "valibot";
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";

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
  /** The version of fiscal that made it. */
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

const MAGIC = "FISCALB1";
const LENGTH_DIGITS = 8;
const SHA_DIGITS = 64;
const FOOTER_BYTES = SHA_DIGITS + LENGTH_DIGITS + MAGIC.length;
/** Manifests have some hundred bytes. */
const MANIFEST_BYTES_MAX = 65_536;

/** The checksum proves only that the JSON is unchanged, so its form is checked too. */
const ManifestText = v.pipe(v.string(), v.parseJson(), ManifestSchema);
const NewerSchema = v.object({ object: v.literal("backup"), format: v.pipe(v.number(), v.minValue(2)) });
const NewerText = v.pipe(v.string(), v.parseJson(), NewerSchema);

function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function buildTrailer(manifest: Manifest): Buffer {
  const json = Buffer.from(`\n${JSON.stringify(manifest)}`);
  const length = json.length.toString(16).padStart(LENGTH_DIGITS, "0");
  return Buffer.concat([json, Buffer.from(`${sha256(json)}${length}${MAGIC}`)]);
}

export type Trailer =
  | { kind: "manifest"; manifest: Manifest }
  /** A newer fiscal made it, in an unknown version of the manifest. */
  | { kind: "newer" }
  /** The file has no trailer. */
  | { kind: "none" }
  /** The trailer is damaged or does not fit the file. */
  | { kind: "broken" };

export async function readTrailer(file: FileHandle): Promise<Trailer> {
  const { size } = await file.stat();
  if (size < FOOTER_BYTES) return { kind: "none" };
  const footer = (await readAt(file, size - FOOTER_BYTES, FOOTER_BYTES)).toString("latin1");
  if (!footer.endsWith(MAGIC)) return { kind: "none" };
  const digits = footer.slice(SHA_DIGITS, -MAGIC.length);
  const length = /^[0-9a-f]+$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
  if (!(length <= MANIFEST_BYTES_MAX && length + FOOTER_BYTES < size)) return { kind: "broken" };
  const json = await readAt(file, size - FOOTER_BYTES - length, length);
  if (sha256(json) !== footer.slice(0, SHA_DIGITS)) return { kind: "broken" };
  const text = json.toString();
  if (v.is(NewerText, text)) return { kind: "newer" };
  const read = v.safeParse(ManifestText, text);
  const isWhole = read.success && read.output.bytes + length + FOOTER_BYTES === size;
  return isWhole ? { kind: "manifest", manifest: read.output } : { kind: "broken" };
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
