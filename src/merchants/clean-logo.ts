/**
 * Decodes and re-encodes a logo when it is set. This rejects broken images before the first PDF needs them, and leaves a form
 * that pdfkit can embed: pdfkit 0.20 draws interlaced, paletted and some transparent PNG files wrongly.
 */
import { convertIndexedToRgb, decode, type DecodedPng, encode, hasPngSignature } from "fast-png";
import jpeg from "jpeg-js";
import type { Text } from "../foundation/text.ts";

/** In each direction. Far more than is visible at the printed size. */
const LOGO_PIXELS_MAX = 2000;

const NOT_AN_IMAGE: Text = { en: "must be a PNG or JPEG image", el: "πρέπει να είναι εικόνα PNG ή JPEG" };
const TOO_MANY_PIXELS: Text = {
  en: `must be at most ${LOGO_PIXELS_MAX} by ${LOGO_PIXELS_MAX} pixels`,
  el: `πρέπει να είναι το πολύ ${LOGO_PIXELS_MAX} επί ${LOGO_PIXELS_MAX} εικονοστοιχεία`,
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

/** Returns `bytes` as a PNG or JPEG file that pdfkit can embed, or what is wrong with them. */
export function cleanLogo(bytes: Buffer): Buffer | { problem: Text } {
  if (hasPngSignature(bytes)) return cleanPng(bytes);
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === JPEG_START) return cleanJpeg(bytes);
  return { problem: NOT_AN_IMAGE };
}

const JPEG_START = 0xffd8;

/** Offsets of width, height and color type in a PNG file (PNG specification, 11.2.2). */
const PNG_SIZE_AT = 16;
const PNG_COLOR_TYPE_AT = 25;
const INDEXED = 3;

function cleanPng(bytes: Buffer): Buffer | { problem: Text } {
  if (bytes.length <= PNG_COLOR_TYPE_AT) return { problem: damaged("PNG") };
  // Checked before decoding, which allocates memory for all pixels.
  const [width, height] = [bytes.readUInt32BE(PNG_SIZE_AT), bytes.readUInt32BE(PNG_SIZE_AT + 4)];
  if (!fits(width, height)) return { problem: TOO_MANY_PIXELS };
  try {
    const image = decode(bytes, { checkCrc: true });
    if (bytes[PNG_COLOR_TYPE_AT] === INDEXED && image.palette === undefined)
      return { problem: damaged("PNG") };
    if (image.transparency !== undefined) return { problem: ONE_TRANSPARENT_COLOR };
    return Buffer.from(encode(withoutPalette(image)));
  } catch {
    return { problem: damaged("PNG") };
  }
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

function cleanJpeg(bytes: Buffer): Buffer | { problem: Text } {
  try {
    const { width, height, data } = jpeg.decode(bytes, { ...JPEG_LIMITS, tolerantDecoding: false });
    if (!fits(width, height)) return { problem: TOO_MANY_PIXELS };
    // Leaves out comments and Exif, which jpeg-js would otherwise copy.
    return jpeg.encode({ width, height, data }, JPEG_QUALITY).data;
  } catch {
    return { problem: damaged("JPEG") };
  }
}

function fits(width: number, height: number): boolean {
  return width >= 1 && height >= 1 && width <= LOGO_PIXELS_MAX && height <= LOGO_PIXELS_MAX;
}
