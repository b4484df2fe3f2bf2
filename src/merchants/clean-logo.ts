/**
 * Decodes and re-encodes a logo when it is set. This rejects broken images before the first PDF needs them, and leaves a form
 * that pdfkit can embed: pdfkit 0.20 draws interlaced, paletted and some transparent PNG files wrongly.
 */
import { convertIndexedToRgb, decode, type DecodedPng, encode, hasPngSignature } from "fast-png";
import jpeg from "jpeg-js";
import type { Text } from "../foundation/text.ts";
import { type ImageParts, readJpegParts, readPngParts } from "./image-parts.ts";

/** In each direction. Far more than is visible at the printed size. */
const LOGO_PIXELS_MAX = 2000;
/** A progressive JPEG has about ten. */
const SCANS_MAX = 100;

const NOT_AN_IMAGE: Text = { en: "must be a PNG or JPEG image", el: "πρέπει να είναι εικόνα PNG ή JPEG" };
const TOO_MANY_PIXELS: Text = {
  en: `must be at most ${LOGO_PIXELS_MAX} by ${LOGO_PIXELS_MAX} pixels`,
  el: `πρέπει να είναι το πολύ ${LOGO_PIXELS_MAX} επί ${LOGO_PIXELS_MAX} εικονοστοιχεία`,
};
const TOO_MANY_SCANS: Text = {
  en: `must have at most ${SCANS_MAX} scans; save it as an ordinary JPEG`,
  el: `πρέπει να έχει το πολύ ${SCANS_MAX} σαρώσεις· αποθηκεύστε την ως απλή JPEG`,
};

function damaged(format: string): Text {
  return {
    en: `is a damaged ${format} file; save it again`,
    el: `είναι φθαρμένο αρχείο ${format}· αποθηκεύστε το ξανά`,
  };
}

const ONE_TRANSPARENT_COLOR: Text = {
  en: "is a PNG file with one transparent colour; save it with an alpha channel, or without transparency",
  el: "είναι αρχείο PNG με ένα διαφανές χρώμα· αποθηκεύστε το με κανάλι άλφα ή χωρίς διαφάνεια",
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
  if (parts === undefined) return { problem: damaged(format) };
  // Checked before decoding, which allocates memory for all pixels, and goes over them once for each scan.
  if (!fits(parts)) return { problem: TOO_MANY_PIXELS };
  if (parts.scans > SCANS_MAX) return { problem: TOO_MANY_SCANS };
  const sent = parts.bytes;
  try {
    return format === "PNG" ? cleanPng(sent) : { sent, embedded: cleanJpeg(sent) };
  } catch {
    return { problem: damaged(format) };
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
  if (sent[PNG_COLOR_TYPE_AT] === INDEXED && image.palette === undefined) return { problem: damaged("PNG") };
  if (image.transparency !== undefined) return { problem: ONE_TRANSPARENT_COLOR };
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
