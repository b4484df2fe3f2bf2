import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cookieNames } from "../../server/pages/console/page-responses.ts";
import { createConsoleLink } from "../../src/console/sign-in.ts";
import { openVisitor } from "../helpers/console.ts";
import { openServer, type Server } from "../helpers/http.ts";

test.each([
  ["", "http://localhost:8787/console", "fiscal_console_8787"],
  ["", "http://localhost/console", "fiscal_console"],
  ["https://fiscal.example", "http://127.0.0.1:8787/console", "fiscal_console"],
  ["https://fiscal.example:8443", "http://127.0.0.1:8787/console", "fiscal_console_8443"],
])("with the public address %j a request for %s has the cookie %s", (publicUrl, asked, name) => {
  const names = cookieNames(publicUrl, new URL(asked));
  expect(names.session).toBe(name);
  for (const other of [names.visitor, names.flash, names.language, names.merchant])
    expect(other.startsWith(`${name}_`)).toBe(true);
  expect(new Set(Object.values(names)).size).toBe(5);
});

describe("two consoles on one host", () => {
  let servers: Server[];
  beforeEach(async () => {
    servers = [await openServer(), await openServer()];
  });
  afterEach(() => Promise.all(servers.map((server) => server.close())));

  test("can be used by one browser, and neither signs it out of the other", async () => {
    // Browsers keep one cookie jar for all ports of a host.
    const jar = new Map<string, string>();
    const visitors = servers.map(({ appliance }) => openVisitor(appliance, jar));
    const at = (index: number, path: string) => `http://127.0.0.1:${9001 + index}${path}`;
    for (const [index, visitor] of visitors.entries()) {
      const { url } = await createConsoleLink(servers[index]!.appliance, "test");
      const link = at(index, new URL(url).pathname);
      expect((await visitor.post(link, {}, { from: link })).status).toBe(303);
    }
    for (const [index, visitor] of visitors.entries())
      expect((await visitor.get(at(index, "/console"))).status).toBe(200);
    const out = await visitors[0]!.post(at(0, "/console/sign-out"), {}, { from: at(0, "/console") });
    expect(out.status).toBe(303);
    expect((await visitors[0]!.get(at(0, "/console"))).status).toBe(303);
    expect((await visitors[1]!.get(at(1, "/console"))).status).toBe(200);
  });
});
