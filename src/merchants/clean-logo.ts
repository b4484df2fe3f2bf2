/**
 * Decodes and re-encodes a logo when it is set, after a look at its parts. This rejects broken images before the first PDF needs them,
 * removes metadata (where and when a picture was taken), and leaves a form that pdfkit can embed: pdfkit 0.20 draws interlaced, paletted
 * and some transparent PNG files wrongly.
 */
import { convertIndexedToRgb, decode, type DecodedPng, encode, hasPngSignature } from "fast-png";
import jpeg from "jpeg-js";
import type { Text } from "../foundation/text.ts";

/** In each direction. Far more than is visible at the printed size. */
const LOGO_PIXELS_MAX = 2000;
/** A progressive JPEG has about ten. */
const SCANS_MAX = 100;

const NOT_AN_IMAGE: Text = { en: "must be a PNG or JPEG image", el: "πρέπει να είναι εικόνα PNG ή JPEG" };
const TOO_MANY_PIXELS: Text = {
  en: `must be at most ${LOGO_PIXELS_MAX} by ${LOGO_PIXELS_MAX} pixels`,
  el: `πρέπει να είναι το πολύ ${LOGO_PIXELS_MAX} επί ${LOGO_PIXELS_MAX} εικονοστοιχεία`,
};
const NOT_ORDINARY: Text = {
  en: "is damaged or of a rare form; save it again as an ordinary JPEG, or as a PNG whose transparency is an alpha channel",
  el: "είναι φθαρμένη ή σε σπάνια μορφή· αποθηκεύστε την ξανά ως απλή JPEG, ή ως PNG με τη διαφάνεια σε κανάλι άλφα",
};

/** A logo in two forms: as it was sent, without metadata, and as pdfkit can embed it. */
export interface CleanLogo {
  sent: Uint8Array;
  embedded: Uint8Array;
}

/** Returns the logo in `bytes`, or what is wrong with them. Takes up to some seconds of the processor. */
export function cleanLogo(bytes: Buffer): CleanLogo | { problem: Text } {
  const format = formatOf(bytes);
  if (format === undefined) return { problem: NOT_AN_IMAGE };
  const parts = format === "PNG" ? readPngParts(bytes) : readJpegParts(bytes);
  if (parts === undefined) return { problem: NOT_ORDINARY };
  // Checked before decoding, which allocates memory for all pixels, and goes over them once for each scan.
  if (!fits(parts)) return { problem: TOO_MANY_PIXELS };
  if (parts.scans > SCANS_MAX) return { problem: NOT_ORDINARY };
  const sent = parts.bytes;
  try {
    return format === "PNG" ? cleanPng(sent) : { sent, embedded: cleanJpeg(sent) };
  } catch {
    return { problem: NOT_ORDINARY };
  }
}

const JPEG_START = 0xffd8;

function formatOf(bytes: Buffer): "PNG" | "JPEG" | undefined {
  if (hasPngSignature(bytes)) return "PNG";
  return bytes.length >= 4 && bytes.readUInt16BE(0) === JPEG_START ? "JPEG" : undefined;
}

/** Offset of the color type in a PNG file (PNG specification, 11.2.2). */
const PNG_COLOR_TYPE_AT = 25;
const INDEXED = 3;

function cleanPng(sent: Buffer): CleanLogo | { problem: Text } {
  const image = decode(sent, { checkCrc: true });
  const lacksPalette = sent[PNG_COLOR_TYPE_AT] === INDEXED && image.palette === undefined;
  if (lacksPalette || image.transparency !== undefined) return { problem: NOT_ORDINARY };
  return { sent, embedded: encode(withoutPalette(image)) };
}

/** Gives each pixel its color, with at least 8 bits a channel. */
function withoutPalette(
  image: DecodedPng,
): Pick<DecodedPng, "width" | "height" | "data" | "channels" | "depth"> {
  const { width, height, data, channels, depth } = image;
  const palette = image.palette ?? (depth < 8 ? buildGreys(depth) : undefined);
  if (palette === undefined) return { width, height, data, channels, depth };
  return {
    width,
    height,
    data: convertIndexedToRgb({ ...image, palette }),
    channels: palette[0]!.length,
    depth: 8,
  };
}

/** The shades of a grey image with fewer than 8 bits a pixel. */
function buildGreys(depth: number): number[][] {
  const count = 2 ** depth;
  return Array.from({ length: count }, (_, index) => {
    const shade = Math.round((index * 255) / (count - 1));
    return [shade, shade, shade];
  });
}

/** The loss is not visible at the printed size. */
const JPEG_QUALITY = 92;
/** Limits the memory for decoding. An image of LOGO_PIXELS_MAX in both directions fits. */
const JPEG_LIMITS = { maxResolutionInMP: 16, maxMemoryUsageInMB: 256 };

function cleanJpeg(sent: Buffer): Buffer {
  const { width, height, data } = jpeg.decode(sent, { ...JPEG_LIMITS, tolerantDecoding: false });
  return jpeg.encode({ width, height, data }, JPEG_QUALITY).data;
}

function fits({ width, height }: ImageParts): boolean {
  return width >= 1 && height >= 1 && width <= LOGO_PIXELS_MAX && height <= LOGO_PIXELS_MAX;
}

/** `bytes` is the file without comments, Exif and the like. `scans` is 1 for a PNG. */
interface ImageParts {
  width: number;
  height: number;
  scans: number;
  bytes: Buffer;
}

const PNG_SIGNATURE_BYTES = 8;
/** Those that decide how the pixels look (PNG specification, 11.2 and 11.3.2). */
const PNG_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"]);

/** Undefined if the file is cut off. */
function readPngParts(file: Buffer): ImageParts | undefined {
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
function readJpegParts(file: Buffer): ImageParts | undefined {
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
