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
  toContainAll(text: unknown, ...parts: (string | RegExp)[]) {
    // Without `not`, Vitest leaves `this.isNot` undefined, although its type is boolean.
    const isNot = Boolean(this.isNot);
    if (typeof text !== "string")
      return { pass: isNot, message: () => `expected a text, not ${this.utils.stringify(text)}` };
    // A part that turns out to be undefined is wrong either way: a search for it would match any text.
    const wrong = parts.filter((part: unknown) => {
      if (typeof part === "string") return text.includes(part) === isNot;
      return !(part instanceof RegExp) || (text.search(part) !== -1) === isNot;
    });
    return {
      pass: isNot !== (wrong.length === 0),
      message: () =>
        `expected the text ${isNot ? "not " : ""}to contain ${wrong.map(String).join(" and ")}:\n${text}`,
    };
  },
});
