/** A commander command whose usage errors are in both languages, and which reads `--json=FIELDS` (docs/contract.md#fields-of-json). */
import { Command, type ErrorOptions } from "commander";
import type { Text } from "../src/foundation/text.ts";
import { UsageError } from "./exit.ts";
import { fieldsOf } from "./define.ts";
import { NOUNS } from "./nouns.ts";

/** Replaces commander's English messages: `error` receives them with a code for each kind of error. */
export class ProgramCommand extends Command {
  /** Of the root: the whole command line. */
  #words: readonly string[] = [];

  override createCommand(name?: string): Command {
    return new ProgramCommand(name);
  }

  /** `--json` alone takes no value, so that an argument may follow it; commander has no such flag. */
  override parseOptions(args: string[]): ReturnType<Command["parseOptions"]> {
    const { words, fields } = this.parent === null ? takeFields(args) : { words: args };
    this.#words = words;
    if (fields !== undefined) this.setOptionValue("jsonFields", fields);
    const { operands, unknown: others } = super.parseOptions(words);
    const isRefused = this.commands.length === 0 || (this.parent === null && operands.length === 0);
    // The value of an unknown option may be a secret, and hides what the option is similar to.
    return { operands, unknown: isRefused ? others.map(withoutValue) : others };
  }

  override error(message: string, options?: ErrorOptions): never {
    // Commander says only in its message what the error is about: `error: unknown option '--lin'\n(Did you mean --line?)`.
    const [, about = "", similar] =
      /'(.*)'[^'\n]*(?:\n\(Did you mean (?:one of )?(.*)\?\))?$/s.exec(message) ?? [];
    switch (options?.code) {
      case "commander.unknownCommand":
        throw unknown({ en: "unknown command", el: "άγνωστη εντολή" }, about, similar);
      case "commander.unknownOption":
        throw unknown({ en: "unknown option", el: "άγνωστη επιλογή" }, withoutValue(about), similar);
      case "commander.missingArgument":
        throw missingArgument(about);
      case "commander.optionMissingArgument":
        throw new UsageError({
          en: `option '${about}' needs a value`,
          el: `λείπει η τιμή της επιλογής «${about}»`,
        });
      case "commander.excessArguments":
        if (!this.#takeFields()) throw this.#excessArguments();
        // Commander 15.1 goes on with the arguments that are left.
        return undefined as never;
      default:
        return super.error(message, options);
    }
  }

  /** Does not name the arguments, which may be secrets. */
  #excessArguments(): UsageError {
    const [expected, given] = [this.registeredArguments.length, this.args.length];
    return new UsageError({
      en: `too many arguments: ${expected} expected, ${given} given; put quotes around one that has spaces`,
      el: `περισσότερα ορίσματα απ' όσα χρειάζονται: αναμένονται ${expected}, δόθηκαν ${given}· όποιο έχει κενά μπαίνει σε εισαγωγικά`,
    });
  }

  /** Takes the word after `--json` as its fields if the command has one argument too many. Whether it did. */
  #takeFields(): boolean {
    const root = ancestorsOf(this).at(-1);
    const { args } = this;
    if (!(root instanceof ProgramCommand) || args.length !== this.registeredArguments.length + 1)
      return false;
    const fields = wordAfterJson(root.#words);
    const at = fields === undefined ? -1 : args.lastIndexOf(fields);
    if (fields === undefined || at === -1) return false;
    root.setOptionValue("jsonFields", parseFields(fields));
    this.args = args.toSpliced(at, 1);
    return true;
  }
}

function ancestorsOf({ parent }: Command): Command[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function withoutValue(word: string): string {
  return word.startsWith("-") ? word.replace(/=.*/s, "") : word;
}

function unknown(what: Text, given: string, similar: string | undefined): UsageError {
  return new UsageError({
    en: `${what.en} '${given}'${similar === undefined ? "" : `. Did you mean ${similar}?`}`,
    el: `${what.el} «${given}»${similar === undefined ? "" : `. Μήπως εννοείτε ${similar};`}`,
  });
}

function missingArgument(name: string): UsageError {
  const isListed = Object.hasOwn(NOUNS, `${name}s`);
  const list = `\`fiscal ${name}s list\``;
  return new UsageError({
    en: `missing argument '${name}'${isListed ? `; ${list} lists them` : ""}`,
    el: `λείπει το όρισμα «${name}»${isListed ? `· η ${list} δείχνει ποια υπάρχουν` : ""}`,
  });
}

const JSON_FLAG = "--json";

/** Rewrites `--json=FIELDS` as `--json`, and returns the fields of the last one. */
function takeFields(args: readonly string[]): { words: string[]; fields?: string[] } {
  const end = args.indexOf("--");
  const isGiven = (word: string, at: number) => word.startsWith(`${JSON_FLAG}=`) && (end === -1 || at < end);
  const last = args.findLast(isGiven);
  const words = args.map((word, at) => (isGiven(word, at) ? JSON_FLAG : word));
  return last === undefined ? { words } : { words, fields: parseFields(last.slice(JSON_FLAG.length + 1)) };
}

/** The word that follows `--json`, which may be its fields, or an argument. */
function wordAfterJson(words: readonly string[]): string | undefined {
  const at = words.indexOf(JSON_FLAG);
  return at === -1 ? undefined : words[at + 1];
}

/** `id,status,mark` */
function parseFields(text: string): string[] {
  const fields = text.split(",").map((field) => field.trim());
  if (!fields.includes("")) return fields;
  throw new UsageError({
    en: "--json takes fields separated by commas, such as --json=id,status",
    el: "η --json δέχεται πεδία χωρισμένα με κόμμα, όπως --json=id,status",
  });
}

/** Throws UsageError if `command` does not print one of `fields`. Runs before the command, which may change something. */
export function requireFields(command: Command, fields: readonly string[]): void {
  const name = nameOf(command);
  const known = fieldsOf(command);
  if (known === undefined)
    throw new UsageError({
      en: `\`fiscal ${name}\` cannot print single fields; use --json alone`,
      el: `η \`fiscal ${name}\` δεν τυπώνει μεμονωμένα πεδία· δώστε σκέτο --json`,
    });
  if (fields.every((field) => known.includes(field))) return;
  throw new UsageError({
    en: `--json names a field that \`fiscal ${name}\` does not print. Its fields: ${known.join(", ")}`,
    el: `η --json ορίζει πεδίο που η \`fiscal ${name}\` δεν τυπώνει. Τα πεδία της: ${known.join(", ")}`,
  });
}

/** `documents list` */
function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}
