/** A body is validated before it is fingerprinted, so that an invalid large one costs no sorting and hashing. */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const hash = vi.spyOn(crypto, "hash");
syncBuiltinESMExports();

const server = forAllTests(openServer);
afterAll(async () => {
  hash.mockRestore();
  syncBuiltinESMExports();
});
beforeEach(() => void hash.mockClear());

/** How many bodies were hashed. */
function countFingerprints(): number {
  return hash.mock.calls.filter(([, text]) => String(text).startsWith('{"body":')).length;
}

test.each([
  ["/api/v1/documents", { lines: Array.from({ length: 1000 }, () => ({ b: 1, a: 2 })) }],
  ["/api/v1/merchants", { name: 1 }],
])("%s does not fingerprint an invalid body", async (path, body) => {
  expect((await server.post(path, body)).status).toBe(400);
  expect(countFingerprints()).toBe(0);
});

test("a valid body is fingerprinted once", async () => {
  expect((await server.issue()).status).toBe(201);
  expect(countFingerprints()).toBe(1);
});
