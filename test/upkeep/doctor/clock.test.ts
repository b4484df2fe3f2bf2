import { expect, test } from "vitest";
import { createClock } from "../../../src/foundation/clock.ts";
import { watchClock } from "../../../src/upkeep/doctor/check-clock.ts";

test.each([
  [0, undefined],
  [1500, undefined],
  [-1500, undefined],
  [3_600_000, "forward by 3600 seconds"],
  [-5000, "back by 5 seconds"],
])("reports for a clock that was set %i ms off: %s", (movedMs, words) => {
  let wallMs = Date.parse("2026-11-21T09:00:00.000Z");
  let countMs = 7;
  const findings = watchClock(
    createClock(() => wallMs),
    () => countMs,
  );
  countMs += 60_000;
  wallMs += 60_000 + movedMs;
  expect(findings().map(({ severity, message }) => `${severity}: ${message.en}`)).toEqual(
    words === undefined ? [] : [`notice: The clock was set ${words} during this check.`],
  );
});
