import type { Command } from "commander";
import { expect, test } from "vitest";
import { openTree } from "../../helpers/tree.ts";
import { chooseLanguage } from "../../../commands/io.ts";

const english = await openTree("en");
const greek = await openTree("el");

/** Lists of names and values, which are the same in both languages, have no letters but these. */
const NEEDS_NO_GREEK = /^[a-z0-9_,.:()/ -]*$/;

function textsOf(command: Command): string[] {
  return [
    command.description(),
    ...command.options.map(({ description }) => description),
    ...command.registeredArguments.map(({ description }) => description),
  ];
}

function isGreek(text: string): boolean {
  return /\p{Script=Greek}{2}/u.test(text);
}

test("the help in Greek describes every command, flag and argument in Greek", () => {
  const shown = greek.commands.map(textsOf);
  const same = english.commands.flatMap((command, at) =>
    textsOf(command).filter((text, index) => text !== "" && !isGreek(shown[at]?.[index] ?? "")),
  );
  expect(same.filter((text) => !NEEDS_NO_GREEK.test(text) || / /.test(text.replaceAll(", ", ",")))).toEqual(
    [],
  );
});

test("the help in Greek has the notes of every command in Greek", () => {
  for (const [command, notes] of greek.notes)
    for (const note of notes) expect(isGreek(note), `${command.name()}: ${note}`).toBe(true);
});

test("the help in Greek has the same examples, with notes in Greek", () => {
  greek.commands.forEach((command, at) => {
    const known = english.commands[at];
    const lines = greek.examples.get(command) ?? [];
    const expected = known === undefined ? [] : (english.examples.get(known) ?? []);
    expect(lines.map(({ words }) => words)).toEqual(expected.map(({ words }) => words));
    for (const { note } of lines) if (note !== undefined) expect(isGreek(note)).toBe(true);
  });
});

test("the help in Greek translates commander's own words", () => {
  const [command] = greek.commands;
  const help = command?.helpInformation() ?? "";
  expect(help).toMatch(/^Χρήση: /);
  expect(help).not.toMatch(/\b(Usage|Options|Commands|Arguments|options|command)\b/);
});

test.each([
  ["the system's locale if no variable is set", [], {}, "el-GR", "el"],
  ["empty variables count as not set", [], { LANG: "" }, "el-GR", "el"],
  ["a variable before the system's locale", [], { LANG: "en_GB.UTF-8" }, "el-GR", "en"],
  ["LC_ALL before LANG", [], { LC_ALL: "C.UTF-8", LANG: "el_GR.UTF-8" }, "el-GR", "en"],
  ["LC_MESSAGES before LANG", [], { LC_MESSAGES: "el", LANG: "en_GB.UTF-8" }, undefined, "el"],
  ["an empty LC_ALL counts as not set", [], { LC_ALL: "", LANG: "el_GR.UTF-8" }, undefined, "el"],
  ["the flag before both", ["--lang=el"], { LANG: "en_GB.UTF-8" }, "en-GB", "el"],
  ["English without any of them", [], {}, undefined, "en"],
  ["English for a language that only begins like Greek", [], {}, "elx", "en"],
] as const)("%s", (_name, args, env, systemLocale, language) => {
  expect(chooseLanguage(args, env, systemLocale)).toBe(language);
});
