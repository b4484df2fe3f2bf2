/** Clients of the MCP SDK, and tool arguments derived from API requests. */
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { createServer } from "../../server/listen.ts";
import type { Operation } from "../../src/operations/operation.ts";
import type { OperationTool } from "../../server/mcp/tools.ts";
import type { BenchOptions } from "./appliance.ts";
import { openServer } from "./http.ts";
import type { Outgoing } from "./malformed-requests.ts";

/** How a client finds out the revision of the protocol: before 2026-07-28 with `initialize`, since then with `server/discover`. */
export type Handshake = "initialize" | "discover";

export async function openMcpServer(options: BenchOptions = {}) {
  const server = await openServer({ ...options, env: { FISCAL_SERVER__PORT: "0", ...options.env } });
  const http = createServer(server.appliance);
  const { url } = await http.start();
  const clients: Client[] = [];
  return {
    ...server,
    url,
    /** A connected client, which is closed with the server. By default it has all toolsets. */
    async connect({
      key = server.testKey,
      search = "?tools=all",
      handshake = "initialize" as Handshake,
    } = {}): Promise<Client> {
      const client = createClient(handshake);
      clients.push(client);
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${url}/mcp${search}`), { requestInit }),
      );
      return client;
    },
    /** POSTs to `/mcp`, with all toolsets, what no proper client would. */
    postMcp: (body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url}/mcp?tools=all`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${server.testKey}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    async close() {
      for (const client of clients) await client.close();
      await http.stop();
      await server.close();
    },
  };
}

export type McpServer = Awaited<ReturnType<typeof openMcpServer>>;

export function createClient(handshake: Handshake): Client {
  return new Client(
    { name: "fiscal-tests", version: "1.0.0" },
    { versionNegotiation: { mode: handshake === "initialize" ? "legacy" : { pin: "2026-07-28" } } },
  );
}

/** Calls a tool; the result follows the newest version of the protocol. */
export async function call(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

/** The resource of a result with `data`. */
export function dataOf<T = Record<string, unknown> & { id: string }>(result: CallToolResult): T {
  expect(result.isError, JSON.stringify(result.content)).toBeUndefined();
  return (result.structuredContent as { data: T }).data;
}

/** The API's body, which a result contains twice. */
export function bodyOf(result: CallToolResult): unknown {
  const [first] = result.content;
  const text: unknown = first?.type === "text" ? JSON.parse(first.text) : undefined;
  expect(text).toEqual(result.structuredContent);
  return text;
}

/** Converts the API request `outgoing` into arguments of its tool. */
export function argumentsFor(
  operation: Operation,
  tool: OperationTool,
  outgoing: Pick<Outgoing, "path" | "body">,
): Record<string, unknown> {
  const url = new URL(outgoing.path, "http://localhost");
  const form = new RegExp(`^/api/v1${operation.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  const params = form.exec(url.pathname)?.groups ?? {};
  const body = outgoing.body === null ? {} : (JSON.parse(outgoing.body.toString()) as object);
  const given: Record<string, unknown> = {
    path: params,
    query: Object.fromEntries(url.searchParams),
    body,
  };
  const pairs = [...tool.arguments].flatMap(([name, { place, wireName }]) => {
    const values = (given[place] ?? {}) as Record<string, unknown>;
    return Object.hasOwn(values, wireName) ? [[name, values[wireName]] as const] : [];
  });
  return Object.fromEntries(pairs);
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const validators = new Map<string, ValidateFunction>();

/** Checks `value` against a JSON Schema 2020-12, which is compiled once per `name`. */
export function expectFits(name: string, schema: object, value: unknown): void {
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}
