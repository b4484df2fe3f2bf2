/** CSV cells cannot run as formulas or steer a terminal, and are quoted for every program (docs/contract.md#exported-csv). */
import { describe, expect, test } from "vitest";
import { csvRow, withoutFormula } from "../../src/foundation/csv.ts";

test.each(["=1", "+1", "-1", "@a", "\ta", "\ra", "\na", "＝1", "＋1", "－1", "＠a"])(
  "%j gets an apostrophe",
  (text) => {
    expect(withoutFormula(text)).toBe(`'${text}`);
  },
);

test.each(["a=1", "1-1", "'=1", "", "Ωmega"])("%j gets none", (text) => {
  expect(withoutFormula(text)).toBe(text);
});

describe.each([";", ",", "\t"] as const)("with the separator %j", (separator) => {
  test.each(["a,b", "a;b", "a\tb", "a\nb", "a\rb"])("%j is quoted", (cell) => {
    expect(csvRow([cell], separator)).toBe(`"${cell}"\r\n`);
  });

  test("quotes are doubled, and plain cells stay as they are", () => {
    expect(csvRow(['a"b', "plain text", ""], separator)).toBe(`"a""b"${separator}plain text${separator}\r\n`);
  });

  test("control characters are escaped", () => {
    expect(csvRow(["a\u202eb\u009b2J"], separator)).toBe("a\\u202eb\\u009b2J\r\n");
  });
});
