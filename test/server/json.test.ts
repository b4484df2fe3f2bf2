import fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "../../src/foundation/errors.ts";
import { DEPTH_MAX, parseStrictJson } from "../../server/json.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("strict JSON accepts what JSON.parse accepts, up to the depth limit", () => {
  fc.assert(
    fc.property(
      fc.json({ maxDepth: 6, noUnicodeString: false } as object),
      fc.constantFrom("", " ", "\n\t"),
      (text, space) => {
        const expected: unknown = JSON.parse(text);
        expect(depthOf(expected)).toBeLessThanOrEqual(DEPTH_MAX);
        expect(parseStrictJson(space + text + space)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test("strict JSON rejects whatever JSON.parse rejects, and never throws anything else", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0aeE+-. 1tfn') })),
      (text) => {
        let expected: { value: unknown } | undefined;
        try {
          expected = { value: JSON.parse(text) };
        } catch {
          expected = undefined;
        }
        try {
          expect(parseStrictJson(text)).toEqual(expected?.value);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

test.each([
  ['{"a":1,"a":1}'],
  ['{"a":{"x":1,"y":[{"z":1,"z":2}]}}'],
  ['{"\\u0061":1,"a":2}'],
  ['{"a\\"":1,"a\\"":2}'],
  ['{"":1,"":2}'],
  ['{"__proto__":1,"__proto__":2}'],
])("rejects %s", (text) => {
  expect(() => parseStrictJson(text)).toThrow(/same key twice/);
});

test.each([
  ['{"a":"a","b":"a"}'],
  ['[{"a":1},{"a":1}]'],
  ['{"a":{"a":{"a":1}}}'],
  ['{"a":"\\"a\\":","b":":"}'],
])("accepts %s", (text) => {
  expect(parseStrictJson(text)).toEqual(JSON.parse(text));
});

test.each([
  [32, true],
  [33, false],
  [100_000, false],
])("a depth of %i is accepted: %s", (depth, isTaken) => {
  const text = "[".repeat(depth) + "]".repeat(depth);
  if (isTaken) expect(parseStrictJson(text)).toBeDefined();
  else expect(() => parseStrictJson(text)).toThrow(/32 levels deep/);
});
