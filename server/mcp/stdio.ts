/** MCP over two streams: `fiscal mcp`. Messages come in on the one and go out on the other, and nothing else does. */
import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Mode } from "../../storage/stored-values.ts";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import type { Operation } from "../operation.ts";
import { createPipeline } from "../pipeline.ts";
import { callTool, refusalOf, type ToolOutcome, toolResultOf } from "./call.ts";
import { LineTransport } from "./lines.ts";
import { recordMcpCall } from "./log.ts";
import { createProtocolServer } from "./protocol.ts";
import { type OperationTool, toolsOf } from "./tools.ts";
import { countUnanswered } from "./unanswered.ts";

export interface StdioOptions {
  input: Readable;
  output: Writable;
  operations: readonly Operation[];
  readsOnly: boolean;
  /** Asked at every call: the mode to act in. Throws `unauthorized` for a caller that may not, or not any more. */
  authorise(): Promise<Mode>;
  /** Ends the session as the end of `input` does. */
  signal: AbortSignal;
  /** Calls under way at the end are waited for, this long at the most. */
  deadlineMs: number;
}

/**
 * Serves until `input` ends. Throws `payload_too_large` when a message is so large that it is not read to its end. Answers
 * the ids of the documents that were issued or queued again meanwhile.
 */
export async function serveStdio(appliance: Appliance, options: StdioOptions): Promise<Set<string>> {
  const { input, readsOnly, signal } = options;
  const documentIds = new Set<string>();
  const server = createProtocolServer({
    tools: toolsOf(options.operations),
    readsOnly,
    ...createCalls(appliance, options, documentIds),
  });
  server.onerror = () =>
    appliance.log.warn({}, "what came on standard input is no message of the protocol; it was ignored");
  const bytesMax = MESSAGE_FACTOR * appliance.config.server.maxBodyBytes + MESSAGE_ROOM;
  const transport = new LineTransport(input, options.output, bytesMax);
  const ended = Promise.race([endOf(input, signal), cutOf(server, bytesMax)]);
  await server.connect(transport);
  const unanswered = countUnanswered(transport);
  await ended;
  await unanswered.settled(options.deadlineMs);
  await close(server);
  return documentIds;
}

/** A body over the limit of the API is refused by its code while the message around it can be read: up to twice as large. */
const MESSAGE_FACTOR = 2;
const MESSAGE_ROOM = 1_048_576;

/** Rejects when the transport gives up by itself: then a message has filled its buffer. */
function cutOf(server: Server, bytesMax: number): Promise<never> {
  return new Promise((_, reject) => {
    server.onclose = () =>
      reject(
        new AppError(
          "payload_too_large",
          `A message on standard input is larger than ${bytesMax} bytes; a smaller body is refused by itself, this one ends the session`,
        ),
      );
  });
}

function createCalls(appliance: Appliance, options: StdioOptions, documentIds: Set<string>) {
  const pipeline = createPipeline(appliance);

  /** The call of a tool, and its row in the log beside that of the request which it makes. */
  async function answer(
    tool: OperationTool,
    messageId: string | number,
    work: (mode: Mode, requestId: string) => Promise<ToolOutcome>,
  ): Promise<CallToolResult> {
    const progress = pipeline.begin(new Headers(), { source: "mcp" });
    const { requestId } = progress;
    const served = await pipeline.attempt(requestId, tool.operation.id, async () => {
      progress.mode = await options.authorise();
      return work(progress.mode, requestId);
    });
    const outcome = served instanceof AppError ? refusalOf(tool, served) : served;
    const params = { name: tool.definition.name };
    recordMcpCall(appliance, progress, {
      message: { jsonrpc: "2.0", id: messageId, method: "tools/call", params },
      status: 200,
      answer: null,
      url: "/mcp",
      requestHeaders: {},
      responseHeaders: {},
      outcome,
    });
    return toolResultOf(outcome.served, requestId);
  }

  return {
    call: (tool: OperationTool, given: Record<string, unknown>, messageId: string | number) =>
      answer(tool, messageId, async (mode, requestId) => {
        const outcome = await callTool(pipeline, tool, given, { mode, requestId });
        const { result } = outcome.served;
        if (!tool.readsOnly && "documentId" in result && result.documentId !== null)
          documentIds.add(result.documentId);
        return outcome;
      }),
    refuse: (tool: OperationTool, error: AppError, messageId: string | number) =>
      answer(tool, messageId, async () => refusalOf(tool, error)),
  };
}

function endOf(input: Readable, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => resolve();
    if (signal.aborted || input.readableEnded || input.destroyed) end();
    for (const event of ["end", "close", "error"]) input.once(event, end);
    signal.addEventListener("abort", end, { once: true });
  });
}

async function close(server: Server): Promise<void> {
  // Whoever read the answers may be gone: there is nobody to tell.
  server.onerror = () => {};
  server.onclose = () => {};
  await server.close();
}
