/** Builds small images for logos, valid or broken in any way that a test needs. */
import { crc32, deflateSync } from "node:zlib";
import jpeg from "jpeg-js";

export interface PngOptions {
  width?: number;
  height?: number;
  depth?: number;
  /** 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  colorType?: number;
  interlaced?: boolean;
  /** More chunks after the header. */
  chunks?: readonly (readonly [type: string, data: Buffer])[];
  /** The pixels with their filter bytes; all zero by default. */
  pixels?: Buffer;
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function chunkOf(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}

export function buildPng(options: PngOptions = {}): Buffer {
  const { width = 4, height = 3, depth = 8, colorType = 6, interlaced = false, chunks = [] } = options;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colorType, 0, 0, interlaced ? 1 : 0], 8);
  const rowBytes = 1 + Math.ceil((width * depth * (SAMPLES[colorType] ?? 1)) / 8);
  const pixels = options.pixels ?? Buffer.alloc(rowBytes * height);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf("IHDR", header),
    ...chunks.map(([type, data]) => chunkOf(type, data)),
    chunkOf("IDAT", deflateSync(pixels)),
    chunkOf("IEND", Buffer.alloc(0)),
  ]);
}

/** A baseline JPEG of one colour. */
export function buildJpeg({ width = 8, height = 8 } = {}): Buffer {
  return jpeg.encode({ width, height, data: Buffer.alloc(width * height * 4, 120) }, 80).data;
}
