/** Runs every example of the help, unchanged and with `--json`. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { EXIT } from "../../commands/exit.ts";
import { type CommandLine, runCommandLine } from "../helpers/command-lines.ts";
import { askForPostgres, makePostgresDatabase } from "../helpers/engines.ts";
import { CREDENTIALS, openPrepared } from "../helpers/prepared.ts";
import { answering, type Run, type RunOptions, type Workshop } from "../helpers/program.ts";
import { openTree, SPEAKS_A_PROTOCOL } from "../helpers/tree.ts";
import { forAllTests } from "../helpers/set-up.ts";

const tree = await openTree();
/** A file with the address of an empty database in PostgreSQL. */
const DATABASE_URL = "database-url";
const hasPostgres = (await askForPostgres()) !== undefined;

const examples = [...tree.examples.values()]
  .flat()
  .filter(({ words }) => hasPostgres || !words.includes(DATABASE_URL));
const withoutJson = examples.filter(
  ({ words }) => !words.includes("--json") && !words.some((word) => SPEAKS_A_PROTOCOL.has(word)),
);

/** Commands that write something else to standard output, or ask questions, print no JSON. */
function takesJson({ words }: CommandLine): boolean {
  const output = words[words.indexOf("--output") + 1];
  if (words.includes("--output") && /\.(?:csv|xlsx)$/.test(output ?? "")) return false;
  return output !== "-" && words[words.indexOf("--format") + 1] !== "xlsx";
}

/** What examples need besides a data directory, by their note. */
const NOTES: Record<string, { options(): RunOptions; exitCode: number }> = {
  "asks for the credentials": { options: () => answering(CREDENTIALS), exitCode: 0 },
  "runs until Ctrl-C": {
    options: () => ({ onOutput: (_text, program) => program.interrupt() }),
    exitCode: 130,
  },
};

/** Exit codes that differ from those of the note, by noun. */
const EXITS: Record<string, number> = {
  serve: 0,
  // One document could not be delivered.
  doctor: EXIT.failure,
};

/** Much longer than any example takes; one that waits must have a note. */
const PATIENCE_MS = 5_000;

const prepared = forAllTests(openPrepared);

/** Replaces `doc_…` and other placeholders by real ids, and the port by a free one. */
function completed(line: CommandLine, flags: readonly string[]): CommandLine {
  const words = line.words.map((word) => {
    if (word === "8787") return "0";
    if (!word.endsWith("…")) return word;
    const id = prepared.ids.get(word.slice(0, -1));
    if (id === undefined) throw new Error(`test/helpers/prepared.ts has no id for ${word}`);
    return id;
  });
  return { ...line, words: [...words, ...flags] };
}

/** An export to a file prints nothing. */
async function readWritten({ folder }: Workshop, { words }: CommandLine): Promise<string | undefined> {
  const file = words[words.indexOf("--output") + 1];
  const isFile = words.includes("export") && words.includes("--output") && file !== undefined;
  return isFile ? readFile(join(folder, file), "utf8") : undefined;
}

async function runExample(
  line: CommandLine,
  flags: readonly string[],
): Promise<{ run: Run; exitCode: number; written: string | undefined }> {
  const note = line.note === undefined ? { options: (): RunOptions => ({}), exitCode: 0 } : NOTES[line.note];
  if (note === undefined) throw new Error(`no test knows the note "${line.note}"`);
  const exitCode = EXITS[line.words.find((word) => word in EXITS) ?? ""] ?? note.exitCode;
  const workshop = await prepared.copy();
  if (line.words.includes(DATABASE_URL)) await workshop.write(DATABASE_URL, (await makePostgresDatabase())!);
  const needed = note.options();
  let stop = () => {};
  const onOutput: RunOptions["onOutput"] = (text, program) => {
    stop = () => program.interrupt();
    needed.onOutput?.(text, program);
  };
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  try {
    const options = { ...needed, env: prepared.env, onOutput };
    const run = await runCommandLine(workshop, completed(line, flags), options);
    return {
      run,
      exitCode,
      written: run.exitCode === EXIT.done ? await readWritten(workshop, line) : undefined,
    };
  } finally {
    clearTimeout(timer);
    await workshop.close();
  }
}

test("examples exist for every noun and verb", () => {
  const without = tree.commands.filter((command) => tree.examples.get(command)?.length === 0);
  expect(without.map((command) => command.name())).toEqual([]);
});

test.each(examples)("$text", async (line) => {
  const { run, exitCode } = await runExample(line, []);
  expect(run, run.stderr).toMatchObject({ exitCode });
});

test.each(withoutJson.filter(takesJson))("$text --json", async (line) => {
  const { run, exitCode, written } = await runExample(line, ["--json"]);
  expect(run, run.stderr).toMatchObject({ exitCode });
  if (exitCode === EXIT.interrupted)
    for (const item of run.stdout.split("\n").filter(Boolean)) JSON.parse(item);
  else expect(typeof JSON.parse(written ?? run.stdout)).toBe("object");
});

test.each(withoutJson.filter((line) => !takesJson(line)))("$text --json is rejected", async (line) => {
  const { run } = await runExample(line, ["--json"]);
  expect(run).toMatchObject({ exitCode: EXIT.usage, stdout: "" });
  expect(JSON.parse(run.stderr)).toMatchObject({ message: expect.stringMatching(/^--json and /) });
});
