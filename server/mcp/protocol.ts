/** Creates the SDK's server, which lists the tools and forwards their calls. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { AppError } from "../../src/foundation/errors.ts";
import { API_VERSION } from "../../src/foundation/wire.ts";
import type { McpTool, Tools } from "./tools.ts";
import type { SessionTools } from "./toolsets.ts";

export interface Session {
  tools: Tools;
  toolsets: SessionTools;
  /** Lists only tools that change nothing, and refuses the others. */
  readsOnly: boolean;
  /** The result of a call, or of one that is refused with an error. `cancelled` is aborted when the client cancels the call. */
  call(
    tool: McpTool,
    given: Record<string, unknown> | AppError,
    cancelled: AbortSignal,
  ): Promise<CallToolResult>;
}

const INSTRUCTIONS = [
  "fiscal issues Greek fiscal documents (invoices, credit notes, retail receipts) on behalf of merchants.",
  "A session has one mode, test or live: over HTTP that of the API key, over stdio that of the command line. In test mode documents without a connection go to a sandbox and are never legally valid; in live mode issue_document files a document with the tax authority, which only a credit note or cancel_document can reverse.",
  'Amounts are integers in cents; quantities are decimal strings such as "2.5". To issue: list_merchants, compute_totals, preview_document (stores nothing), issue_document.',
  "issue_document returns immediately with status pending: call get_document until status is issued (then it has a mark), rejected or failed.",
  "To credit an issued invoice, read its lines with get_document_contents and call credit_document; without lines it credits all that is left.",
  "issue_document, credit_document, create_merchant and create_connection take an idempotency_key; by default it is derived from the other arguments, so that a repeated call creates nothing twice. To issue two equal documents (two identical receipts), pass a different idempotency_key for each.",
  "Tools come in sets, of which a session lists some: documents, merchants, tax_numbers, numbering, connections, events, webhooks, logs and, for the operator, doctor. To see the tools of another set, ask the person to connect with tools=all.",
  "Results are the API's response bodies: {data} for one object, {object: list, data, has_more} for a list, newest first; page with starting_after. An error is {code, message, retryable, …}: decide by code, and retry only if retryable.",
].join("\n");

const READ_ONLY_NOTE = "This session is read-only: tools that change something are not offered.";

export function createProtocolServer(session: Session): Server {
  const { tools, toolsets, readsOnly } = session;
  const server = new Server(
    { name: "fiscal", title: "fiscal", version: API_VERSION },
    {
      capabilities: { tools: {} },
      instructions: readsOnly ? `${INSTRUCTIONS}\n${READ_ONLY_NOTE}` : INSTRUCTIONS,
    },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: [...tools.values()]
      .filter((tool) => toolsets.listed.has(tool.toolset) && (tool.readsOnly || !readsOnly))
      .map(({ definition }) => definition),
  }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name);
    if (tool === undefined)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        "No tool has this name; tools/list lists them all",
      );
    if (!toolsets.callable.has(tool.toolset))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `This session does not offer the toolset ${tool.toolset}; connect with tools=${tool.toolset} to use it`,
      );
    const isRefused = readsOnly && !tool.readsOnly;
    return session.call(tool, isRefused ? readOnlyError() : (params.arguments ?? {}), mcpReq.signal);
  });
  return server;
}

function readOnlyError(): AppError {
  return new AppError("not_supported", {
    en: "This session is read-only and this tool changes something; connect without read_only to use it",
    el: "Η σύνδεση είναι μόνο για ανάγνωση και το εργαλείο αλλάζει δεδομένα· συνδεθείτε χωρίς read_only για να το χρησιμοποιήσετε",
  });
}
