import { describe, expect, test } from "vitest";
import { PAYMENT_WORDS, TYPE_WORDS, UNIT_WORDS, VAT_WORDS } from "../../src/domain/document-codes.ts";
import { readDay } from "../../src/foundation/days.ts";
import {
  type Reading,
  readIncomeCategory,
  readMarks,
  readPaymentMethod,
  readTaxCode,
  readType,
  readUnit,
  readVatCategory,
  readWhole,
} from "../../src/intake/cell-values.ts";

type Refusal = Extract<Reading, { problem: unknown }>;

/** A refusal whose English text contains `says`. */
function refused(says: string): Refusal {
  return { problem: { en: expect.stringContaining(says), el: expect.any(String) } };
}

function expectReading(reading: Reading, expected: string | Refusal): void {
  expect(reading).toEqual(typeof expected === "string" ? { value: expected } : expected);
}

test.each<[text: string, expected: string | Refusal]>([
  ["standard", "standard"],
  ["Super_Reduced", "super_reduced"],
  ["standard island", "standard_island"],
  ["24%", "standard"],
  ["24 %", "standard"],
  ["24,0%", "standard"],
  ["24.00", "standard"],
  ["13%", "reduced"],
  ["6%", "super_reduced"],
  ["17%", "standard_island"],
  ["9%", "reduced_island"],
  ["4%", "super_reduced_island"],
  ["0%", "exempt"],
  ["24", "standard"],
  ["13", "reduced"],
  ["17", "standard_island"],
  ["9", "reduced_island"],
  ["0", "exempt"],
  ["1", "standard"],
  ["2", "reduced"],
  ["3", "super_reduced"],
  ["5", "reduced_island"],
  ["7", "exempt"],
  ["4", refused("may be the code of standard_island or the rate of super_reduced_island")],
  ["6", refused("may be the code of super_reduced_island or the rate of super_reduced")],
  ["4,00", refused("write the name, or the rate with %")],
  ["1%", refused("must be a VAT category")],
  ["7%", refused("must be a VAT category")],
  ["8", refused("must be a VAT category")],
  ["23", refused("must be a VAT category")],
  ["0.24", refused("must be a VAT category")],
  ["6,5%", refused("must be a VAT category")],
  ["normal", refused("standard (24%), reduced (13%)")],
])("a VAT category %j", (text, expected) => expectReading(readVatCategory(text), expected));

test.each<[text: string, expected: string | Refusal]>([
  ["2026-11-02", "2026-11-02"],
  ["2/11/2026", "2026-11-02"],
  ["02/11/2026", "2026-11-02"],
  ["02-11-2026", "2026-11-02"],
  ["2.11.2026", "2026-11-02"],
  ["29/2/2024", "2024-02-29"],
  ["29/2/2026", refused("must be a calendar date")],
  ["11/13/2026", refused("must be a calendar date")],
  ["13/13/2026", refused("must be a calendar date")],
  ["2/11/26", refused("must be a calendar date")],
  ["02-11-26", refused("must be a calendar date")],
  ["2/11-2026", refused("must be a calendar date")],
  ["46328", refused("must be a calendar date")],
  ["2026-11-02 00:00", refused("must be a calendar date")],
  ["2/11/2026 14:30", refused("must be a calendar date")],
])("a date %j", (text, expected) => expectReading(readDay(text), expected));

test.each<[text: string, expected: string | Refusal]>([
  ["1.1", "1.1"],
  ["1,1", "1.1"],
  ["11,2", "11.2"],
  ["1.2", refused("must be one of 1.1, 2.1")],
  ["1-Ιαν", refused("a spreadsheet may have made a date of it")],
  ["11.10", refused("must be one of")],
])("a type %j", (text, expected) => expectReading(readType(text), expected));

describe("a cell that a spreadsheet may have damaged", () => {
  test.each<[text: string, expected: string | Refusal]>([
    ["094012834", "094012834"],
    ["DE123", "DE123"],
    ["9,4013E+07", refused("lost its digits; format the column as text")],
    ["1.13E+08", refused("lost its digits")],
    ["1e8", refused("lost its digits")],
    // The form of a Spanish or French number, not of a rounded one.
    ["E12345678", "E12345678"],
  ])("as a tax number: %j", (text, expected) => expectReading(readTaxCode(text), expected));

  test.each<[text: string, expected: string | Refusal]>([
    ["400000000000001", "400000000000001"],
    ["400000000000001|400000000000002", "400000000000001 400000000000002"],
    ["1  2\n3 | 4", "1 2 3 4"],
    ["4E+14", refused("lost its digits")],
    ["400000000000001 4,00001E+14", refused("lost its digits")],
    ["|", refused("must be MARKs")],
  ])("as MARKs: %j", (text, expected) => expectReading(readMarks(text), expected));
});

