/** Runs `fiscal serve` in this process while a test uses it. */
import { expect } from "vitest";
import type { Run, RunningProgram, RunOptions, Workshop } from "./program.ts";

export interface Served {
  url: string;
  program: RunningProgram;
  ended: Promise<Run>;
}

/** Serves on a free port and resolves once it prints the address. */
export function serve(
  workshop: Workshop,
  args: readonly string[] = [],
  options: RunOptions = {},
): Promise<Served> {
  return new Promise((resolve, reject) => {
    const ended = workshop.run(["serve", "--port", "0", ...args], {
      ...options,
      onOutput(text, program) {
        const url = /^fiscal listens on (\S+)$/m.exec(text)?.[1];
        if (url !== undefined) resolve({ url, program, ended });
      },
    });
    ended.then((run) => reject(new Error(`It ended with ${run.exitCode}: ${run.stderr}`)), reject);
  });
}

/** Waits until an event of test mode says that a document is issued. */
export async function waitUntilIssued(workshop: Workshop): Promise<void> {
  const tail = await workshop.run("events tail --from-start --type document.issued", {
    onOutput: (text, tailing) => void (text.includes("document.issued") && tailing.interrupt()),
  });
  expect(tail.stdout, tail.stderr).toContain("document.issued");
}
