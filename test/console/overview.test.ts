import { describe, expect, test } from "vitest";
import { addUpDay } from "../../src/console/overview.ts";

describe("a day", () => {
  test("adds up its types, credit notes taking away, beyond what a number holds", () => {
    const types = [
      { type: "1.1", count: 3, vat: "9007199254740993" },
      { type: "11.1", count: 2, vat: "1" },
      { type: "5.1", count: 1, vat: "4" },
      { type: "5.2", count: 1, vat: "10" },
    ];
    expect(addUpDay("2026-11-21", types, 100)).toEqual({
      day: "2026-11-21",
      issued: 7,
      vat: 9007199254740980n,
      isMore: false,
    });
  });

  test("says that there is more where counting stopped", () => {
    expect(addUpDay("2026-11-21", [{ type: "1.1", count: 5, vat: "5" }], 5).isMore).toBe(true);
    expect(addUpDay("2026-11-21", [], 5)).toMatchObject({ issued: 0, vat: 0n, isMore: false });
  });
});
