import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import {
  columnsOf,
  isColoured,
  type OutputSettings,
  type OutputStream,
  type ProgramIo,
} from "../../../commands/io.ts";
import { type BarState, formatBar } from "../../../commands/ui/progress.ts";
import { quoted } from "../../../commands/next-steps.ts";
import { text } from "node:stream/consumers";
import { createIo } from "../../helpers/program.ts";
import * as fc from "fast-check";
import { printJson, printJsonList } from "../../../commands/ui/json.ts";

type Colour = OutputSettings["colour"];

function screen(
  env: Record<string, string>,
  { isTTY = false, columns, colour = "auto" }: { isTTY?: boolean; columns?: number; colour?: Colour } = {},
): [ProgramIo, OutputStream] {
  const stream: OutputStream = Object.assign(new PassThrough(), {
    isTTY,
    ...(columns === undefined ? {} : { columns }),
  });
  const outputSettings = { language: "en", quiet: false, colour, fields: [] } as const;
  const io = createIo({ env, stdout: stream, stderr: stream, outputSettings });
  return [io, stream];
}

test.each<{ env: Record<string, string>; isTTY: boolean; colour?: Colour; coloured: boolean }>([
  { env: {}, isTTY: true, coloured: true },
  { env: {}, isTTY: false, coloured: false },
  { env: { NO_COLOR: "1" }, isTTY: true, coloured: false },
  { env: { NO_COLOR: "" }, isTTY: true, coloured: true },
  { env: { TERM: "dumb" }, isTTY: true, coloured: false },
  { env: { FORCE_COLOR: "1" }, isTTY: false, coloured: true },
  { env: { FORCE_COLOR: "1", TERM: "dumb" }, isTTY: true, coloured: true },
  { env: { FORCE_COLOR: "0" }, isTTY: true, coloured: false },
  { env: { FORCE_COLOR: "1", NO_COLOR: "1" }, isTTY: true, coloured: false },
  { env: { FORCE_COLOR: "1" }, isTTY: true, colour: "never", coloured: false },
  { env: { NO_COLOR: "1" }, isTTY: false, colour: "always", coloured: true },
])(
  "isColoured with $env on a terminal ($isTTY), --color ($colour): $coloured",
  ({ env, isTTY, colour = "auto", coloured }) => {
    expect(isColoured(...screen(env, { isTTY, colour }))).toBe(coloured);
  },
);

test.each<{ env: Record<string, string>; isTTY: boolean; columns: number; width: number }>([
  { env: {}, isTTY: true, columns: 100, width: 100 },
  { env: { COLUMNS: "90" }, isTTY: true, columns: 100, width: 100 },
  { env: { COLUMNS: "90" }, isTTY: true, columns: 0, width: 90 },
  { env: { COLUMNS: "90" }, isTTY: false, columns: 100, width: 90 },
  { env: { COLUMNS: "wide" }, isTTY: false, columns: 100, width: 80 },
  { env: {}, isTTY: false, columns: 100, width: 80 },
])(
  "the width is $width with $env on a terminal ($isTTY) of $columns columns",
  ({ env, isTTY, columns, width }) => {
    expect(columnsOf(...screen(env, { isTTY, columns }))).toBe(width);
  },
);

const FULL = "█".repeat(30);
const HALF = "█".repeat(15) + "░".repeat(15);

test.each<[state: BarState, shown: string]>([
  [{ done: 0, total: 0, fraction: undefined, elapsedMs: 0 }, "work 0"],
  [{ done: 256, total: 0, fraction: undefined, elapsedMs: 100 }, "work 256"],
  [{ done: 256, total: 0, fraction: undefined, elapsedMs: 2000 }, "work 256 128/s"],
  [{ done: 256, total: 0, fraction: 0.5, elapsedMs: 100 }, `work 256 ${HALF}`],
  [{ done: 256, total: 0, fraction: 0.5, elapsedMs: 2000 }, `work 256 ${HALF} 128/s, 2 s left`],
  [{ done: 5, total: 10, fraction: 0.5, elapsedMs: 100_000 }, `work ${HALF} 5/10 1/s, 2 min left`],
  [{ done: 5, total: 10, fraction: 0.5, elapsedMs: 7_200_000 }, `work ${HALF} 5/10 1/s, 2.0 h left`],
  [{ done: 0, total: 10, fraction: 0, elapsedMs: 5000 }, `work ${"░".repeat(30)} 0/10`],
  [{ done: 10, total: 10, fraction: 1, elapsedMs: 5000 }, `work ${FULL} 10/10 2/s, 0 s left`],
  [{ done: 900, total: 0, fraction: 1.2, elapsedMs: 1000 }, `work 900 ${FULL} 900/s, 0 s left`],
])("a progress bar shows %j as %j", (state, shown) => {
  expect(formatBar("work", state)).toBe(shown);
});

test("a progress bar says in Greek how long it takes", () => {
  const state = { done: 256, total: 0, fraction: 0.5, elapsedMs: 2000 };
  expect(formatBar("έκδοση", state, "el")).toBe(`έκδοση 256 ${HALF} 128/s, 2 s ακόμη`);
});

test.each([
  ["linux", "data", "data"],
  ["linux", "my data", "'my data'"],
  ["linux", "O'Neil", "'O'\\''Neil'"],
  ["win32", "C:\\fiscal\\data", "C:\\fiscal\\data"],
  ["win32", "C:\\Χρήστες\\my data", '"C:\\Χρήστες\\my data"'],
  ["win32", "C:\\my data\\", '"C:\\my data\\\\"'],
  ["win32", "1,5", '"1,5"'],
  ["win32", 'a "b" c', '"a ""b"" c"'],
] as const)("on %s, %s is typed as %s", (platform, typed, word) => {
  expect(quoted(typed, platform)).toBe(word);
});

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

type Output = Pick<ProgramIo, "stdout" | "outputSettings">;

async function printed(fields: string[], print: (output: Output) => Promise<void>): Promise<string> {
  const stdout = new PassThrough();
  const whole = text(stdout);
  await print({ stdout, outputSettings: { language: "en", quiet: false, colour: "never", fields } });
  stdout.end();
  return whole;
}

test("streams a list as the same JSON as printing it at once", async () => {
  const item = fc.record({
    id: fc.string(),
    name: fc.string({ unit: "grapheme" }),
    lines: fc.array(fc.jsonValue()),
  });
  const fields = fc.subarray(["id", "name", "lines"]);
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.boolean(), fields, async (data, hasMore, chosen) => {
      const streamed = await printed(chosen, (output) => printJsonList(output, each(data), () => hasMore));
      const list = { object: "list", data, has_more: hasMore };
      const whole = await printed(chosen, (output) => printJson(output, list));
      expect(streamed).toBe(whole);
    }),
  );
});
