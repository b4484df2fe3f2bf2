import type { Client, Tool } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { OPERATIONS } from "../../../server/app.ts";
import { OWN_TOOLS } from "../../../server/mcp/own-tools.ts";
import { allTools, toolsOf } from "../../../server/mcp/tools.ts";
import { responseSchema } from "../../../server/openapi/describe-operation.ts";
import { convert } from "../../../server/openapi/json-schema.ts";
import { argumentsFor, bodyOf, call, expectFits, type McpServer, openMcpServer } from "../../helpers/mcp.ts";
import { NO_DELAYS } from "../../helpers/issuing.ts";
import { playNetwork } from "../../helpers/played-network.ts";
import { createStage, type Stage } from "../../helpers/valid-requests.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let server: McpServer;
let stage: Stage;
let client: Client;
let listed: readonly Tool[];

const network = forAllTests(playNetwork);
beforeAll(async () => {
  const env = {
    FISCAL_RATE_LIMIT__REQUESTS: "0",
    FISCAL_RATE_LIMIT__LOOKUPS: "0",
    ...NO_DELAYS,
    ...network.env,
  };
  server = await openMcpServer({ env });
  stage = createStage(server);
  client = await server.connect();
  listed = (await client.listTools()).tools;
});
afterAll(() => server.close());

const tools = toolsOf(OPERATIONS);

test("lists all tools in one response", () => {
  expect(listed.map(({ name }) => name)).toEqual([...allTools(OPERATIONS, OWN_TOOLS).keys()]);
});

test.each([...tools.keys()])(
  "%s accepts a valid request of its operation, and its result matches the API's schema",
  async (name) => {
    const tool = tools.get(name)!;
    const definition = listed.find((known) => known.name === name)!;
    const given = argumentsFor(tool.operation, tool, await stage.prepare(tool.operation, "test"));
    expectFits(`arguments of ${name}`, definition.inputSchema, given);
    const result = await call(client, name, given);
    expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
    const body = bodyOf(result) as Record<string, unknown>;
    const { response } = tool.operation;
    if (response.kind !== "file") expectFits(`result of ${name}`, responseSchema(response, convert), body);
    expect(Object.keys(body)).toContain("data");
    expect(result["_meta"]).toEqual({ request_id: expect.stringMatching(/^req_/) });
  },
);
