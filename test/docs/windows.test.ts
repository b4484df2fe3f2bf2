/** Runs the commands of fiscal in docs/windows.md, and compares its two languages. */
import { mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "smol-toml";
import { beforeAll, expect, test } from "vitest";
import { openWorkshop } from "../helpers/program.ts";
import { forAllTests } from "../helpers/set-up.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/windows.md"), "utf8");
const [greek = "", english = ""] = page.split("\n## In English\n");
const blocksOf = (text: string, kind: string) =>
  [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].flatMap(([, word, block = ""]) =>
    word === kind ? [block] : [],
  );

const workshop = forAllTests(openWorkshop);
beforeAll(async () => {
  mkdirSync(workshop.at("backups"));
});

test("has the same commands and settings in both languages", () => {
  expect(blocksOf(greek, "powershell")).toEqual(blocksOf(english, "powershell"));
  expect(blocksOf(greek, "toml")).toEqual(blocksOf(english, "toml"));
});

test("has commands of fiscal that work, in their order", async () => {
  const lines = blocksOf(english, "powershell").flatMap((block) => block.split("\n"));
  const commands = lines.filter((line) => line.startsWith("fiscal "));
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    const words = command.split(" ").slice(1);
    const local = words.map((word) =>
      word.startsWith("D:\\") ? workshop.at(word.slice(3).replaceAll("\\", "/")) : word,
    );
    expect({ command, exitCode: (await workshop.run(local)).exitCode }).toEqual({ command, exitCode: 0 });
  }
});

test("starts the server with flags that exist", async () => {
  const [, flags = ""] = /fiscal\.exe (.*) serve 2>>/.exec(english) ?? [];
  expect(flags.split(" ").filter((word) => word.startsWith("--"))).toEqual(["--data-dir"]);
});

test("has settings that can be read, with the backslash as it is", () => {
  const [text = ""] = blocksOf(english, "toml");
  expect(parse(text)).toEqual({ backup: { directory: "D:\\backups", schedule: "30 3 * * *" } });
});
