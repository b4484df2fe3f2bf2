/**
 * The backups of a server's schedule are made by a process of their own: checking every page of a large database takes
 * seconds, in which the server would answer nobody.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CommandContext } from "../context.ts";

/** The end of what it said tells what went wrong. */
const SAID_CHARACTERS_MAX = 1000;

/** Runs `fiscal backup` with the options of this command; rejects with what it said where it fails. */
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
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-SAID_CHARACTERS_MAX);
    });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(said.trim() || `the backup ended with ${code ?? "a signal"}`);
  };
}
