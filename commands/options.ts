/** Parses flag values. An invalid value is a usage error that names the flag but never repeats the value. */
import type { Command } from "commander";
import { startOfAthensDay } from "../src/foundation/clock.ts";
import { readDay } from "../src/foundation/days.ts";
import { joinTexts, sameInBoth, type Text } from "../src/foundation/text.ts";
import type { CommandContext } from "./context.ts";
import { UsageError } from "./exit.ts";

/** `document <id>` → `document`. */
export function wordOf(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

/** `created-from <instant>` → `createdFrom`, as commander names its value; the same with dashes before it. */
export function optionOf(name: string): string {
  return wordOf(name)
    .replace(/^--/, "")
    .replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

/** `--customer: is not allowed for type 11.1` */
export function aboutFlag(flag: string, problem: Text): Text {
  return joinTexts([sameInBoth(flag), problem], ": ");
}

/** Throws UsageError: there is a problem with what `flag` gives. */
export function refuseFlag(flag: string, problem: Text): never {
  throw new UsageError(aboutFlag(flag, problem));
}

/** Throws UsageError if there is a problem with what `flag` gives. */
export function checkFlag(flag: string, problem: Text | undefined): void {
  if (problem !== undefined) refuseFlag(flag, problem);
}

/** The error of flags of which only one can be given. */
export function contradiction(...flags: readonly string[]): UsageError {
  const listed = (language: string) => new Intl.ListFormat(language).format(flags);
  return new UsageError({
    en: `${listed("en")} contradict each other; give only one`,
    el: `οι ${listed("el")} αντιφάσκουν μεταξύ τους· δώστε μόνο μία`,
  });
}

/** Makes the parser of the flag with this name. A repeatable flag gets what it has read before. */
export type Reader = (flag: string) => (value: string, previous: never) => unknown;

const INTEGER = /^-?\d{1,15}$/;

/** Reads whole numbers from `min` to `max`. */
export const integer =
  (min: number, max: number) =>
  (flag: string) =>
  (value: string): number => {
    const number = INTEGER.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new UsageError({
      en: `${flag} takes a whole number from ${min} to ${max}`,
      el: `η ${flag} δέχεται ακέραιο από ${min} έως ${max}`,
    });
  };

/** The words that a parser accepts, which completion offers. */
export interface Words {
  readonly words: readonly string[];
}

/** Reads one of `words`. */
export const choice =
  <Word extends string>(words: readonly Word[]) =>
  (flag: string): ((value: string) => Word) & Words => {
    const read = (value: string) => {
      const word = words.find((candidate) => candidate === value);
      if (word !== undefined) return word;
      throw new UsageError({
        en: `${flag} takes one of ${words.join(", ")}`,
        el: `η ${flag} δέχεται ένα από τα ${words.join(", ")}`,
      });
    };
    return Object.assign(read, { words });
  };

/** Reads one of `words`, or several separated by commas, for a flag that may be repeated. */
export const choices =
  <Word extends string>(words: readonly Word[]) =>
  (flag: string) =>
    Object.assign(listOf(choice(words)(flag)), { words });

/** A parser of items separated by commas, for a flag that may be repeated. */
export function listOf<Item>(read: (item: string) => Item) {
  return repeated((value) => value.split(",").map((item) => read(item.trim())));
}

/** A parser for a flag that may be repeated. `read` returns the items of one, and gets how many there are before. */
export function repeated<Item>(read: (value: string, count: number) => Item[]) {
  const readAll = (value: string, previous: Item[] = []) => [...previous, ...read(value, previous.length)];
  return Object.assign(readAll, REPEATABLE);
}

/** Marks the parsers of repeatable flags for completion. */
const REPEATABLE = { isRepeatable: true } as const;

/** A parser of calendar days: `2026-11-05`, or day first, `5/11/2026`. Returns `YYYY-MM-DD`. */
export function day(flag: string): (value: string) => string {
  return (value) => {
    const read = readDay(value);
    if ("value" in read) return read.value;
    throw new UsageError({
      en: `${flag} takes a day like 2026-11-05 or 5/11/2026`,
      el: `η ${flag} δέχεται ημέρα, όπως 2026-11-05 ή 5/11/2026`,
    });
  };
}

/** A parser of instants: a date-time in UTC, or a day, which means its first moment in Athens. */
export function instant(flag: string): (value: string) => string {
  return (value) => {
    const read = readDay(value);
    if ("value" in read) return new Date(startOfAthensDay(read.value)).toISOString();
    const time = value.endsWith("Z") ? Date.parse(value) : Number.NaN;
    if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(value.slice(0, 19))) {
      return new Date(time).toISOString();
    }
    throw new UsageError({
      en: `${flag} takes a date-time in UTC like 2026-11-05T08:30:00Z, or a day of Athens like 2026-11-05 or 5/11/2026`,
      el: `η ${flag} δέχεται ημερομηνία και ώρα UTC, όπως 2026-11-05T08:30:00Z, ή ημέρα στην Αθήνα, όπως 2026-11-05 ή 5/11/2026`,
    });
  };
}

/** A parser for a repeatable flag that accepts `key=value`; the last value of a key wins. */
export function keyValue(
  flag: string,
): (value: string, previous: Record<string, string> | undefined) => Record<string, string> {
  const read = (value: string, previous: Record<string, string> = {}) => {
    const split = value.indexOf("=");
    if (split < 1)
      throw new UsageError({ en: `${flag} takes key=value`, el: `η ${flag} δέχεται όνομα=τιμή` });
    return { ...previous, [value.slice(0, split)]: value.slice(split + 1) };
  };
  return Object.assign(read, REPEATABLE);
}

export const EXAMPLES: Text = { en: "Examples:", el: "Παραδείγματα:" };
/** Separates an example from its note. */
const EXAMPLE_NOTE = "  # ";

/** A whole command line. A test runs every example; one that needs more than a prepared data directory has a note. */
export type Example = string | { readonly line: string; readonly note: Text };

/** Shows `examples` below the command's help. */
export function addExamples(command: Command, context: CommandContext, examples: readonly Example[]): void {
  const lines = examples.map((example) =>
    typeof example === "string"
      ? `  $ ${example}`
      : `  $ ${example.line}${EXAMPLE_NOTE}${context.inLanguage(example.note)}`,
  );
  command.addHelpText("after", ["", context.inLanguage(EXAMPLES), ...lines].join("\n"));
}

/** The note of an example that runs until it is interrupted. */
export const UNTIL_INTERRUPTED: Text = { en: "runs until Ctrl-C", el: "συνεχίζει μέχρι το Ctrl-C" };
