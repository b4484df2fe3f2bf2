/** Groups of tools. A session offers the usual groups, or those that it names, because every tool costs a model room. */
import type { Text } from "../../src/foundation/text.ts";

export const TOOLSETS = [
  "documents",
  "merchants",
  "tax_numbers",
  "numbering",
  "connections",
  "events",
  "webhooks",
  "logs",
  "doctor",
] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** What it takes to issue, find, credit and explain documents. */
const USUAL: readonly Toolset[] = ["documents", "merchants", "tax_numbers", "numbering"];

/** What a session that acts as an API key may have: the findings of doctor concern both modes, and a key has one. */
export const KEY_TOOLSETS: ReadonlySet<Toolset> = new Set(TOOLSETS.filter((name) => name !== "doctor"));

export const OPERATOR_TOOLSETS: ReadonlySet<Toolset> = new Set(TOOLSETS);

/** The toolsets by the tags of the operations. An operation with another tag gets a toolset here. */
const BY_TAG: Readonly<Record<string, Toolset>> = {
  documents: "documents",
  merchants: "merchants",
  "tax numbers": "tax_numbers",
  connections: "connections",
  "connect sessions": "connections",
  events: "events",
  "webhook endpoints": "webhooks",
  logs: "logs",
};

export function toolsetOfTag(tag: string): Toolset {
  const toolset = BY_TAG[tag];
  if (toolset === undefined) throw new Error(`The tag "${tag}" belongs to no toolset`);
  return toolset;
}

export interface SessionTools {
  /** Their tools are listed. */
  listed: ReadonlySet<Toolset>;
  /** Their tools can be called: more than the listed ones, unless the session named its toolsets. */
  callable: ReadonlySet<Toolset>;
}

/**
 * The toolsets that `written` names, separated by commas; `all` means all that are `available` to the session. Undefined lists the
 * usual ones, which costs a model little room, and forbids none. Returns undefined for anything else, which `describeChoice` explains.
 */
export function chooseToolsets(
  written: string | undefined,
  available: ReadonlySet<Toolset>,
): SessionTools | undefined {
  if (written === undefined) return { listed: new Set(USUAL), callable: available };
  if (written === "all") return { listed: available, callable: available };
  const names = written.split(",").map((name) => name.trim());
  const known = names.filter((name): name is Toolset => available.has(name as Toolset));
  const named = new Set(known);
  return known.length === names.length ? { listed: named, callable: named } : undefined;
}

/** What may be written. `must be all, or some of these …` */
export function describeChoice(available: ReadonlySet<Toolset>): Text {
  const list = [...available].join(", ");
  const missing = available.has("doctor")
    ? { en: "", el: "" }
    : {
        en: " (doctor reports on both modes, so only fiscal mcp without a key offers it)",
        el: " (το doctor αφορά και τις δύο λειτουργίες, γι' αυτό το προσφέρει μόνο η fiscal mcp χωρίς κλειδί)",
      };
  return {
    en: `must be all, or some of these separated by commas: ${list}${missing.en}`,
    el: `πρέπει να είναι all, ή μερικά από αυτά χωρισμένα με κόμμα: ${list}${missing.el}`,
  };
}
