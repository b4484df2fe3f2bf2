/**
 * Runs a server's scheduled backups in a separate process, because checking every page of a large database takes seconds,
 * during which the server could not respond.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CommandContext } from "../context.ts";

/** The reason of a failure is at the end of the output. */
const OUTPUT_CHARACTERS_MAX = 1000;

/** Returns a function that runs `fiscal backup` with the options of this command and rejects with its output on failure. */
export function createBackupRunner({ io, options }: CommandContext): (signal: AbortSignal) => Promise<void> {
  const { config, dataDir } = options;
  const args = [
    join(io.packageRoot, "bin", "fiscal.js"),
    ...(config === undefined ? [] : ["--config", config]),
    ...(dataDir === undefined ? [] : ["--data-dir", dataDir]),
    "backup",
  ];
  return async (signal) => {
    const child = spawn(process.execPath, args, {
      cwd: io.cwd,
      env: { ...io.env },
      stdio: ["ignore", "ignore", "pipe"],
      signal,
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(output.trim() || `the backup ended with ${code ?? "a signal"}`);
  };
}
