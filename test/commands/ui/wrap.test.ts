import { describe, expect, test } from "vitest";
import { wrapWords } from "../../../commands/ui/wrap.ts";

describe("wrapWords", () => {
  test.each([
    ["MARK or error", 20, ["MARK or error"]],
    ["MARK or error", 8, ["MARK or", "error"]],
    ["αποδεσμευμένοι, εγκαταλειμμένοι", 16, ["αποδεσμευμένοι,", "εγκαταλειμμένοι"]],
    ["a 🇬🇷🇬🇷🇬🇷", 5, ["a", "🇬🇷🇬🇷", "🇬🇷"]],
    ["", 5, [""]],
  ])("%s in %i columns", (text, width, lines) => {
    expect(wrapWords(text, width)).toEqual(lines);
  });
});
