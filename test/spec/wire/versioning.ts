// docs/contract.md#versioning
import { describe, expect, test } from "vitest";
import { EVENTS, type Json, useServer } from "../helpers/bench.ts";
import { ask, ENDPOINTS } from "../helpers/endpoints.ts";

let description: Json;
const server = useServer({}, async (opened) => {
  description = (await opened.get("/api/v1/openapi.json")).body;
});

describe("Versioning", () => {
  test("the service's version is 0.1.0, in its description and every event", async () => {
    expect(description.info.version).toBe("0.1.0");
    await server().finished();
    for (const event of await server().read(EVENTS)) expect(event.api_version).toBe("0.1.0");
  });

  test.each(ENDPOINTS)("$heading exists, and is not found without its prefix", async (endpoint) => {
    expect(Object.keys(description.paths[endpoint.template])).toContain(endpoint.method.toLowerCase());
    for (const prefix of ["", "/api", "/api/v2"]) {
      const path = endpoint.path.replace("/api/v1", prefix);
      expect((await ask(server(), { ...endpoint, path })).body.code).toBe("not_found");
    }
  });
});
