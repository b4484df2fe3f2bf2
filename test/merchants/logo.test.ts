import fc from "fast-check";
import { decode } from "fast-png";
import jpegJs from "jpeg-js";
import { describe, expect, test } from "vitest";
import type { Text } from "../../src/foundation/text.ts";
import { type CleanLogo, cleanLogo } from "../../src/merchants/clean-logo.ts";
import { readLogo } from "../../src/merchants/paper-input.ts";
import { buildJpeg, buildPng } from "../helpers/pictures.ts";

const png = (options: Parameters<typeof buildPng>[0]) => buildPng(options).toString("base64");
const jpeg = (options?: Parameters<typeof buildJpeg>[0]) => buildJpeg(options).toString("base64");
const PALETTE = [["PLTE", Buffer.from([0, 0, 0, 255, 255, 255])]] as const;
const TRANSPARENT = [...PALETTE, ["tRNS", Buffer.from([0])]] as const;

const ONE_CLEAR = [["tRNS", Buffer.from([0, 255])]] as const;

/** Two pixels wide; `palette` and `transparent` are bytes. */
function paletted(options: {
  palette: number;
  transparent?: number;
  rows?: number[][];
  depth?: number;
  width?: number;
}): string {
  const { palette, transparent, rows = [[0, 0, 0]], depth, width = 2 } = options;
  const chunks = [
    ["PLTE", Buffer.alloc(palette)] as const,
    ...(transparent === undefined ? [] : [["tRNS", Buffer.alloc(transparent, 200)] as const]),
  ];
  const pixels = Buffer.from(rows.flat());
  return png({ colorType: 3, width, height: rows.length, chunks, pixels, ...(depth && { depth }) });
}

/** Reads and cleans a logo as setting it does, and returns the form that PDFs embed. */
function accept(text: string): Buffer | { problem: Text } {
  const logo = clean(text);
  return "problem" in logo ? logo : Buffer.from(logo.embedded);
}

function clean(text: string): CleanLogo | { problem: Text } {
  const bytes = readLogo(text);
  return "problem" in bytes ? bytes : cleanLogo(bytes);
}

/** The pixels of a PNG, whether its values are 8 or 16 bits. */
function pixelsOf(logo: Buffer | { problem: Text }) {
  if ("problem" in logo) throw new Error(logo.problem.en);
  const { width, height, channels, depth, data, palette, transparency } = decode(logo);
  expect([palette, transparency]).toEqual([undefined, undefined]);
  return { width, height, channels, depth, data: [...data] };
}

