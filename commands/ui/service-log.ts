/** The log of a server on stderr, as JSON lines or readable lines. */
import { pino } from "pino";
import { maskTaxNumbers } from "../../src/domain/tax-number.ts";
import type { Log } from "../../src/journal/context.ts";
import type { OutputStream } from "../io.ts";
import { formatFields } from "./log.ts";

export interface ServiceLogOptions {
  level: string;
  /** `auto`: pretty on a terminal, otherwise JSON. */
  format: "auto" | "json" | "pretty";
}

/** Each line has `level` as a word, `time` as a UTC instant, `msg`, and the fields of the message. */
export function createServiceLog(options: ServiceLogOptions, stderr: OutputStream): Log {
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
