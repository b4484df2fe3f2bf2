/** The logs on stderr: of a command, warnings and errors for people; of a server, JSON lines or readable lines. */
import { maskTaxNumbers } from "../../src/domain/tax-number.ts";
import type { Log } from "../../src/journal/context.ts";
import type { OutputStream } from "../io.ts";
import { printable } from "../../src/foundation/characters.ts";

/** Prints warnings and errors to `stderr`, with `quiet` only errors. */
export function createTerminalLog(stderr: OutputStream, quiet: boolean): Log {
  const print = (level: string) => (fields: Record<string, unknown>, message: string) => {
    stderr.write(`fiscal: ${level}: ${message}${formatFields(fields)}\n`);
  };
  return { debug() {}, info() {}, warn: quiet ? () => {} : print("warning"), error: print("error") };
}

interface ServiceLogOptions {
  level: string;
  /** `auto`: pretty on a terminal, otherwise JSON. */
  format: "auto" | "json" | "pretty";
}

/** Each line has `level` as a word, `time` as a UTC instant, `msg`, and the fields of the message. */
export async function createServiceLog(options: ServiceLogOptions, stderr: OutputStream): Promise<Log> {
  const { default: pino } = await import("pino");
  const isPretty = options.format === "pretty" || (options.format === "auto" && stderr.isTTY === true);
  const destination = isPretty ? { write: (line: string) => stderr.write(formatLine(line)) } : stderr;
  const logger = pino(
    {
      level: options.level,
      base: {},
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: maskRequestId },
    },
    destination,
  );
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
  };
}

/** Callers choose their request ids, and what has been logged cannot be erased (docs/contract.md#erasure). */
function maskRequestId(fields: Record<string, unknown>): Record<string, unknown> {
  const { request_id: id } = fields;
  return typeof id !== "string" || id.startsWith("req_")
    ? fields
    : { ...fields, request_id: maskTaxNumbers(id) };
}

interface LogLine {
  level: string;
  time: string;
  msg: string;
  [field: string]: unknown;
}

/** `2025-11-21T10:00:00.000Z  info   listening (url=http://127.0.0.1:8787)` */
function formatLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as LogLine;
  return `${time}  ${level.padEnd(5)}  ${msg}${formatFields(fields)}\n`;
}

/** ` (key=value, …)`, or an empty string without fields. An error is shown by its message. */
function formatFields(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return ` (${entries.map(([name, value]) => `${name}=${indented(formatValue(value))}`).join(", ")})`;
}

/** Indents further lines, such as those of a stack, so that a value never looks like a line of the log. */
function indented(text: string): string {
  return text.split("\n").map(printable).join("\n    ");
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : JSON.stringify(value);
}
