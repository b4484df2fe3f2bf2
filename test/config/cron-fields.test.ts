import { Cron } from "croner";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isCron } from "../../src/foundation/setting-kinds.ts";

test.each(["30 3 * * *", "*/15 * * * *", "0 3 1-7 * 0", "0,30 8-18/2 * 1,6 1-5", " 0 0 1 1 7 "])(
  "%s is a schedule",
  (text) => {
    expect(isCron(text)).toBe(true);
  },
);

test.each([
  "",
  "3",
  "* * * *",
  "* * * * * *",
  "60 3 * * *",
  "0 24 * * *",
  "0 3 0 * *",
  "0 3 * 13 *",
  "0 3 * * 8",
  "5-3 * * * *",
  "*/0 * * * *",
  "3/5 * * * *",
  "@daily",
  "0 3 * * MON",
  "0 3 L * *",
  "a b c d e",
])("%s is not a schedule", (text) => {
  expect(isCron(text)).toBe(false);
});

test("accepted schedules are understood by the library that runs them", () => {
  const field = (minimum: number, maximum: number) => {
    const number = fc.integer({ min: minimum, max: maximum });
    const item = fc.oneof(
      fc.constant("*"),
      number.map(String),
      fc.tuple(number, number).map(([one, other]) => `${Math.min(one, other)}-${Math.max(one, other)}`),
      fc.integer({ min: 1, max: 5 }).map((step) => `*/${step}`),
    );
    return fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","));
  };
  const schedule = fc
    .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
    .map((fields) => fields.join(" "));
  fc.assert(
    fc.property(schedule, (text) => {
      expect(isCron(text)).toBe(true);
      expect(() => new Cron(text, { paused: true })).not.toThrow();
    }),
    { numRuns: 200 },
  );
});
