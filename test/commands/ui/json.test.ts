import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ProgramIo } from "../../../commands/io.ts";
import { printJson, printJsonList } from "../../../commands/ui/json.ts";

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
