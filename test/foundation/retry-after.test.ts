import { expect, test } from "vitest";
import { readRetryAfterMs } from "../../src/foundation/http-sender.ts";

const NOW_MS = Date.parse("2026-11-02T08:00:00.000Z");

test.each([
  ["7", 7000],
  [" 0 ", 0],
  ["Mon, 02 Nov 2026 08:01:00 GMT", 60_000],
  ["Mon, 02 Nov 2026 07:00:00 GMT", 0],
  ["soon 5", undefined],
  ["2026-11-02T08:01:00Z", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %s is %s ms", (header, ms) => {
  expect(readRetryAfterMs(header, NOW_MS)).toBe(ms);
});
