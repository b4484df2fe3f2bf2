import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readLogo } from "../../src/merchants/logo.ts";
import { buildJpeg, buildPng } from "../helpers/pictures.ts";

const png = (options: Parameters<typeof buildPng>[0]) => buildPng(options).toString("base64");
const jpeg = (options: Parameters<typeof buildJpeg>[0]) => buildJpeg(options).toString("base64");
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

describe("a logo", () => {
  test.each([
    ["a PNG", png({})],
    ["a PNG as a data: URL", `data:image/png;base64,${png({})}`],
    ["a grey PNG of one bit", png({ colorType: 0, depth: 1, width: 9 })],
    ["a PNG with a palette", png({ colorType: 3, chunks: PALETTE })],
    ["a PNG with a palette and transparency", png({ colorType: 3, chunks: TRANSPARENT })],
    ["a PNG of 2 bits with bits left over", paletted({ palette: 6, depth: 2, width: 3, rows: [[0, 23]] })],
    [
      "a PNG whose filters stay in its palette",
      paletted({
        palette: 9,
        rows: [
          [1, 1, 1],
          [3, 2, 0],
          [4, 0, 255],
        ],
      }),
    ],
    ["a PNG of 256 colours", paletted({ palette: 768, rows: [[0, 255, 0]] })],
    [
      "a PNG of 256 colours, each with its transparency",
      paletted({ palette: 768, transparent: 256, rows: [[0, 255, 0]] }),
    ],
    ["a PNG of 16 bits", png({ colorType: 2, depth: 16 })],
    ["the largest PNG", png({ width: 2000, height: 2000, colorType: 0 })],
    ["a JPEG", jpeg({})],
    ["a progressive JPEG as a data: URL", `data:image/jpeg;base64,${jpeg({ components: 3, marker: 0xc2 })}`],
    ["a JPEG under its other name", `data:image/jpg;base64,${jpeg({})}`],
  ])("is %s", (_name, text) => {
    const logo = readLogo(text);
    expect(logo).toEqual({ bytes: Buffer.from(text.replace(/^.*,/, ""), "base64") });
  });

  const whole = buildPng();
  const broken = Buffer.from(whole);
  broken.writeUInt8(whole[45]! ^ 1, 45);

  test.each([
    ["a path", "/etc/passwd", /PNG or JPEG image, as a data: URL/],
    ["an address", "https://example.com/logo.png", /as a data: URL/],
    ["a vector image", "data:image/svg+xml;base64,PHN2Zy8+", /as a data: URL/],
    ["nothing", "", /as a data: URL/],
    ["no image", Buffer.from("not an image").toString("base64"), /must be a PNG or JPEG image$/],
    ["one byte", "AA==", /must be a PNG or JPEG image$/],
    ["too many bytes", "A".repeat(136_540), /at most 102400 bytes/],
    ["a text that is too long", "A".repeat(200_000), /at most 102400 bytes/],
    ["too many pixels", png({ width: 2001, height: 1, colorType: 0 }), /2000 by 2000 pixels/],
    ["no pixels", png({ width: 0 }), /2000 by 2000 pixels/],
    ["a PNG that is cut off", whole.subarray(0, -20).toString("base64"), /damaged PNG/],
    ["a PNG with a wrong checksum", broken.toString("base64"), /damaged PNG/],
    ["a PNG with too few pixels", png({ pixels: Buffer.alloc(3) }), /damaged PNG/],
    ["a PNG with too many", png({ pixels: Buffer.alloc(1_000_000) }), /damaged PNG/],
    ["a PNG with an unknown filter", png({ pixels: Buffer.alloc(51, 9) }), /damaged PNG/],
    ["a PNG of a colour type that there is not", png({ colorType: 5 }), /damaged PNG/],
    ["a PNG without its palette", png({ colorType: 3 }), /damaged PNG/],
    ["a PNG with a palette cut off", paletted({ palette: 7 }), /damaged PNG/],
    ["a PNG with an empty palette", paletted({ palette: 0 }), /damaged PNG/],
    ["a PNG with a palette too many", paletted({ palette: 257 * 3 }), /damaged PNG/],
    ["a PNG with two palettes", png({ colorType: 3, chunks: [...PALETTE, ...PALETTE] }), /damaged PNG/],
    ["a PNG with a colour behind its palette", paletted({ palette: 6, rows: [[0, 0, 2]] }), /damaged PNG/],
    [
      "a PNG of 2 bits with one",
      paletted({ palette: 6, depth: 2, width: 3, rows: [[0, 24]] }),
      /damaged PNG/,
    ],
    [
      "a PNG whose filters make one",
      paletted({
        palette: 6,
        rows: [
          [0, 1, 0],
          [2, 1, 0],
        ],
      }),
      /damaged PNG/,
    ],
    ["a PNG with more transparencies than colours", paletted({ palette: 3, transparent: 2 }), /damaged PNG/],
    [
      "a PNG whose last of 256 colours would vanish",
      paletted({ palette: 768, transparent: 9, rows: [[0, 255, 0]] }),
      /alpha channel/,
    ],
    ["a PNG of RGB with a palette beside", png({ colorType: 2, chunks: PALETTE }), /save it without/],
    ["a grey PNG with one transparent colour", png({ colorType: 0, chunks: ONE_CLEAR }), /alpha channel/],
    ["an interlaced PNG", png({ interlaced: true }), /interlaced/],
    ["a small palette with transparency", png({ colorType: 3, depth: 4, chunks: TRANSPARENT }), /8 bits/],
    ["a JPEG that is cut off", buildJpeg().subarray(0, -4).toString("base64"), /damaged JPEG/],
    ["a JPEG of a frame that readers lack", jpeg({ marker: 0xc9 }), /damaged JPEG/],
    ["a JPEG in CMYK", jpeg({ components: 4 }), /CMYK/],
    ["a JPEG with too many pixels", jpeg({ width: 2001 }), /2000 by 2000 pixels/],
  ])("is not %s", (_name, text, problem) => {
    expect(readLogo(text)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test("that is anything else never throws, and never repeats what was sent", () => {
    const start = fc.constantFrom(buildPng().subarray(0, 40), buildJpeg().subarray(0, 12), Buffer.alloc(0));
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 60 }), (begin, rest) => {
        const text = Buffer.concat([begin, rest]).toString("base64");
        const logo = readLogo(text);
        if ("problem" in logo && text.length > 3) expect(logo.problem).not.toContain(text);
      }),
    );
  });
});
