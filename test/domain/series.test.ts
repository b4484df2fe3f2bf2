// docs/contract.md#limits: series, number
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { computeUid, defaultSeries, SeriesSchema, toIso88597 } from "../../src/domain/series.ts";
import type { DocumentType } from "../../src/domain/document-types.ts";

test.each<[DocumentType, branch: number, series: string]>([
  ["1.1", 0, "TIM"],
  ["2.1", 0, "TPY"],
  ["5.1", 0, "PIS"],
  ["5.2", 0, "PIM"],
  ["11.1", 0, "ALP"],
  ["11.2", 0, "APY"],
  ["1.1", 3, "TIM-3"],
  ["11.2", 9999, "APY-9999"],
])("the default series of %s, branch %d, is %s", (type, branch, series) => {
  expect(defaultSeries(type, branch)).toBe(series);
  expect(v.is(SeriesSchema, series)).toBe(true);
});

describe("a series", () => {
  test.each<[series: string, fits: boolean]>([
    ["A", true],
    ["0", true],
    ["a.b_c/d-9", true],
    ["ΛΙΑΝΙΚΉ", true],
    ["ΐΰςϊϋώΆΈΊΌΎ", true],
    ["x".repeat(20), true],
    ["", false],
    ["x".repeat(21), false],
    ["A B", false],
    ["A\n", false],
    ["Ñ", false],
    ["Ж", false],
    ["€", false],
    // A letter with a separate accent, and Greek letters missing from ISO-8859-7.
    ["\u0397\u0301", false],
    ["\u1f08", false],
    ["\u03d0", false],
    ["\u0387", false],
    ["\u03a2", false],
  ])("%j: %s", (series, fits) => expect(v.is(SeriesSchema, series)).toBe(fits));

  test("has a byte in ISO-8859-7 for every permitted character", () => {
    const characters = Array.from({ length: 0x500 }, (_, code) => String.fromCodePoint(code));
    const taken = characters.filter((character) => v.is(SeriesSchema, character));
    // 52 Latin letters, 10 digits, 4 signs, and 69 Greek letters.
    expect(taken).toHaveLength(52 + 10 + 4 + 69);
    const decoder = new TextDecoder("iso-8859-7");
    expect(taken.map((character) => decoder.decode(toIso88597(character)))).toEqual(taken);
  });
});

describe("ISO-8859-7", () => {
  test.each([
    ["A-1", [0x41, 0x2d, 0x31]],
    ["ΑΠΥ", [0xc1, 0xd0, 0xd5]],
    ["Ή", [0xb9]],
    ["\u0384ώ", [0xb4, 0xfe]],
  ])("%j", (text, bytes) => expect([...toIso88597(text)]).toEqual(bytes));

  test.each(["\u0387", "\u038b", "\u038d", "\u03a2", "\u03cf", "Ж", "😀"])("has no %j", (text) => {
    expect(() => toIso88597(text)).toThrow(RangeError);
  });
});

/** docs/authority.md#uid; the tax number is invented. */
describe("the uid", () => {
  test.each<[date: string, branch: number, type: string, series: string, number: number, uid: string]>([
    ["2026-11-02", 0, "1.1", "A", 101, "93AFC870579B7E2E608F93AEAF6970C6389F5E55"],
    ["2026-11-02", 0, "2.1", "0", 1, "E8680DCFEC135775C7F8D31E5BF52923E02351C7"],
    ["2026-11-02", 3, "11.2", "ΑΠΥ", 57, "D08D6D40351783E880D073F134B1834F9F901A79"],
    ["2026-11-02", 0, "5.1", "ΠΙΣ-Α", 8, "70C00BE7D82D2736BA825F0315375408BC7AFD8A"],
    ["2026-01-09", 0, "11.1", "ΛΙΑΝΙΚΉ", 10, "90F0A70A912C1FFD6D1CA6F574B2A34E6214A903"],
  ])("of %s, branch %d, %s, %s %d", (issueDate, branch, sentType, series, number, uid) => {
    expect(computeUid({ supplier: "123456783", issueDate, branch, sentType, series, number })).toBe(uid);
  });

  test("changes with each of its parts", () => {
    const parts = {
      supplier: "123456783",
      issueDate: "2026-11-02",
      branch: 0,
      sentType: "1.1",
      series: "A",
      number: 1,
    };
    const others = [
      { supplier: "094012834" },
      { issueDate: "2026-11-03" },
      { branch: 1 },
      { sentType: "1.2" },
      { series: "B" },
      { number: 2 },
    ];
    const uids = [parts, ...others.map((other) => ({ ...parts, ...other }))].map(computeUid);
    expect(new Set(uids).size).toBe(7);
  });
});
