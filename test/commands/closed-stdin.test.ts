/** Every verb ends with the right exit code and valid JSON without a terminal and with closed standard input. */
import type { Command } from "commander";
import { beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../../commands/exit.ts";
import type { ErrorObject } from "../../src/foundation/errors.ts";
import { openWorkshop, type Run, type RunOptions } from "../helpers/program.ts";
import { nameOf, openTree, SPEAKS_A_PROTOCOL } from "../helpers/tree.ts";
import { forAllTests } from "../helpers/set-up.ts";

const tree = await openTree();

const verbs = tree.commands
  .filter((command) => command.commands.length === 0 && !command.name().startsWith("__"))
  .map((command) => ({ command, line: nameOf(command) }));

const workshop = forAllTests(openWorkshop);
beforeAll(() => workshop.run("init --yes"));

/** Runs the verb with `flags` only, and interrupts verbs that run until Ctrl-C. */
function run(command: Command, flags: readonly string[]): Promise<Run> {
  const goesOn = tree.examples.get(command)?.some(({ note }) => note?.includes("Ctrl-C")) === true;
  const options: RunOptions = {
    env: { FISCAL_DATA_DIR: "data", FISCAL_SERVER__PORT: "0" },
    ...(goesOn ? { onOutput: (_text, program) => program.interrupt() } : {}),
  };
  return workshop.runBare([...nameOf(command).split(" "), ...flags], options);
}

function needsArgument(command: Command): boolean {
  return command.registeredArguments.some(({ required }) => required);
}

describe("with closed standard input and no terminal", () => {
  test.each(verbs)("$line ends and names what is missing", async ({ command }) => {
    const { exitCode, stdout, stderr } = await run(command, []);
    if (exitCode === EXIT.usage) {
      expect(stdout).toBe("");
      expect(stderr).toMatch(
        /^fiscal: .*(missing|nothing to|contradict|name the document|no merchants yet)/m,
      );
    } else {
      expect(needsArgument(command)).toBe(false);
      // A report with findings is not an error.
      expect([EXIT.done, EXIT.failure, EXIT.interrupted]).toContain(exitCode);
      expect(stderr).not.toMatch(/^fiscal: /m);
    }
  });

  test.each(verbs.filter(({ line }) => !SPEAKS_A_PROTOCOL.has(line)))(
    "$line --json prints JSON and nothing else",
    async ({ command }) => {
      const { exitCode, stdout, stderr } = await run(command, ["--json"]);
      if (exitCode === EXIT.usage) {
        expect(stdout).toBe("");
        expect(JSON.parse(stderr)).toMatchObject({
          code: "validation_failed",
        } satisfies Partial<ErrorObject>);
      } else if (exitCode === EXIT.interrupted) {
        for (const item of stdout.split("\n").filter(Boolean)) JSON.parse(item);
      } else {
        expect([EXIT.done, EXIT.failure]).toContain(exitCode);
        expect(typeof JSON.parse(stdout)).toBe("object");
      }
    },
  );
});
