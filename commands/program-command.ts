/** A commander command whose usage errors are in both languages. */
import { Command, type ErrorOptions } from "commander";
import type { Text } from "../src/foundation/text.ts";
import { parseFields, takeFields, wordAfterJson } from "./json/flag.ts";
import { UsageError } from "./exit.ts";
import { NOUNS } from "./nouns.ts";
import { findSimilar } from "./similar-words.ts";

/** Replaces commander's English messages: `error` receives them with a code for each kind of error. */
export class ProgramCommand extends Command {
  /** The words that were parsed; of the root, the whole command line. */
  #words: readonly string[] = [];
  /** The first option that is not known, and what follows it. */
  #unknown: readonly string[] = [];

  override createCommand(name?: string): Command {
    return new ProgramCommand(name);
  }

  /** `--json` alone takes no value, so that an argument may follow it; commander has no such flag. */
  override parseOptions(args: string[]): ReturnType<Command["parseOptions"]> {
    const { words, fields } = this.parent === null ? takeFields(args) : { words: args };
    this.#words = words;
    if (fields !== undefined) this.setOptionValue("jsonFields", fields);
    const parsed = super.parseOptions(words);
    this.#unknown = parsed.unknown;
    return parsed;
  }

  override error(message: string, options?: ErrorOptions): never {
    switch (options?.code) {
      case "commander.unknownCommand":
        throw this.#unknownCommand();
      case "commander.unknownOption":
        throw this.#unknownOption();
      case "commander.missingArgument":
        throw this.#missingArgument();
      case "commander.optionMissingArgument":
        throw this.#missingValue();
      case "commander.excessArguments":
        if (!this.#takeFields()) throw this.#excessArguments();
        // Commander 15.1 goes on with the arguments that are left.
        return undefined as never;
      default:
        return super.error(message, options);
    }
  }

  #unknownCommand(): UsageError {
    const [name = ""] = this.args;
    const known = this.createHelp().visibleCommands(this);
    return unknown(
      { en: "unknown command", el: "άγνωστη εντολή" },
      name,
      known.map((command) => command.name()),
    );
  }

  #unknownOption(): UsageError {
    // Without the value, which may be a secret.
    const [flag = ""] = (this.#unknown[0] ?? "").split("=");
    const known = [this, ...ancestorsOf(this)].flatMap((command) =>
      command.createHelp().visibleOptions(command),
    );
    return unknown(
      { en: "unknown option", el: "άγνωστη επιλογή" },
      flag,
      known.flatMap(({ long }) => long ?? []),
    );
  }

  #missingArgument(): UsageError {
    const missing = this.registeredArguments.find(
      ({ required }, at) => required && this.args[at] === undefined,
    );
    const name = missing?.name() ?? "";
    const noun = NOUNS.find((known) => known.name === `${name}s`);
    const list = `\`fiscal ${noun?.name} list\``;
    return new UsageError({
      en: `missing argument '${name}'${noun === undefined ? "" : `; ${list} lists them`}`,
      el: `λείπει το όρισμα «${name}»${noun === undefined ? "" : `· η ${list} δείχνει ποια υπάρχουν`}`,
    });
  }

  /** Only the last word can lack its value. */
  #missingValue(): UsageError {
    const word = this.#words.at(-1) ?? "";
    const { flags } = this.options.find(({ short, long }) => word === short || word === long) ?? {
      flags: word,
    };
    return new UsageError({
      en: `option '${flags}' needs a value`,
      el: `λείπει η τιμή της επιλογής «${flags}»`,
    });
  }

  /** Does not name the arguments, which may be secrets. */
  #excessArguments(): UsageError {
    const [expected, given] = [this.registeredArguments.length, this.args.length];
    return new UsageError({
      en: `too many arguments: ${expected} expected, ${given} given`,
      el: `περισσότερα ορίσματα απ' όσα χρειάζονται: αναμένονται ${expected}, δόθηκαν ${given}`,
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

function unknown(what: Text, given: string, known: readonly string[]): UsageError {
  const similar = findSimilar(given, known).join(", ");
  return new UsageError({
    en: `${what.en} '${given}'${similar === "" ? "" : `. Did you mean ${similar}?`}`,
    el: `${what.el} «${given}»${similar === "" ? "" : `. Μήπως εννοείτε ${similar};`}`,
  });
}
