/** The log of a command: a person reads it, so it says what went wrong, one line each, and keeps the rest to itself. */
import type { Log } from "../../src/journal/context.ts";
import type { OutputStream } from "../io.ts";
import { printable } from "./printable.ts";

/** Warnings and errors on `stderr`, `quiet` errors alone; what is only worth knowing in a server's log is dropped. */
export function createTerminalLog(stderr: OutputStream, quiet: boolean): Log {
  const print = (level: string) => (fields: Record<string, unknown>, message: string) => {
    stderr.write(`fiscal: ${level}: ${message}${formatFields(fields)}\n`);
  };
  return { debug() {}, info() {}, warn: quiet ? () => {} : print("warning"), error: print("error") };
}

/** ` (key=value, …)`, or nothing. An error shows by its message. */
export function formatFields(fields: Record<string, unknown>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return ` (${entries.map(([name, value]) => `${name}=${indented(formatValue(value))}`).join(", ")})`;
}

/** Further lines, such as those of a stack, stand back: what a value holds is never taken for a line of the log. */
function indented(text: string): string {
  return text.split("\n").map(printable).join("\n    ");
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : JSON.stringify(value);
}
