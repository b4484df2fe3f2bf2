import { describe, expect, test } from "vitest";
import { createLanguage } from "../../../commands/language/translator.ts";

const { text, value } = createLanguage({
  texts: {
    "Nothing.": "Τίποτα.",
    "No {things}.": "Κανένα: {things}.",
    "{number} done": "{number} έγιναν",
    "{first} before {second}": "{second} μετά από {first}",
    "--{flag} is missing": "λείπει η --{flag}",
    "told: {text*}": "ειπώθηκε: {text}",
    "quoted: {text}": "παρατίθεται: {text}",
    "a {thing} of $& (really?)": "ένα {thing}, $&",
  },
  words: { issued: "εκδόθηκε", queued: "στη σειρά", no: "όχι" },
  heads: new Set(["status"]),
  sentenceHeads: new Set(["because"]),
});

describe("a text", () => {
  test.each([
    ["Nothing.", "Τίποτα."],
    ["No fish.", "Κανένα: fish."],
    ["12 done", "12 έγιναν"],
    ["What is done", "What is done"],
    ["egg before hen", "hen μετά από egg"],
    ["--name is missing", "λείπει η --name"],
    ["The file is missing", "The file is missing"],
    ["told: Nothing.", "ειπώθηκε: Τίποτα."],
    ["quoted: Nothing.", "παρατίθεται: Nothing."],
    ["a $1 of $& (really?)", "ένα $1, $&"],
    ["No fish.\nNo birds.", "No fish.\nNo birds."],
    ["constructor", "constructor"],
    ["", ""],
  ])("%j is %j", (english, translation) => {
    expect(text(english)).toBe(translation);
  });
});

describe("a value", () => {
  test.each([
    { head: "status", english: "issued", shown: "εκδόθηκε" },
    { head: "status", english: "pending (queued)", shown: "pending (στη σειρά)" },
    { head: "status", english: "constructor", shown: "constructor" },
    { head: "status", english: "404", shown: "404" },
    { head: "name", english: "issued", shown: "issued" },
    { head: "because", english: "12 done", shown: "12 έγιναν" },
    { head: "because", english: "issued", shown: "issued" },
    { head: "name", english: "Nothing.", shown: "Nothing." },
  ])("$english under $head shows as $shown", ({ head, english, shown }) => {
    expect(value(head, english)).toBe(shown);
  });
});
