import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { AppError, validationError } from "../../src/foundation/errors.ts";
import {
  characters,
  DateSchema,
  InstantSchema,
  integerBetween,
  MetadataChangesSchema,
  MetadataSchema,
  trimmedCharacters,
} from "../../src/foundation/field-schemas.ts";
import { checkWith, parseWith, pathOf } from "../../src/foundation/validation.ts";
import { pattern } from "../../src/foundation/field-checks.ts";
import { sameInBoth } from "../../src/foundation/text.ts";
import { problemLines } from "../helpers/problems.ts";

function problems(schema: v.GenericSchema, input: unknown, prefix = ""): string[] {
  const checked = checkWith(schema, input, prefix);
  return "problems" in checked ? problemLines(checked.problems) : [];
}

/** The problem with an object's only field. */
function problemsOf(schema: v.GenericSchema, value: unknown): string[] {
  return problems(v.strictObject({ field: schema }), { field: value });
}

test.each<[prefix: string, keys: (string | number)[], path: string]>([
  ["document", ["lines", 2, "vat_exemption"], "document.lines[2].vat_exemption"],
  ["", ["lines", 0], "lines[0]"],
  ["", ["type"], "type"],
  ["document", [], "document"],
  ["", [], ""],
])("a path of %j and %j is %s", (prefix, keys, path) => expect(pathOf(prefix, keys)).toBe(path));

describe("lengths count characters, not code units", () => {
  const text = characters(1, 3);
  test.each<[value: string, fits: boolean]>([
    ["", false],
    ["a", true],
    ["abc", true],
    ["abcd", false],
    ["𝕜𝕜𝕜", true],
    ["𝕜𝕜𝕜𝕜", false],
    ["ΐΐΐ", true],
  ])("%j: %s", (value, fits) => {
    expect(problemsOf(text, value)).toEqual(fits ? [] : ["field: must have 1 to 3 characters"]);
  });

  test("and a minimum of zero is not mentioned", () => {
    expect(problemsOf(characters(0, 2), "abc")).toEqual(["field: must have at most 2 characters"]);
  });

  test("after surrounding white space is removed", () => {
    const name = v.strictObject({ name: trimmedCharacters(3) });
    expect(parseWith(name, { name: " \tabc\n" }, "")).toEqual({ name: "abc" });
    expect(problems(name, { name: "   " })).toEqual(["name: must have 1 to 3 characters"]);
    expect(problems(name, { name: "a\u0007b" })).toEqual(["name: must not hold control characters"]);
  });
});

test.each([
  ["\u0000", false],
  ["\u0008", false],
  ["\t\n\r", true],
  ["\u001f", false],
  ["\u007f", true],
  ["\ud7ff\ue000", true],
  ["\ud800", false],
  ["\udc00\ud800", false],
  ["\ufffd", true],
  ["\ufffe", false],
  ["\u{10ffff}", true],
])("characters that XML cannot contain are rejected: %j: %s", (value, fits) => {
  expect(problemsOf(characters(1, 10), value)).toEqual(
    fits ? [] : ["field: must not hold control characters"],
  );
});

test.each<[value: unknown, problem: string | undefined]>([
  [0, undefined],
  [9, undefined],
  [JSON.parse("1.0"), undefined],
  [-1, "must be at least 0"],
  [10, "must be at most 9"],
  [0.5, "must be an integer"],
  ["1", "must be a number"],
  [true, "must be a number"],
  [null, "must be a number"],
  [undefined, "is required"],
])("an integer from 0 to 9 %j", (value, problem) => {
  expect(problemsOf(integerBetween(0, 9), value)).toEqual(problem === undefined ? [] : [`field: ${problem}`]);
});

test.each([
  ["2026-11-21", true],
  ["2024-02-29", true],
  ["2000-02-29", true],
  ["2026-02-29", false],
  ["1900-02-29", false],
  ["2026-04-31", false],
  ["2026-00-10", false],
  ["2026-13-01", false],
  ["2026-01-00", false],
  ["0001-01-01", true],
  ["0004-02-29", true],
  ["9999-12-31", true],
  ["0000-01-01", false],
  ["10000-01-01", false],
  ["0013-13-13", false],
  ["2026-32-01", false],
  ["2026-01-32", false],
  ["26-01-01", false],
  ["+002026-01-01", false],
  ["2026-01-01\n", false],
  ["２０２６-01-01", false],
])("a date %j: %s", (value, fits) => {
  expect(problemsOf(DateSchema, value)).toEqual(fits ? [] : ["field: must be a calendar date, YYYY-MM-DD"]);
});

