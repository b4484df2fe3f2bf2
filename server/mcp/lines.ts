/**
 * The protocol over two streams: a message a line. In place of the SDK's own transport, which takes a key that stands twice:
 * whoever reads such a message before us may see another one (decisions 2.2).
 */
import type { Readable, Writable } from "node:stream";
import { serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "../../src/foundation/errors.ts";
import { parseStrictJson } from "../json.ts";

const LINE_FEED = 0x0a;
/** Of the protocol (JSON-RPC 2.0): what came is no JSON that this server takes. */
const PARSE_ERROR = -32_700;

/** Closes itself, after `onerror`, when a message has more than `bytesMax` bytes. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #bytesMax: number;
  /** The beginning of a line whose end has not come yet. */
  #begun: Buffer[] = [];
  #bytes = 0;

  constructor(input: Readable, output: Writable, bytesMax: number) {
    this.#input = input;
    this.#output = output;
    this.#bytesMax = bytesMax;
  }

  async start(): Promise<void> {
    this.#input.on("data", this.#take);
    this.#input.on("error", this.#fail);
  }

  async close(): Promise<void> {
    this.#input.off("data", this.#take);
    this.#input.off("error", this.#fail);
    this.#input.pause();
    this.#begun = [];
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#output.write(serializeMessage(message))) return;
    await new Promise<void>((resolve) => this.#output.once("drain", resolve));
  }

  readonly #fail = (error: Error): void => this.onerror?.(error);

  readonly #take = (chunk: Buffer): void => {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, begin)) {
      if (!this.#keep(chunk.subarray(begin, end))) return;
      const line = Buffer.concat(this.#begun).toString("utf8");
      this.#begun = [];
      this.#bytes = 0;
      begin = end + 1;
      this.#read(line);
    }
    this.#keep(chunk.subarray(begin));
  };

  /** False where the line became too long, and the transport closed itself. */
  #keep(part: Buffer): boolean {
    this.#begun.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#bytesMax) return true;
    this.onerror?.(new Error(`A message is larger than ${this.#bytesMax} bytes`));
    void this.close();
    return false;
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = parseStrictJson(line);
    } catch (error) {
      this.#refuse(line, error);
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
    else this.onerror?.(message.error);
  }

  /** A message that can be read and is refused all the same is answered: its sender waits. */
  #refuse(line: string, error: unknown): void {
    const id = idOf(line);
    if (id === undefined || !(error instanceof AppError)) {
      this.onerror?.(error instanceof Error ? error : new Error("The line cannot be read"));
      return;
    }
    const message = error.message.replace(/^The body/, "The message");
    void this.send({ jsonrpc: "2.0", id, error: { code: PARSE_ERROR, message } });
  }
}

/** The id of the request that `line` seems to be; undefined where it is none. */
function idOf(line: string): string | number | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // No JSON at all: there is nobody to answer.
    return undefined;
  }
  const id: unknown = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
