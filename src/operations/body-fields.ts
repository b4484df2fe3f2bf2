/** The fields of an operation's body as people fill them in: each a text, read into the body that the API takes. */
import type { Text } from "../foundation/text.ts";
import type { BodyFlag, LocalOperation, Operation } from "./operation.ts";

export interface BodyField {
  /** Its place in the body. */
  path: readonly string[];
  label: Text;
  hint?: Text | undefined;
  /** `boolean`, `image`, `day` and `secret` are for forms. */
  kind?: BodyFlag["kind"] | "boolean" | "image" | "day" | "secret" | undefined;
  words?: readonly string[] | undefined;
  /** The pairs are a list of objects with these two fields. */
  pair?: readonly [string, string];
  /** An empty value is sent as null. */
  isRemovable?: boolean | undefined;
  /** Fields of the same group are shown together, below its name. */
  group?: Text;
}

type Body = Record<string, unknown>;

/** The fields of the flags that the operation's verb has. */
export function fieldsOfVerb({ verb }: Pick<LocalOperation | Operation, "verb">): BodyField[] {
  return Object.entries(verb?.flags ?? {}).map(([path, { label, ask, help, kind, words, isRemovable }]) => ({
    path: path.split("."),
    label: label ?? ask ?? help,
    kind,
    words,
    isRemovable,
  }));
}

/**
 * Lines and commas separate the values of a list; a pair is a line `key=value`, where a key of metadata and an IBAN have no `=`. What has
 * the wrong form stays a text, for the schema to refuse.
 */
export function readField({ kind, pair }: Pick<BodyField, "kind" | "pair">, text: string): unknown {
  if (kind === "integer") return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text !== "";
  if (kind === "list")
    return text
      .split(/[,\n]/)
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (kind !== "pairs") return text;
  const form = pair === undefined ? /^([^=]*)=(.*)$/ : /^(.*)=([^=]*)$/;
  const pairs = text.split("\n").flatMap((line): [string, string][] => {
    const [, key = line.trim(), value = ""] = form.exec(line.trim()) ?? [];
    return key === "" ? [] : [[key.trim(), value.trim()]];
  });
  return pair === undefined
    ? Object.fromEntries(pairs)
    : pairs.map(([first, second]) => ({ [pair[0]]: first, [pair[1]]: second }));
}

/** A stored value as the text of its field. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null || value === false) return "";
  if (Array.isArray(value))
    return value.every((item) => typeof item === "string")
      ? value.join(", ")
      : value.map((item: object) => Object.values(item).join("=")).join("\n");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([key, text]) => `${key}=${String(text)}`)
      .join("\n");
  return String(value);
}

export function valueAt(body: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined || typeof body !== "object" || body === null)
    return name === undefined ? body : undefined;
  return valueAt((body as Body)[name], rest);
}

/** Undefined removes the field, and objects that are then empty. */
export function setAt(body: Body, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const inner = { ...(body[name] as Body | undefined) };
    setAt(inner, rest, value);
    if (Object.keys(inner).length > 0) body[name] = inner;
    else delete body[name];
  } else if (value === undefined) delete body[name];
  else body[name] = value;
}

/** In the API null removes a value; a text can only be empty. */
export function withNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value === "" ? null : value;
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, text === "" ? null : text]));
}

/** The field that a problem is about: `enabled_events` for `enabled_events[0]`, and the first one of `numbering.1.1` for that. */
export function fieldAt<Field extends { path: readonly string[] }>(
  fields: readonly Field[],
  problemPath: string,
): Field | undefined {
  const isPart = (whole: string, part: string) =>
    part === whole || (part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length)));
  return (
    fields.find(({ path }) => isPart(path.join("."), problemPath)) ??
    fields.find(({ path }) => isPart(problemPath, path.join(".")))
  );
}
