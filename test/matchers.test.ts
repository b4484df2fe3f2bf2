/** Our own matchers (helpers/matchers.ts) fail when they should: everything that tests say about texts depends on them. */
import { expect, test } from "vitest";

test("toContainAll wants every part, and with not none of them", () => {
  expect("two words").toContainAll("two", /wor/);
  expect("two words").not.toContainAll("three", /four/);
  expect(() => expect("two words").toContainAll("two", "three")).toThrow("to contain three:");
  expect(() => expect("two words").toContainAll(/four/)).toThrow("to contain /four/:");
  expect(() => expect("two words").not.toContainAll("three", "two")).toThrow("not to contain two:");
});
