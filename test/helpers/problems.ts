/** Problems as tests compare them. */
import { expect } from "vitest";
import { listProblems, type Problem } from "../../src/foundation/errors.ts";

/** `path: message` of each problem in English, after checking that the Greek is there and is Greek. */
export function problemLines(problems: readonly Problem[]): string[] {
  return problems.map((problem) => {
    const { en, el } = listProblems([problem]);
    expect(el, `the Greek of "${en}"`).toMatch(/\p{Script=Greek}/u);
    return en;
  });
}
