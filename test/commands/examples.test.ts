/** Every example of the help is run, as it is written and with `--json`; a verb that is added is run as well. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, runCommandLine } from "../helpers/command-lines.ts";
import { CREDENTIALS, openPrepared, type Prepared } from "../helpers/prepared.ts";
import { answering, type Run, type RunOptions } from "../helpers/program.ts";
import { openTree } from "../helpers/tree.ts";

const tree = await openTree();
const examples = [...tree.examples.values()].flat();

/** What an example may need beside a data directory, by the note behind it. */
const NOTES: Record<string, { options(): RunOptions; exitCode: number }> = {
  "asks for the credentials": { options: () => answering(CREDENTIALS), exitCode: 0 },
  "goes on until Ctrl-C": {
    options: () => ({ onOutput: (_text, program) => program.interrupt() }),
    exitCode: 130,
  },
};

/** An end that differs from what its note promises, by the noun. */
const EXITS: Record<string, number> = { serve: 0 };

/** Far longer than any of them takes: one that waits for something is to say so in a note. */
const PATIENCE_MS = 5_000;

let prepared: Prepared;
beforeAll(async () => {
  prepared = await openPrepared();
});
afterAll(() => prepared.close());

/** The line with real ids in place of `doc_…`, and on a port that is free. */
function completed(line: CommandLine, flags: readonly string[]): CommandLine {
  const words = line.words.map((word) => {
    if (word === "8787") return "0";
    if (!word.endsWith("_…")) return word;
    const id = prepared.ids.get(word.slice(0, -1));
    if (id === undefined) throw new Error(`test/helpers/prepared.ts has no id for ${word}`);
    return id;
  });
  return { ...line, words: [...words, ...flags] };
}

async function runExample(
  line: CommandLine,
  flags: readonly string[],
): Promise<{ run: Run; exitCode: number }> {
  const note = line.note === undefined ? { options: (): RunOptions => ({}), exitCode: 0 } : NOTES[line.note];
  if (note === undefined) throw new Error(`no test knows the note "${line.note}"`);
  const exitCode = EXITS[line.words.find((word) => word in EXITS) ?? ""] ?? note.exitCode;
  const workshop = await prepared.copy();
  const needed = note.options();
  let stop = () => {};
  const onOutput: RunOptions["onOutput"] = (text, program) => {
    stop = () => program.interrupt();
    needed.onOutput?.(text, program);
  };
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  try {
    const options = { ...needed, env: prepared.env, onOutput };
    return { run: await runCommandLine(workshop, completed(line, flags), options), exitCode };
  } finally {
    clearTimeout(timer);
    await workshop.remove();
  }
}

describe("the examples of the help", () => {
  test("are there for every noun and verb", () => {
    const without = tree.commands.filter((command) => tree.examples.get(command)?.length === 0);
    expect(without.map((command) => command.name())).toEqual(["__complete"]);
  });

  test.each(examples)("$text", async (line) => {
    const { run, exitCode } = await runExample(line, []);
    expect(run, run.stderr).toMatchObject({ exitCode });
  });

  test.each(examples.filter(({ words }) => !words.includes("--json")))("$text --json", async (line) => {
    const { run, exitCode } = await runExample(line, ["--json"]);
    expect(run, run.stderr).toMatchObject({ exitCode });
    if (exitCode === 130) for (const item of run.stdout.split("\n").filter(Boolean)) JSON.parse(item);
    else expect(typeof run.json()).toBe("object");
  });
});
