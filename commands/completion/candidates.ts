/** Completes commands, flags and fixed words, and names and ids from the database. */
import type { Argument, Command, Option } from "commander";
import { usesPostgres } from "../../src/config/addresses.ts";
import type { Config } from "../../src/config/config.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { type Line, optionsOf } from "./line.ts";
import type { Words } from "../options.ts";

/** What belongs in the place of each placeholder in the help. `<id>` takes its meaning from the flag, see `placeOf`. */
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

type Place = keyof typeof KINDS;
type Kind = (typeof KINDS)[Place];

/** More would not help a person. */
const CANDIDATES_MAX = 50;

/** Placeholders for file names, which the shell completes. */
const FILE_PLACES: ReadonlySet<string> = new Set(["file", "folder", "path", "directory"]);

/** The placeholder at the cursor: `merchant` for `--merchant <merchant>`. */
function placeOf({ wanted }: Line): string | undefined {
  if (wanted.kind === "argument") return wanted.argument.name();
  if (wanted.kind !== "value") return undefined;
  const { flags, long = "" } = wanted.option;
  const [, place = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  // `--document <id>`: the flag names the kind of id.
  return place === "id" ? long.replace(/^--/, "") : place;
}

/** Ignores case, for the names of merchants and the series of numbers. */
export function startsWith(word: string, typed: string): boolean {
  return word.toLowerCase().startsWith(typed.toLowerCase());
}

export function takesFile(line: Line): boolean {
  return FILE_PLACES.has(placeOf(line) ?? "");
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
  const place = placeOf(line) ?? "";
  if (isPlace(place)) return KINDS[place];
  // Cursors of lists and tails are ids of the noun's objects.
  if (["starting-after", "ending-before", "after"].includes(place)) return nounKind(line.command);
  return undefined;
}

function isPlace(place: string): place is Place {
  return place in KINDS;
}

function nounKind(verb: Command): Kind | undefined {
  const noun = verb.parent?.name();
  if (noun === "webhooks" && verb.name() === "list") return "endpoints";
  return Object.values(KINDS).find((kind) => kind === noun);
}

export interface Candidate {
  word: string;
  /** Shown next to the word in shells that support it. */
  about: string;
}

/** Commands, flags, and the words that a flag accepts. */
export function knownCandidates({ command, wanted, given }: Line): Candidate[] {
  if (wanted.kind === "command") return commandsOf(command);
  if (wanted.kind === "flag") return flagsOf(command, given);
  if (wanted.kind === "value") return wordsOf(wanted.option);
  return wanted.kind === "argument" ? wordsOf(wanted.argument) : [];
}

function commandsOf(command: Command): Candidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((known) => ({ word: known.name(), about: known.summary() || known.description() }));
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
  const parser: unknown = parseArg;
  return variadic || (typeof parser === "function" && "isRepeatable" in parser);
}

function wordsOf({ parseArg, argChoices }: Option | Argument): Candidate[] {
  const reader: unknown = parseArg;
  const words = hasWords(reader) ? reader.words : (argChoices ?? []);
  return words.map((word) => ({ word, about: "" }));
}

function hasWords(reader: unknown): reader is Words {
  return typeof reader === "function" && "words" in reader && Array.isArray(reader.words);
}
