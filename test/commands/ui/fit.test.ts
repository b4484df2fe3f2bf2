import * as fc from "fast-check";
import stringWidth from "string-width";
import { expect, test } from "vitest";
import { displayWidth, fitColumns, shorten, wrapWords } from "../../../commands/ui/fit.ts";

/** An accent of its own, a flag, and an emoji of several code points: each is one character to a reader. */
const ACCENTED = "α\u0301";
const FLAG = "🇬🇷";
const FAMILY = "👩‍👩‍👧";

test("displayWidth is that of string-width for any text", () => {
  const one = fc.oneof(
    fc.constantFrom("a", "1", "\ufe0f", "…", "–", "€", ACCENTED, FLAG, FAMILY, "漢"),
    fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code)),
  );
  fc.assert(
    fc.property(fc.array(one, { maxLength: 5 }), (characters) => {
      const text = characters.join("");
      expect(displayWidth(text)).toBe(stringWidth(text));
    }),
  );
  for (let code = 0; code <= 0x2fff; code += 1)
    expect(displayWidth(String.fromCodePoint(code))).toBe(stringWidth(String.fromCodePoint(code)));
});

test.each([
  ["Παράδειγμα Α.Ε.", 15, "Παράδειγμα Α.Ε."],
  ["Παράδειγμα Α.Ε.", 12, "Παράδειγμα…"],
  [`${ACCENTED}${ACCENTED}${ACCENTED}`, 2, `${ACCENTED}…`],
  [`a${FLAG}${FLAG}`, 4, `a${FLAG}…`],
  [`a${FLAG}${FLAG}`, 3, "a…"],
  [`${FAMILY}${FAMILY}`, 3, `${FAMILY}…`],
])("shorten %s in %i columns is %s", (text, width, shortened) => {
  expect(shorten(text, width)).toBe(shortened);
});

test("shorten never exceeds the width and never splits a character", () => {
  const text = fc.array(fc.constantFrom("a", " ", "漢", ACCENTED, FLAG, FAMILY), { maxLength: 12 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 20 }), (characters, width) => {
      const shortened = shorten(characters.join(""), width);
      expect(displayWidth(shortened)).toBeLessThanOrEqual(width);
      const kept = characters.map((_one, at) => `${characters.slice(0, at).join("").trimEnd()}…`);
      expect([characters.join(""), ...kept]).toContain(shortened);
    }),
  );
});

const whole = (width: number, leaveOut?: number) => ({ wanted: width, least: width, leaveOut });
const flexible = (wanted: number, least: number) => ({ wanted, least });

test.each([
  {
    name: "a text shrinks before a column is left out",
    columns: [whole(26, 1), flexible(40, 12), whole(10)],
    available: 50,
    widths: [26, 12, 10],
  },
  {
    name: "the first column to leave out",
    columns: [whole(26, 2), whole(8, 1), whole(20)],
    available: 50,
    widths: [26, 0, 20],
  },
  {
    name: "the first and second column to leave out",
    columns: [whole(26, 2), whole(8, 1), whole(20)],
    available: 40,
    widths: [0, 0, 20],
  },
])("fitColumns $name: $available columns", ({ columns, available, widths }) => {
  expect(fitColumns(columns, available, 1)).toEqual(widths);
});

test("fitColumns never exceeds the available width, and never shows a column below its smallest width", () => {
  const column = fc
    .record({
      least: fc.integer({ min: 1, max: 30 }),
      extra: fc.integer({ min: 0, max: 60 }),
      leaveOut: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    })
    .map(({ least, extra, leaveOut }) => ({ least, wanted: least + extra, leaveOut }));
  const table = fc.array(column, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(table, fc.integer({ min: 10, max: 300 }), (columns, available) => {
      const widths = fitColumns(columns, available, 1);
      if (widths === undefined) return;
      const shown = widths.filter((width) => width > 0);
      expect(shown.reduce((total, width) => total + width, shown.length - 1)).toBeLessThanOrEqual(available);
      columns.forEach(({ least, wanted, leaveOut }, at) => {
        const width = widths[at] ?? 0;
        if (width === 0) expect(leaveOut).toBeDefined();
        else expect(width).toBeGreaterThanOrEqual(least);
        expect(width).toBeLessThanOrEqual(wanted);
      });
    }),
  );
});

test.each([
  ["MARK or error", 20, ["MARK or error"]],
  ["MARK or error", 8, ["MARK or", "error"]],
  ["αποδεσμευμένοι, εγκαταλειμμένοι", 16, ["αποδεσμευμένοι,", "εγκαταλειμμένοι"]],
  ["a 🇬🇷🇬🇷🇬🇷", 5, ["a", "🇬🇷🇬🇷", "🇬🇷"]],
  ["", 5, [""]],
])("wrapWords %s in %i columns", (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines);
});
