/**
 * The logo of a merchant's paper: checked when it is set, so that a file that is damaged or too large is refused there and
 * not found by the first document that is printed.
 */
import { crc32, inflateSync } from "node:zlib";

export interface Logo {
  bytes: Buffer;
}

/** A logo goes into every PDF of the merchant, and lies in its settings. */
const LOGO_BYTES_MAX = 102_400;
/** In either direction; at the size that it is printed in that is far more than paper shows. */
const LOGO_PIXELS_MAX = 2000;
/** The length of a data: URL with this many bytes. */
export const LOGO_TEXT_LENGTH_MAX = 40 + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The image in `text`, a data: URL or its base64 alone; or what is wrong with it. */
export function readLogo(text: string): Logo | { problem: string } {
  if (text.length > LOGO_TEXT_LENGTH_MAX) return { problem: `must be at most ${LOGO_BYTES_MAX} bytes` };
  const base64 = text.replace(DATA_URL, "");
  if (!BASE64.test(base64) || base64.length % 4 !== 0)
    return { problem: "must be a PNG or JPEG image, as a data: URL (data:image/png;base64,…) or in base64" };
  const bytes = Buffer.from(base64, "base64");
  if (bytes.length > LOGO_BYTES_MAX) return { problem: `must be at most ${LOGO_BYTES_MAX} bytes` };
  const problem = problemWith(bytes);
  return problem === undefined ? { bytes } : { problem };
}

function problemWith(bytes: Buffer): string | undefined {
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return problemWithPng(bytes);
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === JPEG_START) return problemWithJpeg(bytes);
  return "must be a PNG or JPEG image";
}

const DAMAGED_PNG = "is a damaged PNG file; save it again";

interface PngHeader {
  width: number;
  height: number;
  depth: number;
  colorType: number;
  isInterlaced: boolean;
}

/** Samples a pixel, and the depths that there are, by colour type (PNG specification, 11.2.2). */
const PNG_COLOR_TYPES: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
const INDEXED = 3;

function problemWithPng(bytes: Buffer): string | undefined {
  const chunks = readChunks(bytes);
  if (chunks === undefined) return DAMAGED_PNG;
  const header = readHeader(chunks.find(({ type }) => type === "IHDR")?.data);
  if (header === undefined || chunks[0]?.type !== "IHDR") return DAMAGED_PNG;
  const tooLarge = problemWithSize(header.width, header.height);
  if (tooLarge !== undefined) return tooLarge;
  if (header.isInterlaced) return "is an interlaced PNG file; save it without interlacing";
  const has = (name: string) => chunks.some(({ type }) => type === name);
  if (header.colorType === INDEXED && !has("PLTE")) return DAMAGED_PNG;
  if (header.colorType === INDEXED && header.depth < 8 && has("tRNS"))
    return "is a PNG file of few colours with transparency; save it with 8 bits a colour";
  const data = Buffer.concat(chunks.filter(({ type }) => type === "IDAT").map((chunk) => chunk.data));
  return arePixelsWhole(header, data) ? undefined : DAMAGED_PNG;
}

/** Undefined where a chunk is cut off or its checksum is wrong, or the end is missing. */
function readChunks(bytes: Buffer): { type: string; data: Buffer }[] | undefined {
  const chunks: { type: string; data: Buffer }[] = [];
  let at = PNG_SIGNATURE.length;
  while (at + 12 <= bytes.length) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) return undefined;
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return undefined;
    const type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "IEND") return chunks;
    chunks.push({ type, data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return undefined;
}

function readHeader(data: Buffer | undefined): PngHeader | undefined {
  if (data?.length !== 13) return undefined;
  const [depth = 0, colorType = -1, compression, filter, interlacing = -1] = data.subarray(8);
  const isKnown = PNG_COLOR_TYPES[colorType]?.depths.includes(depth) === true;
  if (!isKnown || compression !== 0 || filter !== 0 || interlacing < 0 || interlacing > 1) return undefined;
  return {
    width: data.readUInt32BE(0),
    height: data.readUInt32BE(4),
    depth,
    colorType,
    isInterlaced: interlacing === 1,
  };
}

/** The library that draws it inflates it where nobody catches what goes wrong: this does it first, within bounds. */
function arePixelsWhole({ width, height, depth, colorType }: PngHeader, data: Buffer): boolean {
  const rowBytes = 1 + Math.ceil((width * depth * PNG_COLOR_TYPES[colorType]!.samples) / 8);
  const expected = rowBytes * height;
  let pixels: Buffer;
  try {
    pixels = inflateSync(data, { maxOutputLength: expected });
  } catch {
    return false;
  }
  if (pixels.length !== expected) return false;
  for (let row = 0; row < height; row += 1) if (pixels[row * rowBytes]! > 4) return false;
  return true;
}

const JPEG_START = 0xffd8;
const JPEG_END = 0xffd9;
const JPEG_SCAN = 0xda;
/** Baseline, extended and progressive frames: what PDF readers decode. */
const JPEG_FRAMES: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2]);
const DAMAGED_JPEG = "is a damaged JPEG file; save it again";

/** Walks the segments to the scan. What the scan draws is for the reader of the paper to decode. */
function problemWithJpeg(bytes: Buffer): string | undefined {
  if (bytes.readUInt16BE(bytes.length - 2) !== JPEG_END) return DAMAGED_JPEG;
  let hasFrame = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return DAMAGED_JPEG;
    const marker = bytes[at + 1]!;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return DAMAGED_JPEG;
    if (marker === JPEG_SCAN) return hasFrame ? undefined : DAMAGED_JPEG;
    if (JPEG_FRAMES.has(marker)) {
      const problem = problemWithFrame(bytes.subarray(at + 4, at + 2 + length));
      if (problem !== undefined) return problem;
      hasFrame = true;
    }
    at += 2 + length;
  }
  return DAMAGED_JPEG;
}

/** Precision, height, width, number of components. */
function problemWithFrame(frame: Buffer): string | undefined {
  if (frame.length < 6 || frame[0] !== 8) return DAMAGED_JPEG;
  if (frame[5] !== 1 && frame[5] !== 3) return "is a JPEG file in CMYK; save it in RGB";
  return problemWithSize(frame.readUInt16BE(3), frame.readUInt16BE(1));
}

function problemWithSize(width: number, height: number): string | undefined {
  const fits = width >= 1 && height >= 1 && width <= LOGO_PIXELS_MAX && height <= LOGO_PIXELS_MAX;
  return fits ? undefined : `must be at most ${LOGO_PIXELS_MAX} by ${LOGO_PIXELS_MAX} pixels`;
}
