/** Parses a command line that is still being typed, and completes commands, flags, fixed words, and names and ids from the database. */
import type { Argument, Command, Option } from "commander";
import { usesPostgres } from "../../src/config/addresses.ts";
import type { Config } from "../../src/config/config.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import type { Words } from "../options.ts";

export interface Line {
  command: Command;
  /** What the last word can be; undefined for nothing. */
  place: "command" | "flag" | Option | Argument | undefined;
  /** The typed part of the last word; of `--flag=value` the value. */
  typed: string;
  /** `--flag=` if flag and value are one word. */
  lead: string;
  /** The flags on the line, with their values. */
  given: ReadonlyMap<Option, string | undefined>;
}

/** `words` is the line without the program's name; the cursor is at the last one, which may be empty. */
export async function readLine(
  root: Command,
  words: readonly string[],
  load: (command: Command) => Promise<void>,
): Promise<Line> {
  const given = new Map<Option, string | undefined>();
  const typed = words.at(-1) ?? "";
  let command = root;
  let operands = 0;
  let awaiting: Option | undefined;
  let isOver = false;
  for (const word of words.slice(0, -1)) {
    if (awaiting !== undefined && endsValues(awaiting, given, word)) awaiting = undefined;
    if (awaiting !== undefined) {
      given.set(awaiting, word);
      if (!awaiting.variadic) awaiting = undefined;
    } else if (isOver || !word.startsWith("-") || word === "-") {
      const next = operands === 0 ? command.commands.find((known) => known.name() === word) : undefined;
      if (next === undefined) operands += 1;
      else await load(next);
      command = next ?? command;
    } else if (word === "--") {
      isOver = true;
    } else {
      const [name = "", value] = splitFlag(word);
      const option = optionNamed(command, name);
      if (option?.required === true && value === undefined) awaiting = option;
      else if (option !== undefined) given.set(option, value);
    }
  }
  if (awaiting !== undefined && !endsValues(awaiting, given, typed))
    return { command, place: awaiting, typed, lead: "", given };
  return { command, given, ...lastWord(command, typed, operands, isOver) };
}

/** The next flag ends the values of a flag that takes several. */
function endsValues(option: Option, given: Line["given"], word: string): boolean {
  return option.variadic && given.has(option) && word.startsWith("-");
}

