import { describe, expect, test } from "vitest";
import {
  type Book,
  chooseBook,
  coveringType,
  readBook,
  readBooks,
  type Wanted,
} from "../../../src/providers/provider-a/books.ts";

const book = (id: string, type: string, series: string): Book => ({ id, type, series });
const wanted = (type: string, overrides: Partial<Wanted> = {}): Wanted => ({
  type,
  series: null,
  defaultSeries: "TIM",
  exactOnly: false,
  firstNumber: 1,
  ...overrides,
});

test.each([
  ["1.1", undefined],
  ["1.2", "1.1"],
  ["1.3", "1.1"],
  ["2.1", undefined],
  ["2.3", "2.1"],
  ["5.1", "5.2"],
  ["5.2", undefined],
  ["11.1", undefined],
  ["11.2", undefined],
])("the type that covers %s is %s", (type, covering) => {
  expect(coveringType(type)).toBe(covering);
});

describe("the book", () => {
  const BOOKS = [
    book("a", "1.1", "A"),
    book("tim", "1.1", "TIM"),
    book("abroad", "1.3", "X"),
    book("credit", "5.2", "PIM"),
    book("retail", "11.1", "ALP"),
  ];

  test.each([
    ["of the default series is chosen", wanted("1.1"), "tim", true],
    ["that is the first of the type is chosen without one", wanted("1.1", { defaultSeries: "Z" }), "a", true],
    ["of the exact type is preferred to a covering one", wanted("1.3"), "abroad", true],
    ["of a covering type is chosen", wanted("1.2"), "tim", false],
    ["of 5.2 is chosen for a 5.1", wanted("5.1", { defaultSeries: "PIS" }), "credit", false],
    ["of the explicit series is chosen", wanted("1.1", { series: "a" }), "a", true],
    ["of a covering type in the explicit series is chosen", wanted("1.2", { series: "A" }), "a", false],
  ])("%s", (_name, want, id, isExact) => {
    expect(chooseBook(BOOKS, want)).toEqual({ kind: "book", id, isExact });
  });

  test.each([
    ["in the default series", wanted("2.1", { defaultSeries: "TPY" }), "TPY"],
    ["in the explicit series", wanted("2.1", { series: "NEW" }), "NEW"],
    ["next to the default series if another type has it", wanted("2.1"), "TIM-2.1"],
    ["for the exact type if a covering book was refused", wanted("1.2", { exactOnly: true }), "TIM-1.2"],
    ["for a receipt, which no type covers", wanted("11.2", { defaultSeries: "APY" }), "APY"],
  ])("is created %s", (_name, want, series) => {
    expect(chooseBook(BOOKS, want)).toEqual({ kind: "make", series });
  });

  test("is not chosen if the explicit series belongs to another type", () => {
    expect(chooseBook(BOOKS, wanted("2.1", { series: "alp" }))).toMatchObject({ kind: "rejected" });
  });
});

test("books are read from a list, with or without data around it, and other entries are skipped", () => {
  const entry = { id: 7, name: "N", series: "TIM", invoice_type_code: "1.1", number: null };
  const read = [{ id: "7", series: "TIM", type: "1.1" }];
  expect(readBooks([entry, {}, null, { id: "x" }])).toEqual(read);
  expect(readBooks({ data: [entry] })).toEqual(read);
  expect(readBooks({ id: "x" })).toBeUndefined();
  expect(readBook({ data: entry })).toEqual(read[0]);
  expect(readBook({ name: "N" })).toBeUndefined();
});
