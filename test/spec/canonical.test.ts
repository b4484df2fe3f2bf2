/**
 * Tests the canonical document. The sections' files share one process, because starting one for each takes longer
 * than its tests.
 */
import { describe } from "vitest";

describe("canonical-document", async () => {
  await import("./canonical/canonical-document.ts");
});
describe("party", async () => {
  await import("./canonical/party.ts");
});
describe("line", async () => {
  await import("./canonical/line.ts");
});
describe("payments-totals", async () => {
  await import("./canonical/payments-totals.ts");
});
