/**
 * The logo of a merchant's paper: checked when it is set, so that a file that is damaged or too large is refused there and
 * not found by the first document that is printed.
 */
import { problemWithSize } from "./logo-size.ts";
import { isPng, problemWithPng } from "./png.ts";

export interface Logo {
  bytes: Buffer;
}

/** A logo goes into every PDF of the merchant, and lies in its settings. */
const LOGO_BYTES_MAX = 102_400;
/** The length of a data: URL with this many bytes. */
export const LOGO_TEXT_LENGTH_MAX = 40 + Math.ceil(LOGO_BYTES_MAX / 3) * 4;

const DATA_URL = /^data:image\/(?:png|jpe?g);base64,/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

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
  if (isPng(bytes)) return problemWithPng(bytes);
  if (bytes.length >= 4 && bytes.readUInt16BE(0) === JPEG_START) return problemWithJpeg(bytes);
  return "must be a PNG or JPEG image";
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
