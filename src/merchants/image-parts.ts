/**
 * Reads PNG and JPEG files by their parts, without decoding: what is checked before decoding, which can take seconds, and the file without
 * its metadata (where and when a picture was taken).
 */

/** `bytes` is the file without comments, Exif and the like. `scans` is 1 for a PNG. */
export interface ImageParts {
  width: number;
  height: number;
  scans: number;
  bytes: Buffer;
}

const PNG_SIGNATURE_BYTES = 8;
/** Those that decide how the pixels look (PNG specification, 11.2 and 11.3.2). */
const PNG_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** Undefined if the file is cut off. */
export function readPngParts(file: Buffer): ImageParts | undefined {
  if (file.length < PNG_SIGNATURE_BYTES + 16) return undefined;
  const kept = [file.subarray(0, PNG_SIGNATURE_BYTES)];
  for (let at = PNG_SIGNATURE_BYTES; at < file.length; ) {
    if (at + 12 > file.length) return undefined;
    // Length, type, content, checksum.
    const end = at + 12 + file.readUInt32BE(at);
    if (end > file.length) return undefined;
    const type = file.toString("latin1", at + 4, at + 8);
    if (PNG_CHUNKS.has(type)) kept.push(file.subarray(at, end));
    at = type === "IEND" ? file.length : end;
  }
  return {
    width: file.readUInt32BE(16),
    height: file.readUInt32BE(20),
    scans: 1,
    bytes: Buffer.concat(kept),
  };
}

const JPEG_START_OF_SCAN = 0xda;
const JPEG_END = 0xd9;
const JPEG_COMMENT = 0xfe;
/** APP0 and APP14 say how colours are stored; the other APP segments are metadata. */
const JPEG_APP_FIRST = 0xe0;
const JPEG_APP_ADOBE = 0xee;
const JPEG_APP_LAST = 0xef;

/** Undefined if the file is cut off, or is not made of segments (ITU-T T.81, annex B). */
export function readJpegParts(file: Buffer): ImageParts | undefined {
  const parts = { width: 0, height: 0, scans: 0 };
  const kept = [file.subarray(0, 2)];
  for (let at = 2; ; ) {
    if (at + 4 > file.length || file[at] !== 0xff) {
      if (file[at] === 0xff && file[at + 1] === JPEG_END) break;
      return undefined;
    }
    const marker = file[at + 1]!;
    if (marker === JPEG_END) break;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const contentEnd = at + 2 + file.readUInt16BE(at + 2);
    if (isFrame(marker) && at + 9 <= file.length) {
      parts.height = file.readUInt16BE(at + 5);
      parts.width = file.readUInt16BE(at + 7);
    }
    if (marker === JPEG_START_OF_SCAN) parts.scans += 1;
    const end = marker === JPEG_START_OF_SCAN ? findMarker(file, contentEnd) : contentEnd;
    if (!isMetadata(marker)) kept.push(file.subarray(at, end));
    at = end;
  }
  return { ...parts, bytes: Buffer.concat([...kept, Buffer.from([0xff, JPEG_END])]) };
}

/** SOF0 to SOF15, without the three markers among them that begin tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isMetadata(marker: number): boolean {
  if (marker === JPEG_COMMENT) return true;
  return marker > JPEG_APP_FIRST && marker <= JPEG_APP_LAST && marker !== JPEG_APP_ADOBE;
}

/** Where the compressed data from `at` ends: at the next marker that is neither an escaped 0xff nor a restart. */
function findMarker(file: Buffer, at: number): number {
  for (let place = file.indexOf(0xff, at); place !== -1; place = file.indexOf(0xff, place + 1)) {
    const next = file[place + 1];
    if (next !== undefined && next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return place;
  }
  return file.length;
}
