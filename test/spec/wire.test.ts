/**
 * Tests the rules for every request. The sections' files share one process, because starting one for each takes
 * longer than its tests.
 */
import { describe } from "vitest";

describe("conventions", async () => {
  await import("./wire/conventions.ts");
});
describe("request-id", async () => {
  await import("./wire/request-id.ts");
});
describe("identifiers", async () => {
  await import("./wire/identifiers.ts");
});
describe("idempotency", async () => {
  await import("./wire/idempotency.ts");
});
describe("authentication", async () => {
  await import("./wire/authentication.ts");
});
describe("errors", async () => {
  await import("./wire/errors.ts");
});
describe("limits-of-requests", async () => {
  await import("./wire/limits-of-requests.ts");
});
describe("versioning", async () => {
  await import("./wire/versioning.ts");
});
