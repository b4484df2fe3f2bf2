/** The root path: browsers go to the console, programs learn what this server is and where its parts are. */
import { HTTPResponse } from "h3";
import { API_VERSION } from "../../src/foundation/wire.ts";

const DESCRIPTION = JSON.stringify({
  name: "fiscal",
  api_version: API_VERSION,
  api: "/api/v1",
  openapi: "/openapi.json",
  docs: "/docs",
  console: "/console",
  mcp: "/mcp",
});

/** See docs/contract.md#root-path. `headers` are added to the response. */
export function rootResponse(accept: string | null, headers: Readonly<Record<string, string>>): HTTPResponse {
  const common = { ...headers, vary: "accept", "cache-control": "no-store" };
  // Browsers name HTML when they open a page; programs accept anything, or JSON.
  if (accept?.includes("text/html") === true)
    return new HTTPResponse(null, { status: 302, headers: { ...common, location: "/console" } });
  return new HTTPResponse(DESCRIPTION, {
    status: 200,
    headers: { ...common, "content-type": "application/json" },
  });
}
