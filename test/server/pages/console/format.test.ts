/** Formats figures as readers of a language expect. */
import { expect, test } from "vitest";
import { formatQuantity } from "../../../../server/pages/console/format.ts";

test.each([
  ["2.5", "2,5", "2.5"],
  // With a point it would read as two and a half thousand in Greek.
  ["2.500", "2,5", "2.5"],
  ["1234.50", "1.234,5", "1,234.5"],
  ["0.000001", "0,000001", "0.000001"],
  // Beyond the precision of a double.
  ["12345678901234.567891", "12.345.678.901.234,567891", "12,345,678,901,234.567891"],
])("the quantity %s is %s in Greek and %s in English", (quantity, greek, english) => {
  expect([formatQuantity("el", quantity), formatQuantity("en", quantity)]).toEqual([greek, english]);
});
