/** The log of a command: prints warnings and errors to the terminal and drops the rest. */
import type { Log } from "../../src/journal/context.ts";
import type { OutputStream } from "../io.ts";
import { printable } from "./printable.ts";

/** Prints warnings and errors to `stderr`, with `quiet` only errors. */
export function createTerminalLog(stderr: OutputStream, quiet: boolean): Log {
  const print = (level: string) => (fields: Record<string, unknown>, message: string) => {
    stderr.write(`fiscal: ${level}: ${message}${formatFields(fields)}\n`);
  };
  return { debug() {}, info() {}, warn: quiet ? () => {} : print("warning"), error: print("error") };
}

/** ` (key=value, …)`, or an empty string without fields. An error is shown by its message. */
export function formatFields(fields: Record<string, unknown>): string {
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
