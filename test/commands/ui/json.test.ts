import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { printJson, printJsonList } from "../../../commands/ui/json.ts";

async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}

async function printed(print: (stream: PassThrough) => Promise<void>): Promise<string> {
  const stream = new PassThrough();
  const whole = text(stream);
  await print(stream);
  stream.end();
  return whole;
}

test("streams a list as the same JSON as printing it at once", async () => {
  const item = fc.record({
    id: fc.string(),
    name: fc.string({ unit: "grapheme" }),
    lines: fc.array(fc.jsonValue()),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item), fc.boolean(), async (data, hasMore) => {
      const streamed = await printed((stream) => printJsonList(stream, each(data), () => hasMore));
      const whole = await printed((stream) => printJson(stream, { object: "list", data, has_more: hasMore }));
      expect(streamed).toBe(whole);
    }),
  );
});
