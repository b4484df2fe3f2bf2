import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, fingerprint } from "../../src/journal/idempotency.ts";

/** Reverses the keys of every object. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value).reverse()) copy[key] = reversed(member);
  return copy;
}

describe("canonicalJson", () => {
  test.each([
    { text: '{"b":1,"a":[true,null,"x"]}', canonical: '{"a":[true,null,"x"],"b":1}' },
    { text: ' { "a" : 1.0 } ', canonical: '{"a":1}' },
    { text: '{"":{},"Ω":"\\u03a9","é":[]}', canonical: '{"":{},"é":[],"Ω":"Ω"}' },
    { text: '{"__proto__":{"b":1,"a":2}}', canonical: '{"__proto__":{"a":2,"b":1}}' },
    { text: "null", canonical: "null" },
    { text: '"text"', canonical: '"text"' },
  ])("writes $text as $canonical", ({ text, canonical }) => {
    expect(canonicalJson(JSON.parse(text))).toBe(canonical);
  });

  test("omits undefined values", () => {
    expect(canonicalJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  test("keeps the value and ignores the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = canonicalJson(value);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(reversed(JSON.parse(JSON.stringify(value))))).toBe(canonical);
      }),
    );
  });
});

describe("fingerprint", () => {
  test("is the SHA-256 of path parameters and body", () => {
    const expected = createHash("sha256")
      .update('{"body":{"a":1},"parameters":{"id":"mer_1"}}')
      .digest("hex");
    expect(fingerprint({ id: "mer_1" }, { a: 1 })).toBe(expected);
  });

  test("differs for different bodies and paths", () => {
    const prints = [
      fingerprint({}, undefined),
      fingerprint({}, null),
      fingerprint({}, {}),
      fingerprint({}, { a: [1, 2] }),
      fingerprint({}, { a: [2, 1] }),
      fingerprint({}, { a: "1" }),
      fingerprint({}, { a: 1 }),
      fingerprint({ id: "a" }, { a: 1 }),
    ];
    expect(new Set(prints).size).toBe(prints.length);
  });
});
