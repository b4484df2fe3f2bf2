/** Serves MCP over standard input and output: `fiscal mcp`. */
import { once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate as nextTurn, setTimeout as setTimer } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { serveStdio as serveProtocol, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { createWindows } from "../limits.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { createPipeline } from "../pipeline.ts";
import { beginProgress } from "../response.ts";
import { callTool, recordMcpCall, refusalOf, toolResultOf } from "./call.ts";
import { createProtocolServer, type Session } from "./protocol.ts";
import { doctorTool, OWN_TOOLS } from "./own-tools.ts";
import { allTools, type McpTool } from "./tools.ts";
import type { SessionTools } from "./toolsets.ts";

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
  const { input, output, readsOnly, toolsets, signal, diagnose } = options;
  const documentIds = new Set<string>();
  const running = new Set<Promise<unknown>>();
  const session: Session = {
    tools: allTools(
      options.operations,
      diagnose === undefined ? OWN_TOOLS : [...OWN_TOOLS, doctorTool(diagnose)],
    ),
    toolsets,
    readsOnly,
    call: createCalls(appliance, options, documentIds, running),
  };
  const bytesMax = MESSAGE_FACTOR * appliance.config.server.maxBodyBytes + MESSAGE_OVERHEAD_BYTES;
  // The transport aborts calls in progress when its input ends, so this one ends only after them.
  const piped = input.pipe(new PassThrough(), { end: false });
  const transport = new Transport(piped, output, { maxBufferSize: bytesMax });
  const handle = serveProtocol(() => createProtocolServer(session), {
    transport,
    onerror: () => appliance.log.warn({}, "ignored a line on standard input that is not a protocol message"),
  });
  await Promise.race([waitForEnd(input, signal), transport.closed]);
  input.unpipe(piped);
  if (transport.isClosed && !output.errored) throw messageTooLarge(bytesMax);
  await finishCalls(running, options.deadlineMs);
  await handle.close();
  return documentIds;
}

class Transport extends StdioServerTransport {
  isClosed = false;
  readonly #closed = Promise.withResolvers<void>();
  /** Resolves when the transport has closed itself: a message exceeded its buffer, or nobody reads its output. */
  readonly closed = this.#closed.promise;

  override async close(): Promise<void> {
    this.isClosed = true;
    this.#closed.resolve();
    await super.close();
  }
}

/** Twice the API's body limit, so that a body slightly over it is refused with the API's error instead of ending the session. */
const MESSAGE_FACTOR = 2;
const MESSAGE_OVERHEAD_BYTES = 1_048_576;

function messageTooLarge(bytesMax: number): AppError {
  return new AppError("payload_too_large", {
    en: `A message on standard input is larger than ${bytesMax} bytes, which ends the session`,
    el: `Ένα μήνυμα στην τυπική είσοδο είναι μεγαλύτερο από ${bytesMax} byte και τερματίζει τη σύνδεση`,
  });
}

/** Runs tool calls and records each, in addition to the row of its API request. */
function createCalls(
  appliance: Appliance,
  options: StdioOptions,
  documentIds: Set<string>,
  running: Set<Promise<unknown>>,
): Session["call"] {
  const pipeline = createPipeline(appliance, createWindows(appliance));

  async function run(tool: McpTool, given: Record<string, unknown> | AppError): Promise<CallToolResult> {
    const progress = beginProgress(appliance, new Headers(), { source: "mcp" });
    const { requestId } = progress;
    const called = await pipeline.attempt(requestId, tool.operationId, async () => {
      progress.mode = await options.authorise();
      return callTool(appliance, pipeline, tool, given, { mode: progress.mode, requestId });
    });
    const outcome = called instanceof AppError ? refusalOf(tool, called) : called;
    const { result } = outcome;
    if (!tool.readsOnly && "documentId" in result && result.documentId !== null)
      documentIds.add(result.documentId);
    recordMcpCall(appliance, progress, {
      status: 200,
      url: "/mcp",
      requestHeaders: {},
      responseHeaders: {},
      outcome,
    });
    return toolResultOf(outcome, requestId);
  }

  return async (tool, given, cancelled) => {
    const called = run(tool, given);
    // A cancelled call gets no response.
    const over = Promise.race([called, once(cancelled, "abort")]).finally(() => running.delete(over));
    running.add(over);
    return called;
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

/** Waits until the calls that have been received are answered, or cancelled. */
async function finishCalls(running: ReadonlySet<Promise<unknown>>, deadlineMs: number): Promise<void> {
  const deadline = setTimer(deadlineMs, undefined, { ref: false });
  // The last messages are read, and the last results written, within a turn of the event loop.
  await nextTurn();
  await Promise.race([Promise.allSettled(running), deadline]);
  await nextTurn();
}
