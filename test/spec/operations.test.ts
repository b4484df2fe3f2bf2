/**
 * Tests the endpoints, the statuses that they lead to, and their events. The sections' files share one process,
 * because starting one for each takes longer than its tests.
 */
import { describe } from "vitest";

describe("endpoints-documents", async () => {
  await import("./operations/endpoints-documents.ts");
});
describe("endpoints-logs", async () => {
  await import("./operations/endpoints-logs.ts");
});
describe("endpoints-connections", async () => {
  await import("./operations/endpoints-connections.ts");
});
describe("endpoints-merchants", async () => {
  await import("./operations/endpoints-merchants.ts");
});
describe("endpoints-events", async () => {
  await import("./operations/endpoints-events.ts");
});
describe("states", async () => {
  await import("./operations/states.ts");
});
describe("events", async () => {
  await import("./operations/events.ts");
});
