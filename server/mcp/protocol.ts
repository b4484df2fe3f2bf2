/** The protocol's side: a server of the SDK that lists the tools and passes their calls on. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "../../src/foundation/errors.ts";
import { API_VERSION } from "../../src/foundation/version.ts";
import type { OperationTool } from "./tools.ts";

export interface Session {
  tools: ReadonlyMap<string, OperationTool>;
  /** Only tools that change nothing are shown, and others refused. */
  readsOnly: boolean;
  /** `messageId` is that of the protocol's message. */
  call(
    tool: OperationTool,
    given: Record<string, unknown>,
    messageId: string | number,
  ): Promise<CallToolResult>;
  /** The answer to a call that a session which only reads refuses. */
  refuse(
    tool: OperationTool,
    error: AppError,
    messageId: string | number,
  ): CallToolResult | Promise<CallToolResult>;
}

const INSTRUCTIONS = [
  "fiscal issues Greek fiscal documents (invoices, credit notes, retail receipts) on behalf of merchants.",
  "Everything happens in one mode, test or live: over HTTP that of the API key, over stdio that of the command line. In test mode documents without a connection go to a sandbox and are never legally valid; in live mode issue_document files a document with the tax authority, which only a credit note or cancel_document takes back.",
  'Amounts are integers in cents; quantities are decimal strings such as "2.5"; totals must add up, each line rounded half up to the cent. preview_document checks a document and stores nothing: call it first.',
  "issue_document answers at once with status pending: ask get_document until status is issued (then it has a mark), rejected or failed.",
  "issue_document, create_merchant and create_connection take an idempotency_key; left out, one is made of the other arguments, so that a repeated call creates nothing twice. For a second, equal document (two identical receipts) give a different idempotency_key to each.",
  "Results are the API's own bodies: {data} for one thing, {object: list, data, has_more} for a list, newest first; page with starting_after. A failure is {code, message, retryable, …}: go by code, and repeat only what is retryable.",
].join("\n");

const READS_ONLY = "This session only reads: tools that change something are not offered.";

export function createProtocolServer(session: Session): Server {
  const { tools, readsOnly } = session;
  const server = new Server(
    { name: "fiscal", title: "fiscal", version: API_VERSION },
    {
      capabilities: { tools: {} },
      instructions: readsOnly ? `${INSTRUCTIONS}\n${READS_ONLY}` : INSTRUCTIONS,
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...tools.values()]
      .filter((tool) => tool.readsOnly || !readsOnly)
      .map(({ definition }) => definition),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new McpError(ErrorCode.InvalidParams, "There is no tool of this name; tools/list has them all");
    if (readsOnly && !tool.readsOnly) return session.refuse(tool, changesSomething(), requestId);
    return session.call(tool, params.arguments ?? {}, requestId);
  });
  return server;
}

function changesSomething(): AppError {
  return new AppError(
    "not_supported",
    "This session only reads, and this tool changes something; connect without read_only to use it",
  );
}
