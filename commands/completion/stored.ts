/** What could stand under the cursor as the database has it: merchants, documents and other things by name or id. */
import type { Command } from "commander";
import type { Config } from "../../src/config/config.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Candidate } from "./candidates.ts";
import type { Line } from "./line.ts";

/** What a place is called in the help, and what stands there. `<id>` says nothing by itself: see `placeOf`. */
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
} as const;

type Place = keyof typeof KINDS;
type Kind = (typeof KINDS)[Place];

/** As many as a person still looks through. */
const CANDIDATES_MAX = 50;

/** Places that take the name of a file or a folder, which the shell completes. */
const FILE_PLACES: ReadonlySet<string> = new Set(["file", "folder", "path", "directory"]);

/** What the help calls the place under the cursor: `merchant` for `--merchant <merchant>`. */
function placeOf({ wanted }: Line): string | undefined {
  if (wanted.kind === "argument") return wanted.argument.name();
  if (wanted.kind !== "value") return undefined;
  const { flags, long = "" } = wanted.option;
  const [, place = ""] = /[<[]([^>\].]+)/.exec(flags) ?? [];
  // `--document <id>`: the flag says whose id it is.
  return place === "id" ? long.replace(/^--/, "") : place;
}

export function takesFile(line: Line): boolean {
  return FILE_PLACES.has(placeOf(line) ?? "");
}

/** The names at the cursor; none where nothing is stored, or what is stored cannot be read. */
export async function storedCandidates(line: Line, config: Config, mode: Mode): Promise<Candidate[]> {
  const kind = kindOf(line);
  if (kind === undefined) return [];
  const { peek } = await import("../../storage/open.ts");
  const { findNames } = await import("../../storage/names.ts");
  const query = { mode, prefix: line.typed, limit: CANDIDATES_MAX };
  const rows = await peek(config.storage.database, (session) => findNames(session, kind, query));
  return (rows ?? []).map(({ id, name, about }) => {
    const isById = name === null || line.typed.startsWith(id.slice(0, id.indexOf("_") + 1));
    return isById
      ? { word: id, about: [name, about].filter((text) => text !== null).join(", ") }
      : { word: name, about: about ?? "" };
  });
}

function kindOf(line: Line): Kind | undefined {
  const place = placeOf(line) ?? "";
  if (isPlace(place)) return KINDS[place];
  // Cursors of a list and of a tail are ids of what the noun is about.
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
