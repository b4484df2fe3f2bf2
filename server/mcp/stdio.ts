/** Serves MCP over standard input and output: `fiscal mcp`. */
import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Mode } from "../../storage/stored-values.ts";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { createWindows } from "../limits.ts";
import type { Operation } from "../operation.ts";
import { createPipeline } from "../pipeline.ts";
import { callTool, refusalOf, type ToolOutcome, toolResultOf } from "./call.ts";
import { recordMcpCall } from "./log.ts";
import { createProtocolServer } from "./protocol.ts";
import { doctorTool, OWN_TOOLS } from "./own-tools.ts";
import { allTools, type McpTool } from "./tools.ts";
import type { SessionTools } from "./toolsets.ts";
import { countUnanswered } from "./unanswered.ts";

export interface StdioOptions {
  input: Readable;
  output: Writable;
  operations: readonly Operation[];
  readsOnly: boolean;
  toolsets: SessionTools;
  /** Runs the checks of `fiscal doctor`; undefined for a session that may not see their findings. */
  diagnose: (() => Promise<object>) | undefined;
  /** Called for every tool call; returns the mode. Throws `unauthorized` when the caller's key is no longer valid. */
  authorise(): Promise<Mode>;
  /** Ends the session, like the end of `input`. */
  signal: AbortSignal;
  /** How long to wait at the end for calls in progress. */
  deadlineMs: number;
}

/**
 * Serves until `input` ends, and returns the ids of the documents that were issued or queued again meanwhile. Throws
 * `payload_too_large` when a message exceeds the read buffer.
 */
export async function serveStdio(appliance: Appliance, options: StdioOptions): Promise<Set<string>> {
  const { input, readsOnly, toolsets, signal } = options;
  const documentIds = new Set<string>();
  const { diagnose } = options;
  const ownTools = diagnose === undefined ? OWN_TOOLS : [...OWN_TOOLS, doctorTool(diagnose)];
  const server = createProtocolServer({
    tools: allTools(options.operations, ownTools),
    toolsets,
    readsOnly,
    ...createCalls(appliance, options, documentIds),
  });
  server.onerror = () =>
    appliance.log.warn({}, "ignored a line on standard input that is not a protocol message");
  const bytesMax = MESSAGE_FACTOR * appliance.config.server.maxBodyBytes + MESSAGE_OVERHEAD_BYTES;
  const transport = new StdioServerTransport(input, options.output, { maxBufferSize: bytesMax });
  const ended = Promise.race([waitForEnd(input, signal), rejectOnOverflow(server, bytesMax)]);
  await server.connect(transport);
  const unanswered = countUnanswered(transport);
  await ended;
  await unanswered.settled(options.deadlineMs);
  await close(server);
  return documentIds;
}

/** Twice the API's body limit, so that a body slightly over it is refused with the API's error instead of ending the session. */
const MESSAGE_FACTOR = 2;
const MESSAGE_OVERHEAD_BYTES = 1_048_576;

/** Rejects when the transport closes itself, which it does when a message exceeds its buffer. */
function rejectOnOverflow(server: Server, bytesMax: number): Promise<never> {
  return new Promise((_, reject) => {
    server.onclose = () =>
      reject(
        new AppError("payload_too_large", {
          en: `A message on standard input is larger than ${bytesMax} bytes, which ends the session`,
          el: `Ένα μήνυμα στην τυπική είσοδο είναι μεγαλύτερο από ${bytesMax} byte και τερματίζει τη σύνδεση`,
        }),
      );
  });
}

function createCalls(appliance: Appliance, options: StdioOptions, documentIds: Set<string>) {
  const pipeline = createPipeline(appliance, createWindows(appliance));

  /** Runs a tool call and records it, in addition to the row of its API request. */
  async function run(
    tool: McpTool,
    messageId: string | number,
    work: (mode: Mode, requestId: string) => Promise<ToolOutcome>,
  ): Promise<CallToolResult> {
    const progress = pipeline.begin(new Headers(), { source: "mcp" });
    const { requestId } = progress;
    const served = await pipeline.attempt(requestId, tool.operationId, async () => {
      progress.mode = await options.authorise();
      return work(progress.mode, requestId);
    });
    const outcome = served instanceof AppError ? refusalOf(tool, served) : served;
    const params = { name: tool.definition.name };
    recordMcpCall(appliance, progress, {
      message: { jsonrpc: "2.0", id: messageId, method: "tools/call", params },
      status: 200,
      response: null,
      url: "/mcp",
      requestHeaders: {},
      responseHeaders: {},
      outcome,
    });
    return toolResultOf(outcome.served, requestId);
  }

  return {
    call: (tool: McpTool, given: Record<string, unknown>, messageId: string | number) =>
      run(tool, messageId, async (mode, requestId) => {
        const outcome = await callTool(appliance, pipeline, tool, given, { mode, requestId });
        const { result } = outcome.served;
        if (!tool.readsOnly && "documentId" in result && result.documentId !== null)
          documentIds.add(result.documentId);
        return outcome;
      }),
    refuse: (tool: McpTool, error: AppError, messageId: string | number) =>
      run(tool, messageId, async () => refusalOf(tool, error)),
  };
}

function waitForEnd(input: Readable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    if (signal.aborted || input.readableEnded || input.destroyed) end();
    for (const event of ["end", "close", "error"]) input.once(event, end);
    signal.addEventListener("abort", end, { once: true });
  });
}

async function close(server: Server): Promise<void> {
  // The reader may be gone already, so errors are ignored.
  server.onerror = () => {};
  server.onclose = () => {};
  await server.close();
}
