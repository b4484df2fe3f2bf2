import { expect, test } from "vitest";
import { judgeSurplusMark } from "../../src/domain/several-marks.ts";

// docs/contract.md#highest-mark-wins
test.each([
  ["400000000000002", "400000000000001", "later"],
  ["400000000000001", "400000000000002", "cancelling"],
  ["1000000000000000", "999999999999999", "later"],
  ["999999999999999", "1000000000000000", "cancelling"],
  ["9223372036854775807", "9223372036854775806", "later"],
  ["9223372036854775806", "9223372036854775807", "cancelling"],
])("the MARK %s beside %s of the document is %s: MARKs are compared as numbers", (other, mark, state) => {
  expect(judgeSurplusMark(other, { mark, isCancelled: false })).toBe(state);
});
