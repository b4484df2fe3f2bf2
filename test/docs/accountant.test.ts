/** Runs the pages for accountants in order: writes each of their files and runs each command. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, readCommandLine, runCommandLine } from "../helpers/command-lines.ts";
import { CREDENTIALS, type Network, openNetwork, writeCredentials } from "../helpers/prepared.ts";
import { answering, openWorkshop, type RunOptions, type Workshop } from "../helpers/program.ts";
import { lines, receipt } from "../helpers/receipts.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/accountant");
const pages = readdirSync(FOLDER)
  .filter((file) => /^\d/.test(file))
  .sort();

type Step = { file: string; content: string } | { line: CommandLine };

/** Returns the steps of a page: a ` ```csv NAME ` block is a file, each line of a ` ```sh ` block is a command. */
function stepsOf(page: string): Step[] {
  const text = readFileSync(join(FOLDER, page), "utf8");
  return [...text.matchAll(/^```(\w+) ?(\S*)\n([^]*?)^```$/gm)].flatMap(
    ([, kind, file = "", content = ""]): Step[] => {
      if (kind === "csv") return [{ file, content }];
      if (kind !== "sh") throw new Error(`${page} has a block of ${kind}, which cannot be run`);
      return content
        .trim()
        .split("\n")
        .map((line) => ({ line: readCommandLine(line) }));
    },
  );
}

let workshop: Workshop;
let network: Network;
beforeAll(async () => {
  workshop = await openWorkshop();
  network = await openNetwork();
  await writeCredentials(workshop.folder);
});
afterAll(async () => {
  await workshop.remove();
  await network.close();
});

async function newest(noun: string, ...filters: string[]): Promise<{ id: string; mark?: string }> {
  const run = await workshop.runBare([noun, "list", "--limit", "1", "--json", ...filters], {
    env: network.env,
  });
  const [found] = run.json<{ data: { id: string; mark?: string }[] }>().data;
  if (found === undefined) throw new Error(`there are no ${noun}`);
  return found;
}

const NOUN_OF_PREFIX: Record<string, string> = { con_: "connections", doc_: "documents", pcl_: "calls" };

/** Replaces placeholders such as `con_…` with the id that a reader would look up. */
async function completed(line: CommandLine): Promise<CommandLine> {
  const words = line.words.map(async (word) => {
    const noun = word.endsWith("_…") ? NOUN_OF_PREFIX[word.slice(0, -1)] : undefined;
    return noun === undefined ? word : (await newest(noun)).id;
  });
  return { ...line, words: await Promise.all(words) };
}

/** Returns the expectations in the comment after a command. */
function expected(note: string | undefined): { options: RunOptions; exitCode: number } {
  if (note === undefined) return { options: {}, exitCode: 0 };
  if (note === "asks for the credentials") return { options: answering(CREDENTIALS), exitCode: 0 };
  const [, code] = /^ends with (\d+)$/.exec(note) ?? [];
  if (code === undefined) throw new Error(`unknown comment "${note}"`);
  return { options: {}, exitCode: Number(code) };
}

async function take(step: Step): Promise<void> {
  if ("file" in step) {
    // The reader inserts the MARK that `documents show` has just printed.
    const mark = step.content.includes(MARK)
      ? (await newest("documents", "--reference", "2026-11-001")).mark
      : MARK;
    await writeFile(join(workshop.folder, step.file), step.content.replace(MARK, mark ?? ""));
    return;
  }
  const { options, exitCode } = expected(step.line.note);
  const run = await runCommandLine(workshop, await completed(step.line), { ...options, env: network.env });
  expect(run.exitCode, `${step.line.text}\n${run.stderr}`).toBe(exitCode);
}

const MARK = "400000000000001";

/** Issues the two undeliverable documents of the last page, with a provider that cannot be reached. */
async function failTwo(): Promise<void> {
  const stdin = lines([receipt("2026-11-012"), receipt("2026-11-013")]);
  const env = { ...network.env, FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: "http://127.0.0.1:1" };
  await workshop.runBare(["documents", "issue", "-", "--merchant", "shop"], { stdin, env });
}

describe("the pages for accountants", () => {
  test("are all listed in the README", () => {
    const contents = readFileSync(join(FOLDER, "README.md"), "utf8");
    for (const page of pages) expect(contents).toContain(`](${page})`);
  });

  test.each(pages)("%s: all commands work", async (page) => {
    if (page === pages.at(-1)) await failTwo();
    const steps = stepsOf(page);
    expect(steps.length).toBeGreaterThan(3);
    for (const step of steps) await take(step);
  });
});
