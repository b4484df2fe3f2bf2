import { describe, expect, test } from "vitest";
import { addUpDay } from "../../src/console/overview.ts";

describe("a day", () => {
  test("adds up document types and subtracts credit notes, beyond the range of a number", () => {
    const types = [
      { type: "1.1", count: 3, vat: 9007199254740993n },
      { type: "11.1", count: 2, vat: 1n },
      { type: "5.1", count: 1, vat: 4n },
      { type: "5.2", count: 1, vat: 10n },
    ];
    expect(addUpDay("2026-11-21", types)).toEqual({
      day: "2026-11-21",
      issued: 7,
      vat: 9007199254740980n,
    });
  });
});