describe("a logo", () => {
  test.each([
    ["a PNG", png({}), 4],
    ["a PNG as a data: URL", `data:image/png;base64,${png({})}`, 4],
    ["a grey PNG of one bit", png({ colorType: 0, depth: 1, width: 9 }), 3],
    ["a PNG with a palette", png({ colorType: 3, chunks: PALETTE }), 3],
    ["a PNG with a palette and transparency", png({ colorType: 3, chunks: TRANSPARENT }), 4],
    ["a small palette with transparency", png({ colorType: 3, depth: 4, chunks: TRANSPARENT }), 4],
    ["a PNG of 256 colours", paletted({ palette: 768, rows: [[0, 255, 0]] }), 3],
    ["256 colours, some transparent", paletted({ palette: 768, transparent: 9, rows: [[0, 255, 0]] }), 4],
    ["an RGB PNG with a palette", png({ colorType: 2, chunks: PALETTE }), 3],
    ["an interlaced PNG", png({ interlaced: true, width: 1, height: 1 }), 4],
    ["a PNG of 16 bits", png({ colorType: 2, depth: 16 }), 3],
    ["the largest PNG", png({ width: 2000, height: 2000, colorType: 0 }), 1],
  ])("is stored with a color for each pixel if it is %s", (_name, text, channels) => {
    expect(pixelsOf(accept(text))).toMatchObject({ channels });
  });

  test("keeps the colors of its pixels", () => {
    const grey = png({ colorType: 0, depth: 2, width: 4, height: 1, pixels: Buffer.from([0, 0b00011011]) });
    expect(pixelsOf(accept(grey)).data).toEqual([0, 0, 0, 85, 85, 85, 170, 170, 170, 255, 255, 255]);
    const clear = png({
      colorType: 3,
      width: 2,
      height: 1,
      chunks: TRANSPARENT,
      pixels: Buffer.from([0, 0, 1]),
    });
    expect(pixelsOf(accept(clear)).data).toEqual([0, 0, 0, 0, 255, 255, 255, 255]);
  });

  test.each([
    ["a JPEG", jpeg()],
    ["a JPEG as a data: URL", `data:image/jpeg;base64,${jpeg()}`],
    ["a JPEG as image/jpg", `data:image/jpg;base64,${jpeg()}`],
  ])("is stored as a baseline JPEG if it is %s", (_name, text) => {
    const logo = accept(text);
    if ("problem" in logo) throw new Error(logo.problem.en);
    expect(logo.includes(Buffer.from([0xff, 0xc0]))).toBe(true);
    expect(jpegJs.decode(logo)).toMatchObject({ width: 8, height: 8 });
  });

  const SECRET = Buffer.from("taken at 37.97, 23.73");
  /** A JPEG with a segment after its start. */
  function withSegment(marker: number, content: Buffer): string {
    const head = Buffer.from([0xff, marker, content.length >> 8, (content.length & 0xff) + 2]);
    return Buffer.concat([buildJpeg().subarray(0, 2), head, content, buildJpeg().subarray(2)]).toString(
      "base64",
    );
  }

  test.each([
    ["the comment of a JPEG", withSegment(0xfe, SECRET)],
    ["the Exif of a JPEG", withSegment(0xe1, SECRET)],
    ["what follows the end of a JPEG", Buffer.concat([buildJpeg(), SECRET]).toString("base64")],
    ["the text of a PNG", png({ chunks: [["tEXt", SECRET]] })],
    ["what follows the end of a PNG", Buffer.concat([buildPng(), SECRET]).toString("base64")],
  ])("is stored without %s, in both forms", (_what, text) => {
    const logo = clean(text);
    if ("problem" in logo) throw new Error(logo.problem.en);
    expect(Buffer.from(logo.sent).includes(SECRET)).toBe(false);
    expect(Buffer.from(logo.embedded).includes(SECRET)).toBe(false);
    expect(clean(Buffer.from(logo.sent).toString("base64"))).toEqual(logo);
  });

  /** Decoding goes over all pixels once for each scan: 100 KB of scans took eight seconds. */
  test("of very many scans is refused before it is decoded", () => {
    const file = buildJpeg({ width: 16, height: 16 });
    const scan = file.subarray(file.indexOf(Buffer.from([0xff, 0xda])), -2);
    const withScans = (count: number) =>
      Buffer.concat([file.subarray(0, -2), ...Array(count).fill(scan), file.subarray(-2)]).toString("base64");
    expect(accept(withScans(99))).toBeInstanceOf(Buffer);
    expect(accept(withScans(100))).toMatchObject({
      problem: { en: expect.stringMatching(/is damaged or of a rare form/) },
    });
  });

  const whole = buildPng();
  const broken = Buffer.from(whole);
  broken.writeUInt8(whole[45]! ^ 1, 45);
  const arithmetic = buildJpeg();
  arithmetic.writeUInt8(0xc9, arithmetic.indexOf(Buffer.from([0xff, 0xc0])) + 1);

  test.each([
    ["a path", "/etc/passwd", /PNG or JPEG image, as a data: URL/],
    ["an address", "https://example.com/logo.png", /as a data: URL/],
    ["a vector image", "data:image/svg+xml;base64,PHN2Zy8+", /as a data: URL/],
    ["nothing", "", /as a data: URL/],
    ["not an image", Buffer.from("not an image").toString("base64"), /must be a PNG or JPEG image$/],
    ["one byte", "AA==", /must be a PNG or JPEG image$/],
    ["too many bytes", "A".repeat(136_540), /at most 102400 bytes/],
    ["a text that is too long", "A".repeat(200_000), /at most 102400 bytes/],
    ["too many pixels", png({ width: 2001, height: 1, colorType: 0 }), /2000 by 2000 pixels/],
    ["no pixels", png({ width: 0 }), /2000 by 2000 pixels/],
    ["a truncated PNG", whole.subarray(0, -20).toString("base64"), /is damaged or of a rare form/],
    ["a PNG with a wrong checksum", broken.toString("base64"), /is damaged or of a rare form/],
    ["a PNG with too few pixels", png({ pixels: Buffer.alloc(3) }), /is damaged or of a rare form/],
    ["a PNG with an unknown filter", png({ pixels: Buffer.alloc(51, 9) }), /is damaged or of a rare form/],
    ["a PNG with an unknown colour type", png({ colorType: 5 }), /is damaged or of a rare form/],
    ["a PNG without its palette", png({ colorType: 3 }), /is damaged or of a rare form/],
    ["a PNG with a truncated palette", paletted({ palette: 7 }), /is damaged or of a rare form/],
    [
      "a PNG with a colour outside its palette",
      paletted({ palette: 6, rows: [[0, 0, 2]] }),
      /is damaged or of a rare form/,
    ],
    [
      "a PNG with more transparencies than colours",
      paletted({ palette: 3, transparent: 2 }),
      /is damaged or of a rare form/,
    ],
    ["a grey PNG with one transparent colour", png({ colorType: 0, chunks: ONE_CLEAR }), /an alpha channel/],
    ["a truncated JPEG", buildJpeg().subarray(0, -4).toString("base64"), /is damaged or of a rare form/],
    ["an arithmetic JPEG", arithmetic.toString("base64"), /is damaged or of a rare form/],
    ["a JPEG with too many pixels", jpeg({ width: 2001, height: 1 }), /2000 by 2000 pixels/],
  ])("is rejected if it is %s", (_name, text, problem) => {
    expect(accept(text)).toMatchObject({ problem: { en: expect.stringMatching(problem) } });
  });

  test("of random bytes never throws, and its problem never repeats what was sent", () => {
    const start = fc.constantFrom(buildPng().subarray(0, 40), buildJpeg().subarray(0, 12), Buffer.alloc(0));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 60 }), (begin, rest) => {
        const text = Buffer.concat([begin, rest]).toString("base64");
        const logo = accept(text);
        if ("problem" in logo && text.length > 3) expect(logo.problem.en).not.toContain(text);
      }),
    );
  });
});
