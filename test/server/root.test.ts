/** docs/contract.md#root-path */
import { describe, expect, test } from "vitest";
import { createApp } from "../../server/app.ts";
import { openServer } from "../helpers/http.ts";
import { forAllTests } from "../helpers/set-up.ts";

const server = forAllTests(openServer);

async function open(accept: string, method = "GET"): Promise<Response> {
  return createApp(server.appliance).app.request("/", { method, headers: { accept } });
}

describe("the root path", () => {
  test("sends a browser to the console", async () => {
    const response = await open("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect([response.status, response.headers.get("location")]).toEqual([302, "/console"]);
  });

  test.each(["*/*", "application/json"])(
    "tells a program that accepts %s where everything is",
    async (accept) => {
      const response = await open(accept);
      expect(response.status).toBe(200);
      const { name, api_version, api, ...pages } = (await response.json()) as Record<string, string>;
      expect({ name, api_version, api }).toEqual({ name: "fiscal", api_version: "0.1.0", api: "/api/v1" });
      const { app } = createApp(server.appliance);
      for (const path of Object.values(pages)) expect((await app.request(path)).status, path).not.toBe(404);
    },
  );

  test("takes no other method", async () => {
    expect((await open("*/*", "POST")).status).toBe(404);
  });
});