test.each([
  ["2026-11-21T10:00:00Z", true],
  ["2026-11-21T23:59:59.999999999Z", true],
  [`2026-11-21T23:59:59.${"123".repeat(20)}Z`, true],
  ["2026-11-21T10:00Z", true],
  ["2026-11-21T10:00.5Z", false],
  ["2026-11-21T10Z", false],
  ["2026-11-21T10:00:00.Z", false],
  ["2026-11-21T10:00:00", false],
  ["2026-11-21T10:00:00+02:00", false],
  ["2026-11-21 10:00:00Z", false],
  ["2026-11-21T24:00:00Z", false],
  ["2026-11-21T10:60:00Z", false],
  ["2026-11-21T10:00:60Z", false],
  ["2026-02-30T10:00:00Z", false],
  ["2026-11-21", false],
])("an instant %j: %s", (value, fits) => {
  expect(problemsOf(InstantSchema, value)).toEqual(
    fits ? [] : ["field: must be an instant in UTC, such as 2026-11-21T10:00:00Z"],
  );
});

function pairs(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, "value"]));
}

describe("metadata", () => {
  test.each<[value: unknown, problem: string | undefined]>([
    [{}, undefined],
    [{ order: "" }, undefined],
    [{ [`k${"x".repeat(39)}`]: "v".repeat(500) }, undefined],
    [pairs(50), undefined],
    [pairs(51), "field: must have at most 50 pairs"],
    [{ order: "v".repeat(501) }, "field.order: must have at most 500 characters"],
    [{ order: 7 }, "field.order: must be a string"],
    [{ order: null }, "field.order: must be a string"],
    [{ "": "value" }, "field.(key): its key must have 1 to 40 characters"],
    [{ ["x".repeat(41)]: "value" }, "field.(key): its key must have 1 to 40 characters"],
    [["value"], "field: must be an object"],
    ["order", "field: must be an object"],
  ])("%j", (value, problem) => {
    expect(problemsOf(MetadataSchema, value)).toEqual(problem === undefined ? [] : [problem]);
  });

  test("as a change may contain null, which removes a key", () => {
    expect(problemsOf(MetadataChangesSchema, { order: null, batch: "7" })).toEqual([]);
    expect(problemsOf(MetadataSchema, { order: null })).toHaveLength(1);
  });
});

describe("rejected input is never repeated:", () => {
  const schema = v.strictObject({
    word: v.picklist(["one", "two"]),
    form: v.pipe(v.string(), pattern(/^a+$/, { en: "must be of the letter a", el: "μόνο το γράμμα a" })),
    count: integerBetween(0, 9),
  });

  test("values", () => {
    const input = { word: "s3cret", form: "s3cret", count: "s3cret" };
    expect(problems(schema, input, "body")).toEqual([
      "body.word: must be one of one, two",
      "body.form: must be of the letter a",
      "body.count: must be a number",
    ]);
  });

  test("keys that are not plain words", () => {
    const input = { word: "one", form: "a", count: 1, "my s3cret": 1 };
    expect(problems(schema, input)).toEqual(["(key): is not a known field"]);
    expect(problems(schema, { word: "one", form: "a", count: 1, colour: 1 })).toEqual([
      "colour: is not a known field",
    ]);
  });
});

test("an array is not accepted as an object", () => {
  expect(problems(v.strictObject({ note: v.optional(v.string()) }), [], "body")).toEqual([
    "body: must be an object",
  ]);
});

test("a rejection is one error with every problem", () => {
  const schema = v.strictObject({ left: v.number(), right: v.boolean() });
  const refuse = () => parseWith(schema, { left: "x" }, "body");
  expect(refuse).toThrow(AppError);
  expect(refuse).toThrow("body.left: must be a number; body.right: is required");
});

test("a list of problems has no question mark in Greek", () => {
  const many = Array.from({ length: 21 }, (_, at) => ({ path: `p${at}`, message: sameInBoth("x") }));
  const { text } = validationError(many);
  expect(text.en).toMatch(/^p0: x; p1: x; .*; and 1 more$/);
  expect(text.el).toMatch(/^p0: x· p1: x· .*· και 1 ακόμη$/);
});
