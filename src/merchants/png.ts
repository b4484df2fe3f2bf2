/** PNG files as pdfkit 0.20 draws them: what it would draw wrongly, or fail at where nobody catches it, is found before. */
import { crc32, inflateSync } from "node:zlib";
import { problemWithSize } from "./logo-size.ts";

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
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

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE);
}

/** What keeps the image from being drawn as it is meant; undefined where nothing does. */
export function problemWithPng(bytes: Buffer): string | undefined {
  const chunks = readChunks(bytes);
  if (chunks === undefined) return DAMAGED_PNG;
  const header = readHeader(chunks.find(({ type }) => type === "IHDR")?.data);
  if (header === undefined || chunks[0]?.type !== "IHDR") return DAMAGED_PNG;
  const tooLarge = problemWithSize(header.width, header.height);
  if (tooLarge !== undefined) return tooLarge;
  if (header.isInterlaced) return "is an interlaced PNG file; save it without interlacing";
  const named = (name: string) => chunks.filter(({ type }) => type === name).map(({ data }) => data);
  const pixels = unpackPixels(header, Buffer.concat(named("IDAT")));
  if (pixels === undefined) return DAMAGED_PNG;
  const { 0: palette, length: palettes } = named("PLTE");
  const { 0: transparency } = named("tRNS");
  if (header.colorType !== INDEXED) return problemWithColors(palettes > 0, transparency !== undefined);
  if (palette === undefined || palettes > 1) return DAMAGED_PNG;
  if (header.depth < 8 && transparency !== undefined)
    return "is a PNG file of few colours with transparency; save it with 8 bits a colour";
  return problemWithPalette(highestIndex(header, pixels), palette, transparency);
}

/** The library that draws takes a palette and one transparent colour for something else where each pixel has its colour. */
function problemWithColors(hasPalette: boolean, hasTransparentColor: boolean): string | undefined {
  if (hasPalette) return "is a PNG file with a palette that its colours do not use; save it without";
  return hasTransparentColor
    ? "is a PNG file with one transparent colour; save it with an alpha channel, or without transparency"
    : undefined;
}

/** The library gives the last of 256 colours no transparency of its own where others have some. */
const TRANSPARENT_COLORS_MAX = 255;

function problemWithPalette(
  highest: number,
  palette: Buffer,
  transparency: Buffer | undefined,
): string | undefined {
  const colors = palette.length / 3;
  if (!Number.isInteger(colors) || colors > 256 || highest >= colors) return DAMAGED_PNG;
  if (transparency === undefined) return undefined;
  if (transparency.length > colors) return DAMAGED_PNG;
  return highest >= TRANSPARENT_COLORS_MAX && transparency.length <= TRANSPARENT_COLORS_MAX
    ? "is a PNG file of 256 colours with transparency; save it with an alpha channel, or with fewer colours"
    : undefined;
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

function rowLength({ width, depth, colorType }: PngHeader): number {
  return 1 + Math.ceil((width * depth * PNG_COLOR_TYPES[colorType]!.samples) / 8);
}

/**
 * The rows, each behind the byte of its filter; undefined where they are not whole. The library that draws them inflates
 * them where nobody catches what goes wrong: this does it first, within bounds.
 */
function unpackPixels(header: PngHeader, data: Buffer): Buffer | undefined {
  const rowBytes = rowLength(header);
  const expected = rowBytes * header.height;
  let pixels: Buffer;
  try {
    pixels = inflateSync(data, { maxOutputLength: expected });
  } catch {
    return undefined;
  }
  if (pixels.length !== expected) return undefined;
  for (let row = 0; row < header.height; row += 1) if (pixels[row * rowBytes]! > 4) return undefined;
  return pixels;
}

/** The highest index into the palette that a pixel has. Undoes the filters in `pixels` itself (PNG specification, 9.2). */
function highestIndex(header: PngHeader, pixels: Buffer): number {
  const rowBytes = rowLength(header);
  let highest = 0;
  for (let start = 0; start < pixels.length; start += rowBytes) {
    const filter = pixels[start]!;
    for (let at = start + 1; at < start + rowBytes; at += 1) {
      const left = at > start + 1 ? pixels[at - 1]! : 0;
      const up = start > 0 ? pixels[at - rowBytes]! : 0;
      const upLeft = start > 0 && at > start + 1 ? pixels[at - rowBytes - 1]! : 0;
      pixels[at] = pixels[at]! + predicted(filter, { left, up, upLeft });
      highest = Math.max(highest, highestIn(pixels[at]!, header, at - start - 1));
    }
  }
  return highest;
}

function predicted(
  filter: number,
  { left, up, upLeft }: { left: number; up: number; upLeft: number },
): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return Math.floor((left + up) / 2);
  if (filter === 0) return 0;
  const estimate = left + up - upLeft;
  const [byLeft, byUp, byBoth] = [left, up, upLeft].map((value) => Math.abs(estimate - value));
  if (byLeft! <= byUp! && byLeft! <= byBoth!) return left;
  return byUp! <= byBoth! ? up : upLeft;
}

/** The highest index among the pixels of one byte of a row; the bits behind the last pixel of the row say nothing. */
function highestIn(byte: number, { width, depth }: PngHeader, place: number): number {
  const perByte = 8 / depth;
  const count = Math.min(perByte, width - place * perByte);
  let highest = 0;
  for (let pixel = 0; pixel < count; pixel += 1) {
    const index = (byte >> (8 - depth * (pixel + 1))) & (2 ** depth - 1);
    highest = Math.max(highest, index);
  }
  return highest;
}
