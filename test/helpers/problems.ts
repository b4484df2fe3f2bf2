/** Converts messages for comparison: returns the English, after checking that there is Greek. */
import { expect } from "vitest";
import { listProblems, type Problem } from "../../src/foundation/errors.ts";
import type { Text } from "../../src/foundation/text.ts";

/** `path: message` of each problem. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.map((problem) => english(listProblems([problem])));
}

export function english({ en, el }: Text): string {
  expect(el, `the Greek of "${en}"`).toMatch(/\p{Script=Greek}/u);
  return en;
}