function lastWord(
  command: Command,
  typed: string,
  operands: number,
  isOver: boolean,
): Pick<Line, "place" | "typed" | "lead"> {
  const [name = "", value] = splitFlag(typed);
  if (!isOver && value !== undefined)
    return { place: optionNamed(command, name), typed: value, lead: `${name}=` };
  const isFlag = !isOver && typed.startsWith("-") && typed !== "-";
  if (isFlag) return { place: "flag", typed, lead: "" };
  if (command.commands.length > 0 && operands === 0) return { place: "command", typed, lead: "" };
  const known = command.registeredArguments;
  const last = known.at(-1);
  return { place: known[operands] ?? (last?.variadic === true ? last : undefined), typed, lead: "" };
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function optionNamed(command: Command, name: string): Option | undefined {
  return optionsOf(command).find((option) => option.long === name || option.short === name);
}

/** The flags that are valid here: the command's own and those of every command above it. */
function optionsOf(command: Command): Option[] {
  const { options, parent } = command;
  return parent === null ? [...options] : [...options, ...optionsOf(parent)];
}

/** What belongs in the place of each placeholder in the help. `<id>` takes its meaning from the flag, see `placeholderAt`. */
const KINDS = {
  merchant: "merchants",
  document: "documents",
  connection: "connections",
  endpoint: "endpoints",
  event: "events",
  // `--event <events...>`
  events: "events",
  request: "requests",
  call: "calls",
  key: "keys",
  series: "series",
} as const;

type Kind = (typeof KINDS)[keyof typeof KINDS];

/** More would not help a person. */
const CANDIDATES_MAX = 50;

/** What the shell completes, by the placeholder. */
const PATHS: Readonly<Record<string, "files" | "folders">> = {
  file: "files",
  path: "files",
  folder: "folders",
};

/** The placeholder at the cursor: `merchant` for `--merchant <merchant>`. */
function placeholderAt({ place }: Line): string {
  if (typeof place !== "object") return "";
  if (!("flags" in place)) return place.name();
  const [, name = ""] = /[<[]([^>\].]+)/.exec(place.flags) ?? [];
  // `--document <id>`: the flag names the kind of id.
  return name === "id" ? (place.long ?? "").replace(/^--/, "") : name;
}

/** Ignores case, for the names of merchants and the series of numbers. */
export function startsWith(word: string, typed: string): boolean {
  return word.toLowerCase().startsWith(typed.toLowerCase());
}

export function pathsAt(line: Line): "files" | "folders" | undefined {
  return PATHS[placeholderAt(line)];
}

/** The names that fit at the cursor; empty if nothing is stored or readable. */
export async function storedCandidates(line: Line, config: Config, mode: Mode): Promise<Candidate[]> {
  const kind = kindOf(line);
  // Connecting to a server would delay every press of the Tab key.
  if (kind === undefined || usesPostgres(config.storage)) return [];
  const { peekNames } = await import("../../src/upkeep/peek-names.ts");
  const query = { mode, prefix: line.typed, limit: CANDIDATES_MAX };
  const { database } = config.storage;
  const isNumber = kind === "documents" && line.typed !== "";
  const isMeant = ({ name }: { name: string | null }) => startsWith(name ?? "", line.typed);
  const numbered = isNumber ? (await peekNames(database, "numbers", query)).filter(isMeant) : [];
  const rows = [...(await peekNames(database, kind, query)), ...numbered.slice(0, CANDIDATES_MAX)];
  return rows.map(({ id, name, about }) => {
    const isById = name === null || line.typed.startsWith(id.slice(0, id.indexOf("_") + 1));
    return isById
      ? { word: id, about: [name, about].filter((text) => text !== null).join(", ") }
      : { word: name, about: about ?? "" };
  });
}

function kindOf(line: Line): Kind | undefined {
  const place = placeholderAt(line);
  // Cursors of lists and tails are ids of the noun's objects.
  if (!["starting-after", "ending-before", "after"].includes(place))
    return (KINDS as Partial<Record<string, Kind>>)[place];
  const noun = line.command.parent?.name();
  if (noun === "webhooks" && line.command.name() === "list") return "endpoints";
  return Object.values(KINDS).find((kind) => kind === noun);
}

export interface Candidate {
  word: string;
  /** Shown next to the word in shells that support it. */
  about: string;
}

/** Commands, flags, and the words that a flag or argument accepts. */
export function knownCandidates({ command, place, given }: Line): Candidate[] {
  if (place === "command") return commandsOf(command);
  if (place === "flag") return flagsOf(command, given);
  const { words = [] } = (place?.parseArg ?? {}) as Partial<Words>;
  return words.map((word) => ({ word, about: "" }));
}

function commandsOf(command: Command): Candidate[] {
  const known = command.createHelp().visibleCommands(command);
  return known.map((one) => ({ word: one.name(), about: one.description() }));
}

/** Flags that are not on the line yet, those that may be repeated, and `--help`. */
function flagsOf(command: Command, given: Line["given"]): Candidate[] {
  const inherited = optionsOf(command).filter(
    (option) => !option.hidden && (!given.has(option) || isRepeatable(option)),
  );
  const help = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === "--help");
  return [...inherited, ...help].map(({ long, short, description }) => ({
    word: long ?? short ?? "",
    about: description,
  }));
}

function isRepeatable({ variadic, parseArg }: Option): boolean {
  return variadic || "isRepeatable" in (parseArg ?? {});
}
