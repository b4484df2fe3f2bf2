import { expect, test } from "vitest";
import { filingDeadlines } from "../../src/domain/vat-return.ts";

test.each([
  ["2026-11", "2026-12-31", "2026-12-26"],
  ["2025-12", "2026-01-30", "2026-01-26"],
  // Saturday 31 October, after the holiday of the 28th.
  ["2026-09", "2026-10-30", "2026-10-26"],
  // Friday 30 April is Good Friday.
  ["2021-03", "2021-04-29", "2021-04-26"],
  // Good Friday again, in the year 2027; in 2024 Easter was in May.
  ["2027-03", "2027-04-29", "2027-04-26"],
  ["2024-04", "2024-05-31", "2024-05-26"],
  // Whit Monday is 31 May, after a weekend.
  ["2021-05", "2021-06-30", "2021-06-26"],
  ["2032-04", "2032-05-31", "2032-05-26"],
])("the VAT return of %s is due on %s, the VIES statement on %s", (month, vatReturn, vies) => {
  expect(filingDeadlines(month)).toEqual([
    { kind: "vat_return", date: vatReturn },
    { kind: "vies", date: vies },
  ]);
});
