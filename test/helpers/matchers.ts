/** Matchers of our own, which every test has. */
import { expect } from "vitest";

interface OwnMatchers {
  /** The text has each of these parts; with `not`, none of them. */
  toContainAll(...parts: (string | RegExp)[]): void;
}

declare module "vitest" {
  interface Matchers extends OwnMatchers {}
}

expect.extend({
  toContainAll(text: string, ...parts: (string | RegExp)[]) {
    // Vitest leaves it undefined without `not`, whatever its type says.
    const isNot = Boolean(this.isNot);
    const wrong = parts.filter(
      (part) => (typeof part === "string" ? text.includes(part) : text.search(part) !== -1) === isNot,
    );
    return {
      pass: isNot !== (wrong.length === 0),
      message: () => `expected the text ${isNot ? "not " : ""}to contain ${wrong.join(" and ")}:\n${text}`,
    };
  },
});
