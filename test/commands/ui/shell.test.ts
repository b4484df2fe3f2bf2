import { expect, test } from "vitest";
import { quoted } from "../../../commands/next-steps.ts";

test.each([
  ["linux", "data", "data"],
  ["linux", "my data", "'my data'"],
  ["linux", "O'Neil", "'O'\\''Neil'"],
  ["win32", "C:\\fiscal\\data", "C:\\fiscal\\data"],
  ["win32", "C:\\Χρήστες\\my data", '"C:\\Χρήστες\\my data"'],
  ["win32", "C:\\my data\\", '"C:\\my data\\\\"'],
  ["win32", "1,5", '"1,5"'],
  ["win32", 'a "b" c', '"a ""b"" c"'],
] as const)("on %s, %s is typed as %s", (platform, text, word) => {
  expect(quoted(text, platform)).toBe(word);
});
