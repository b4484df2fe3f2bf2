/**
 * Tests the resources and their fields. The sections' files share one process, because starting one for each takes
 * longer than its tests.
 */
import { describe } from "vitest";

describe("document", async () => {
  await import("./resources/document.ts");
});
describe("classification", async () => {
  await import("./resources/classification.ts");
});
describe("timeline", async () => {
  await import("./resources/timeline.ts");
});
describe("error-object", async () => {
  await import("./resources/error-object.ts");
});
describe("merchant", async () => {
  await import("./resources/merchant.ts");
});
describe("connection", async () => {
  await import("./resources/connection.ts");
});
describe("event", async () => {
  await import("./resources/event.ts");
});
describe("provider-call", async () => {
  await import("./resources/provider-call.ts");
});
describe("provider-call-bodies", async () => {
  await import("./resources/provider-call-bodies.ts");
});
describe("api-request", async () => {
  await import("./resources/api-request.ts");
});
describe("tax-id-lookup", async () => {
  await import("./resources/tax-id-lookup.ts");
});
