import { join, resolve } from "node:path";
import type { Command } from "commander";
import { describe, expect, test } from "vitest";
import { GREEK } from "../../../commands/language/greek/catalogue.ts";
import { DOCTOR } from "../../../commands/language/greek/doctor.ts";
import { DOCUMENTS } from "../../../commands/language/greek/documents.ts";
import { HEADS } from "../../../commands/language/greek/heads.ts";
import { MERCHANTS } from "../../../commands/language/greek/merchants.ts";
import { PAPERS } from "../../../commands/language/greek/papers.ts";
import { PROGRAM } from "../../../commands/language/greek/program.ts";
import { RECORDS } from "../../../commands/language/greek/records.ts";
import { TABLES } from "../../../commands/language/greek/tables.ts";
import { WARNINGS } from "../../../commands/language/greek/warnings.ts";
import { WEBHOOKS } from "../../../commands/language/greek/webhooks.ts";
import { createLanguage } from "../../../commands/language/translator.ts";
import { openTree } from "../../helpers/tree.ts";
import { readTexts, readToldTexts } from "../../helpers/texts.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const { text } = createLanguage(GREEK);

/** With what stands for a value taken out: `{}` in sources, `{name}` in the catalogue. */
function formOf(key: string): string {
  return key.replace(/\{[a-z]*\*?\}/g, "{}");
}

/** The same with something in each place, as it is said. */
function sample(form: string): string {
  return form.replaceAll("{}", "7");
}

/** What a text of the sources may become, once its values are in it. */
function becomes(form: string): RegExp {
  const parts = form.split("{}").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`);
}

/** Names of formats, options and providers read the same in both languages, and so do the heads of exported files. */
function needsGreek(english: string): boolean {
  return english !== "" && !/^(id|uid|qr|url|ms|x-request-id|issue_date|counts|7)$/.test(english);
}

const tree = await openTree();

function descriptionsOf(command: Command): string[] {
  const own = [
    command.description(),
    ...command.options.map(({ description }) => description),
    ...command.registeredArguments.map(({ description }) => description),
  ];
  return [...own, ...command.commands.filter((known) => !isHidden(known)).flatMap(descriptionsOf)];
}

function isHidden(command: Command): boolean {
  return command.name().startsWith("__");
}

describe("the Greek catalogue", () => {
  test("has every description and flag of the help", () => {
    const missing = new Set(
      descriptionsOf(tree.root).filter((english) => needsGreek(english) && text(english) === english),
    );
    expect([...missing]).toEqual([]);
  });

  test("has every note behind a command's help", () => {
    const behindExamples = [...tree.examples.values()].flat().flatMap(({ note }) => note ?? []);
    const notes = [...tree.notes.values()].flat().concat(behindExamples);
    expect([...new Set(notes)].filter((note) => text(note) === note)).toEqual([]);
  });

  test("has what commands tell, ask and head their tables with", () => {
    const keys = Object.keys(GREEK.texts);
    const isKnown = (told: string) =>
      text(sample(told)) !== sample(told) || keys.some((key) => becomes(told).test(key));
    const told = [...readToldTexts(join(ROOT, "commands"))];
    expect(told.filter((english) => needsGreek(english) && !isKnown(english))).toEqual([]);
  });

  test("has nothing that is said no more", () => {
    const folders = ["commands", "src", "storage", "node_modules/commander/lib"];
    // Commander's sentences lose their beginning, and the values behind their end.
    const said = folders
      .flatMap((folder) => [...readTexts(join(ROOT, folder))])
      .flatMap((form) => [form, form.replace(/^error: /, "").replace(/: \{\}\.$/, "")])
      .filter((form) => /\p{L}{2}/u.test(form));
    const exact = new Set(said);
    const open = said.filter((form) => form.includes("{}")).map(becomes);
    const all = said.join("\n");
    const isSaid = (form: string) =>
      exact.has(form) || isComposed(form, all) || open.some((known) => known.test(form));
    const stale = Object.keys(GREEK.texts).filter((key) => !isSaid(formOf(key)));
    expect(stale).toEqual([]);
  });

  test("says each text in one place", () => {
    const parts = [PROGRAM, DOCUMENTS, PAPERS, TABLES, MERCHANTS, RECORDS, WEBHOOKS, DOCTOR, WARNINGS, HEADS];
    const keys = parts.flatMap((part) => Object.keys(part));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test("puts every value of a text into its translation, and no other", () => {
    const placesOf = (line: string) =>
      [...new Set([...line.matchAll(/\{([a-z]+)\*?\}/g)].map(([, name]) => name))].sort();
    for (const [key, translation] of Object.entries(GREEK.texts)) {
      const dropped = DROPPED[key] ?? [];
      expect([...placesOf(translation), ...dropped].sort(), key).toEqual(placesOf(key));
    }
  });

  test("leaves flags, commands and file names as they are typed", () => {
    const typed = (line: string) => (line.match(/(?<![\wά-ώ])--[a-z][a-z-]+|`fiscal [a-z -]+/g) ?? []).sort();
    for (const [key, translation] of Object.entries(GREEK.texts))
      expect(typed(translation), key).toEqual(expect.arrayContaining([...new Set(typed(key))]));
  });
});

/** Values that the translation says in words of its own. */
const DROPPED: Record<string, string[]> = {
  "API key: made before (…{end}); it was shown then and cannot be shown again. {next}": ["next"],
};

/** A text that is put together from others: each of its sentences, lines or words of a list is said somewhere. */
function isComposed(form: string, said: string): boolean {
  const parts = form
    .split(/\n|(?<=[.?:;]) |, | or |\{\}/)
    .map((part) => part.trim().replace(/:$/, ""))
    .filter((part) => /\p{L}{2}/u.test(part));
  return parts.length > 0 && parts.every((part) => said.includes(part));
}
