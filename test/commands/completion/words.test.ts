import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { joinSplit, quote, unquote } from "../../../commands/completion/complete.ts";

describe("joinSplit", () => {
  test.each([
    { words: ["fiscal", "--type", "=", "1.1"], joined: ["fiscal", "--type=1.1"] },
    { words: ["fiscal", "--type", "="], joined: ["fiscal", "--type="] },
    { words: ["fiscal", "show", "a", ":", "b", "c"], joined: ["fiscal", "show", "a:b", "c"] },
    { words: ["fiscal", ""], joined: ["fiscal", ""] },
  ])("$words", ({ words, joined }) => {
    expect(joinSplit(words)).toEqual(joined);
  });
});

describe("unquote", () => {
  test.each([
    ["plain", "plain"],
    ["'two words'", "two words"],
    ['"two words', "two words"],
    ["two\\ words", "two words"],
    ["'a\\b'", "a\\b"],
    ['"a\\"b"', 'a"b'],
  ])("%s", (word, text) => {
    expect(unquote(word)).toBe(text);
  });

  test("reverses quoting for bash", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1 });
    fc.assert(fc.property(text, (word) => unquote(quote("bash", word)) === word));
  });
});
