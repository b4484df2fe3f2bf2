import fc from "fast-check";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { OWN_TOOLS } from "../../../server/mcp/own-tools.ts";
import { allTools } from "../../../server/mcp/tools.ts";
import { openMcpServer } from "../../helpers/mcp.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const server = forAllTests(() =>
  openMcpServer({ env: { FISCAL_RATE_LIMIT__REQUESTS: "0", FISCAL_RATE_LIMIT__LOOKUPS: "0" } }),
);

const tools = [...allTools(OPERATIONS, OWN_TOOLS).values()];

/** For a tool: its own arguments and others, with any values. */
const calls = fc.constantFrom(...tools).chain((tool) => {
  const names = fc.oneof(
    fc.constantFrom(...Object.keys(tool.definition.inputSchema.properties ?? {})),
    fc.string(),
  );
  const values = fc.oneof(fc.jsonValue({ depthSize: "small" }), fc.string({ unit: "binary" }));
  return fc.record({
    name: fc.constant(tool.definition.name),
    arguments: fc.dictionary(names, values, { maxKeys: 6 }),
  });
});

test("tools return a result or an error for any arguments", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (params) => {
      const answer = await server.postMcp({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const { result } = (await answer.json()) as {
        result: { isError?: boolean; structuredContent: { code?: string } };
      };
      expect(answer.status).toBe(200);
      if (result.isError === true)
        expect(result.structuredContent.code).toMatch(/^(?!internal_error)[a-z_]+$/);
    }),
    { numRuns: 300 },
  );
  expect(server.logged.filter((line) => line.startsWith("error"))).toEqual([]);
});

test("any message gets a response of the protocol or of the API", async () => {
  const methods = fc.constantFrom("tools/call", "tools/list", "initialize", "resources/list", "ping", "");
  const messages = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { jsonrpc: fc.constant("2.0"), id: fc.jsonValue(), method: methods, params: fc.jsonValue() },
      { requiredKeys: [] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      const answer = await server.postMcp(message);
      expect([200, 202, 400]).toContain(answer.status);
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
    }),
    { numRuns: 150 },
  );
  expect(server.logged.filter((line) => line.startsWith("error"))).toEqual([]);
});
