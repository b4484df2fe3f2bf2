/** See docs/paper.md#contents. */
import { expect, test } from "vitest";
import { findUnprintable, isPrintable } from "../../src/documents/notes.ts";
import { loadFonts } from "../../src/paper/render-pdf.ts";
import { buildLine, buildParsed, CUSTOMERS } from "../helpers/documents.ts";

/** Not drawn, or not assigned in this version of Unicode. */
const NOT_DRAWN = /[\p{Default_Ignorable_Code_Point}\s\p{Cc}\p{Cn}\p{Co}\p{Cs}]/u;

test("what counts as printable is exactly what both faces of the font have", async () => {
  const { regular, bold } = await loadFonts();
  const wrong: string[] = [];
  for (let codePoint = 0x21; codePoint <= 0x10ffff; codePoint += 1) {
    const character = String.fromCodePoint(codePoint);
    // Some characters are only ever drawn as their composed form.
    if (NOT_DRAWN.test(character) || character.normalize("NFC") !== character) continue;
    const isShown = regular.hasGlyphForCodePoint(codePoint) && bold.hasGlyphForCodePoint(codePoint);
    if (isPrintable(character) !== isShown) wrong.push(codePoint.toString(16));
  }
  expect(wrong).toEqual([]);
});

test.each([
  "Ωμέγα ΐ",
  "Zażółć gęślą jaźń",
  "Şişli İstanbul ğ",
  "Общество Щит",
  "Trần Đức",
  "€ ½ № ™",
  "a\tb\nc",
])("%j is printable", (text) => expect(isPrintable(text)).toBe(true));

test("warnings name the field and not the text", () => {
  const customer = {
    ...CUSTOMERS.greek,
    name: "漢字",
    address: { postal_code: "10563", city: "עברית" },
  };
  const lines = ["Καφές", "😀", "→", "✓"].map((description) => buildLine({ description }));
  expect(findUnprintable(buildParsed("1.1", { customer, lines })).map(({ en }) => en)).toEqual([
    "customer: the name has characters that the PDF's font lacks; it shows � instead",
    "customer: the address has characters that the PDF's font lacks; it shows � instead",
    "line 2 and 2 more: the description has characters that the PDF's font lacks; it shows � instead",
  ]);
  expect(findUnprintable(buildParsed("1.1"))).toEqual([]);
});
