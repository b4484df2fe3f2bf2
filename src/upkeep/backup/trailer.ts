/**
 * A backup is the database, and behind its last page the manifest: SQLite reads no further than its pages, so that any tool
 * opens the file, and manifest and checksum cannot get lost on the way. Behind the database stand a line break, the manifest
 * as JSON, its SHA-256 in hexadecimal, its length in 8 hexadecimal digits, and 8 characters that say what this is.
 */
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import * as v from "valibot";
import { type Manifest, ManifestSchema } from "./manifest.ts";

const MAGIC = "FISCALB1";
const LENGTH_DIGITS = 8;
const SHA_DIGITS = 64;
const FOOTER_BYTES = SHA_DIGITS + LENGTH_DIGITS + MAGIC.length;
/** A manifest has some hundred bytes. */
const MANIFEST_BYTES_MAX = 65_536;

/** Its own checksum says that it was written so, not that it is one of ours. */
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
  /** A newer fiscal made it, in a form that is not known here. */
  | { kind: "newer" }
  /** The file ends like no backup of fiscal. */
  | { kind: "none" }
  /** It ends like one, and what it says of itself is not what was written. */
  | { kind: "broken" };

/** Reads the end of the file. */
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
