import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import {
  columnsOf,
  isColoured,
  type OutputSettings,
  type OutputStream,
  type ProgramIo,
} from "../../../commands/io.ts";

type Colour = OutputSettings["colour"];

function screen(
  env: Record<string, string>,
  { isTTY = false, columns, colour = "auto" }: { isTTY?: boolean; columns?: number; colour?: Colour } = {},
): [ProgramIo, OutputStream] {
  const stream: OutputStream = Object.assign(new PassThrough(), {
    isTTY,
    ...(columns === undefined ? {} : { columns }),
  });
  const io: ProgramIo = {
    env,
    cwd: "/",
    stdin: new PassThrough(),
    stdout: stream,
    stderr: stream,
    version: "0",
    packageRoot: "/",
    onInterrupt: () => () => {},
    outputSettings: { language: "en", quiet: false, colour, fields: [] },
  };
  return [io, stream];
}

describe("isColoured", () => {
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
    "with $env on a terminal ($isTTY), --color ($colour): $coloured",
    ({ env, isTTY, colour = "auto", coloured }) => {
      expect(isColoured(...screen(env, { isTTY, colour }))).toBe(coloured);
    },
  );
});

describe("the width", () => {
  test.each<{ env: Record<string, string>; isTTY: boolean; columns: number; width: number }>([
    { env: {}, isTTY: true, columns: 100, width: 100 },
    { env: { COLUMNS: "90" }, isTTY: true, columns: 100, width: 100 },
    { env: { COLUMNS: "90" }, isTTY: true, columns: 0, width: 90 },
    { env: { COLUMNS: "90" }, isTTY: false, columns: 100, width: 90 },
    { env: { COLUMNS: "wide" }, isTTY: false, columns: 100, width: 80 },
    { env: {}, isTTY: false, columns: 100, width: 80 },
  ])("is $width with $env on a terminal ($isTTY) of $columns columns", ({ env, isTTY, columns, width }) => {
    expect(columnsOf(...screen(env, { isTTY, columns }))).toBe(width);
  });
});
