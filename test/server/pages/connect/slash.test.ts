import { expect, test } from "vitest";
import { createApp } from "../../../../server/app.ts";
import { openServer } from "../../../helpers/http.ts";
import { forEachTest } from "../../../helpers/set-up.ts";

const server = forEachTest(openServer);

test("a connect link with a trailing slash redirects to the page, whose style loads from there", async () => {
  const { app } = createApp(server.appliance);
  for (const method of ["GET", "HEAD"]) {
    const answer = await app.request("http://localhost/connect/abc/?lang=en", { method });
    expect(answer.status).toBe(308);
    const location = answer.headers.get("location") ?? "";
    expect(new URL(location, "http://localhost/connect/abc/").href).toBe(
      "http://localhost/connect/abc?lang=en",
    );
    expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
  }
  // Also below a proxy's path prefix.
  const { headers } = await app.request("http://localhost/connect/abc/");
  const there = new URL(headers.get("location") ?? "", "https://fiscal.example/app/connect/abc/");
  expect(there.pathname).toBe("/app/connect/abc");
});
