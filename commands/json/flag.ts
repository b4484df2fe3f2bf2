/** Reads `--json=FIELDS` and checks the fields: docs/contract.md#fields-of-json. */
import type { Command } from "commander";
import { UsageError } from "../exit.ts";

const JSON_FLAG = "--json";

/** Rewrites `--json=FIELDS` as `--json`, and returns the fields of the last one. */
export function takeFields(args: readonly string[]): { words: string[]; fields?: string[] } {
  const end = args.indexOf("--");
  const isGiven = (word: string, at: number) => word.startsWith(`${JSON_FLAG}=`) && (end === -1 || at < end);
  const last = args.findLast(isGiven);
  const words = args.map((word, at) => (isGiven(word, at) ? JSON_FLAG : word));
  return last === undefined ? { words } : { words, fields: parseFields(last.slice(JSON_FLAG.length + 1)) };
}

/** The word that follows `--json`, which may be its fields, or an argument. */
export function wordAfterJson(words: readonly string[]): string | undefined {
  const at = words.indexOf(JSON_FLAG);
  return at === -1 ? undefined : words[at + 1];
}

/** `id,status,mark` */
export function parseFields(text: string): string[] {
  const fields = text.split(",").map((field) => field.trim());
  if (!fields.includes("")) return fields;
  throw new UsageError({
    en: "--json takes fields separated by commas, such as --json=id,status",
    el: "η --json δέχεται πεδία χωρισμένα με κόμμα, όπως --json=id,status",
  });
}

/** Throws UsageError if `command` does not print one of `fields`. Runs before the command, which may change something. */
export async function requireFields(command: Command, fields: readonly string[]): Promise<void> {
  const name = nameOf(command);
  const { fieldsOfCommand } = await import("./fields.ts");
  const known = fieldsOfCommand(command, name);
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
