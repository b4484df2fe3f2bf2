/** Plays histories of faults, each determined by its seed (CONTRIBUTING.md#simulator). */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** In a process of its own, because the simulator replaces the clock and other parts of Node. */
async function simulate(...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, ["test/simulation/run.ts", ...args])).stdout;
  } catch (error) {
    // The output has the violations and their seeds.
    throw new Error((error as { stdout: string; stderr: string }).stdout || String(error), { cause: error });
  }
}

test("no history of faults breaks an invariant", { timeout: 600_000 }, async () => {
  expect(await simulate("--seeds", "80")).toMatch(/^seeds +80$/m);
});

test("a MARK that was left to a person is cancelled once its document is", async () => {
  expect(await simulate("--seed", "6883")).toContain("no violation");
});

test("a clock that jumps ahead does not hide a send that is registered late", async () => {
  expect(await simulate("--seed", "8060")).toContain("no violation");
});

test("while no listing answers, other documents are sent within ten seconds of their turn", async () => {
  expect(await simulate("--plan", "dead-lists", "--seed", "1")).toContain("no violation");
});

test("a seed determines its whole history", async () => {
  const first = await simulate("--seed", "7");
  expect(first).toContain("accident 6");
  expect(await simulate("--seed", "7")).toBe(first);
});