test.each<[read: (text: string) => Reading, text: string, expected: string | Refusal]>([
  [readPaymentMethod, "cash", "cash"],
  [readPaymentMethod, "On Credit", "on_credit"],
  [readPaymentMethod, "3", "cash"],
  [readPaymentMethod, "8", "iris"],
  [readPaymentMethod, "9", refused("domestic_account (1)")],
  [readPaymentMethod, "bitcoin", refused("pos (7), iris (8)")],
  [readUnit, "KG", "kg"],
  [readUnit, "2", "kg"],
  [readUnit, "square metre", "square_metre"],
  [readUnit, "7", refused("piece (1)")],
  [readUnit, "κιβώτιο", refused("must be one of")],
  [readIncomeCategory, "1_1", "category1_1"],
  [readIncomeCategory, "Category1_95", "category1_95"],
  [readWhole, "7", "7"],
  [readWhole, "007", "7"],
  [readWhole, "0", "0"],
  [readWhole, "7,0", refused("whole number")],
  [readWhole, "1234567890123456", refused("whole number")],
  [readWhole, "-1", refused("whole number")],
])("words and codes: %o of %j", (read, text, expected) => expectReading(read(text), expected));

describe("the words that are printed for codes", () => {
  test.each<[read: (text: string) => Reading, words: string[], expected: string | Refusal]>([
    [readUnit, ["τεμ.", "τεμ", "Τεμάχιο", "ΤΕΜΑΧΙΑ", "pcs", "Pieces"], "piece"],
    [readUnit, ["τ.μ.", "τμ", "m²", "m2", "τετραγωνικά μέτρα"], "square_metre"],
    [readPaymentMethod, ["μετρητά", "ΜΕΤΡΗΤΑ", "Cash"], "cash"],
    [readPaymentMethod, ["επί πιστώσει", "On credit"], "on_credit"],
    [readPaymentMethod, ["POS / e-POS", "κάρτα"], "pos"],
    [
      readPaymentMethod,
      ["τράπεζα"],
      refused("may be Domestic account (domestic_account) or Foreign account"),
    ],
    [readType, ["Τιμολόγιο πώλησης", "ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ", "sales invoice"], "1.1"],
    [readType, ["Τιμολόγιο Πώλησης – Ενδοκοινοτικές Παραδόσεις"], "1.1"],
    [readType, ["Τιμολόγιο Παροχής Υπηρεσιών", "ΤΠΥ"], "2.1"],
    [readType, ["Απόδειξη λιανικής", "ΑΛΠ"], "11.1"],
    [readType, ["Τιμολόγιο"], refused("may be Sales invoice (1.1) or Service invoice (2.1)")],
    [readType, ["Πιστωτικό τιμολόγιο"], refused("(5.1) or Credit note, not associated (5.2)")],
    [readType, ["1-1", "1 Jan"], refused("must be one of")],
    [readVatCategory, ["κανονικός", "ΦΠΑ 24%", "Φ.Π.Α. 24 %", "vat 24%"], "standard"],
    [readVatCategory, ["μειωμένος νησιών", "reduced, islands"], "reduced_island"],
    [readVatCategory, ["χωρίς ΦΠΑ", "απαλλαγή"], "exempt"],
    [readVatCategory, ["ΦΠΑ 6"], refused("may be the code of")],
  ])("%o reads %j", (read, words, expected) => {
    for (const word of words) expectReading(read(word), expected);
  });

  test("a printed word always means its own code", () => {
    const tables = [
      [UNIT_WORDS, readUnit],
      [PAYMENT_WORDS, readPaymentMethod],
      [VAT_WORDS, readVatCategory],
      [TYPE_WORDS, readType],
    ] as const;
    for (const [words, read] of tables) {
      for (const [code, { en, el }] of Object.entries(words)) {
        expect(read(en)).toEqual({ value: code });
        expect(read(el)).toEqual({ value: code });
      }
    }
  });
});
