/** A commander command whose usage errors are in both languages. */
import { Command, type Option } from "commander";
import type { Text } from "../src/foundation/text.ts";
import { parseFields, takeFields, wordAfterJson } from "./json/flag.ts";
import { UsageError } from "./exit.ts";
import { NOUNS } from "./nouns.ts";
import { findSimilar } from "./similar-words.ts";

/**
 * Overrides the methods that build commander's English error messages. Commander 15.1 offers no other way to replace them and
 * does not declare them in its types; test/commands/program.test.ts fails if a later version calls other methods.
 */
export class ProgramCommand extends Command {
  /** The whole command line; only of the root. */
  #words: readonly string[] = [];

  override createCommand(name?: string): Command {
    return new ProgramCommand(name);
  }

  /** `--json` alone takes no value, so that an argument may follow it; commander has no such flag. */
  override parseOptions(args: string[]): ReturnType<Command["parseOptions"]> {
    if (this.parent !== null) return super.parseOptions(args);
    const { words, fields } = takeFields(args);
    this.#words = words;
    if (fields !== undefined) this.setOptionValue("jsonFields", fields);
    return super.parseOptions(words);
  }

  unknownCommand(): never {
    const [name = ""] = this.args;
    const known = this.createHelp().visibleCommands(this);
    throw unknown(
      { en: "unknown command", el: "άγνωστη εντολή" },
      name,
      known.map((command) => command.name()),
    );
  }

  unknownOption(given: string): never {
    // Without the value, which may be a secret.
    const [flag = ""] = given.split("=");
    const known = [this, ...ancestorsOf(this)].flatMap((command) =>
      command.createHelp().visibleOptions(command),
    );
    throw unknown(
      { en: "unknown option", el: "άγνωστη επιλογή" },
      flag,
      known.flatMap(({ long }) => long ?? []),
    );
  }

  missingArgument(name: string): never {
    const noun = NOUNS.find((known) => known.name === `${name}s`);
    const list = `\`fiscal ${noun?.name} list\``;
    throw new UsageError({
      en: `missing argument '${name}'${noun === undefined ? "" : `; ${list} lists them`}`,
      el: `λείπει το όρισμα «${name}»${noun === undefined ? "" : `· η ${list} δείχνει ποια υπάρχουν`}`,
    });
  }

  optionMissingArgument({ flags }: Option): never {
    throw new UsageError({
      en: `option '${flags}' needs a value`,
      el: `λείπει η τιμή της επιλογής «${flags}»`,
    });
  }

  /** Does not name the arguments, which may be secrets. */
  _excessArguments(given: readonly string[]): void {
    if (this.#takeFields(given)) return;
    const expected = this.registeredArguments.length;
    throw new UsageError({
      en: `too many arguments: ${expected} expected, ${given.length} given`,
      el: `περισσότερα ορίσματα απ' όσα χρειάζονται: αναμένονται ${expected}, δόθηκαν ${given.length}`,
    });
  }

  /** Takes the word after `--json` as its fields if the command has one argument too many. Whether it did. */
  #takeFields(given: readonly string[]): boolean {
    const root = ancestorsOf(this).at(-1);
    if (!(root instanceof ProgramCommand) || given.length !== this.registeredArguments.length + 1)
      return false;
    const fields = wordAfterJson(root.#words);
    const at = fields === undefined ? -1 : given.lastIndexOf(fields);
    if (fields === undefined || at === -1) return false;
    root.setOptionValue("jsonFields", parseFields(fields));
    this.args = given.toSpliced(at, 1);
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
