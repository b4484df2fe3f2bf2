import { expect, test } from "vitest";
import type { ColumnName } from "../../src/intake/column-name.ts";
import { suggestColumns } from "../../src/intake/unknown-columns.ts";

// An order number that is filed as the fiscal number cannot be taken back.
test.each<[heading: string, column: ColumnName | undefined]>([
  ["Αριθμός", "number"],
  ["ΑΡ.", "number"],
  ["No.", "number"],
  ["Αρ. παραγγελίας", "reference"],
  ["Αριθμός Παραγγελίας", "reference"],
  ["Κωδ. παραγγελίας", "reference"],
  ["Order No.", "reference"],
  ["Order number", "reference"],
  ["Αρ. πελάτη", undefined],
  ["Αριθμός πελάτη", undefined],
  ["Αρ. κινητού", undefined],
  ["Member", undefined],
  ["Κωδικός πελάτη", undefined],
  ["Product id", "description"],
  ["Ημερομηνία παραγγελίας", "issue_date"],
  ["Order date", "issue_date"],
  ["Τιμή μονάδας (€)", "unit_price"],
])("the heading %j is suggested as %j", (heading, column) => {
  const suggested = suggestColumns([{ index: 0, cell: heading }], new Map());
  expect(suggested.get(0)).toBe(column);
});
