/** Our own matchers (helpers/matchers.ts) fail when they should: everything that tests say about texts depends on them. */
import { expect, test } from "vitest";

test("toContainAll wants every part, and with not none of them", () => {
  expect("two words").toContainAll("two", /wor/);
  expect("two words").not.toContainAll("three", /four/);
  expect(() => expect("two words").toContainAll("two", "three")).toThrow("to contain three:");
  expect(() => expect("two words").toContainAll(/four/)).toThrow("to contain /four/:");
  expect(() => expect("two words").not.toContainAll("three", "two")).toThrow("not to contain two:");
  const missing = undefined as unknown as string;
  expect(() => expect("two words").toContainAll(missing)).toThrow("to contain undefined:");
  expect(() => expect("two words").not.toContainAll(missing)).toThrow("not to contain undefined:");
  expect(() => expect(undefined).toContainAll("two")).toThrow("expected a text, not undefined");
  expect(() => expect(undefined).not.toContainAll("two")).toThrow("expected a text, not undefined");
});
