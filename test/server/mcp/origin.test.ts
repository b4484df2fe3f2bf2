import { expect, test } from "vitest";
import { findForeignOrigin } from "../../../server/mcp/http.ts";

const LOOPBACK = "http://127.0.0.1:8787";
const PUBLIC = "https://fiscal.example";
const EVERYWHERE = "http://0.0.0.0:8787";

test.each([
  [{ host: "127.0.0.1:8787" }, LOOPBACK, true],
  [{ host: "localhost:8787" }, LOOPBACK, true],
  [{ host: "[::1]:8787" }, LOOPBACK, true],
  [{ host: "192.168.1.5:8787" }, LOOPBACK, true],
  [{ host: "evil.example:8787" }, LOOPBACK, false],
  [{ host: "evil.example:8787", origin: "http://evil.example:8787" }, LOOPBACK, false],
  [{ host: "localhost.evil.example" }, LOOPBACK, false],
  [{ host: "not a host" }, LOOPBACK, false],
  [{ host: "fiscal.example" }, PUBLIC, true],
  [{ host: "10.0.0.7:8787" }, PUBLIC, true],
  [{ host: "fiscal.lan:8787" }, EVERYWHERE, true],
  [{ host: "fiscal.lan:8787", origin: "http://fiscal.lan:8787" }, EVERYWHERE, false],
  [{ origin: "https://fiscal.example" }, PUBLIC, true],
  [{ origin: "https://fiscal.example:8443" }, PUBLIC, false],
  [{ origin: "null" }, PUBLIC, false],
  [{ origin: "" }, PUBLIC, false],
  [{}, "http://::1:8787", true],
])("%j at %s is accepted: %s", (headers, ownUrl, isLetThrough) => {
  expect(findForeignOrigin(new Headers(headers as Record<string, string>), ownUrl) === undefined).toBe(
    isLetThrough,
  );
});
