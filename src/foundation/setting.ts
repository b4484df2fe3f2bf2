/** Declarations of settings: type, default and documentation. Loading, config.example.toml and docs/configuration.md use them. */

export type SettingKind =
  | { kind: "text"; mayBeEmpty: boolean }
  /** The name of an HTTP header, or empty; read in lower case. */
  | { kind: "header" }
  | { kind: "word"; words: readonly string[] }
  | { kind: "integer"; minimum: number; maximum: number }
  | { kind: "flag" }
  /** A list of pauses in seconds. */
  | { kind: "seconds" }
  /** A list of addresses or networks; with `mayBeUnix` also `unix`, for callers through the socket file. */
  | { kind: "networks"; mayBeUnix: boolean }
  /** A list of email addresses. */
  | { kind: "emails" }
  /** Permissions of a file in octal: `0660`. */
  | { kind: "permissions" }
  /** An http or https address. `isBase` removes slashes at its end. */
  | { kind: "url"; mayBeEmpty: boolean; isBase: boolean }
  /** A cron expression of five fields, or empty for never. */
  | { kind: "schedule" }
  /** A file or folder, made absolute. `empty` is the value for an empty text: a name in the data directory, or none. */
  | { kind: "path"; empty: { inDataDir: string } | { value: "" | null } };

/** As written in a file or the environment. */
export type SettingValue = string | number | boolean | readonly number[] | readonly string[];

export interface Setting<Loaded = unknown> {
  readonly default: SettingValue;
  readonly kind: SettingKind;
  /** One or two sentences: what it is, its unit, and what happens without it or with a wrong value. */
  readonly doc: string;
  /** Logged as `set` or `not set`. */
  readonly isSecret?: true;
  /** Never set: it carries the type of the loaded value. */
  readonly loaded?: Loaded;
}

/** Settings by name, which is in lower case with underscores. */
export type SettingsTable = Readonly<Record<string, Setting>>;

/** The loaded values of a table or a tree of tables, under camel-case names: `live_url` is `liveUrl`. */
export type SettingsOf<Tree> = {
  readonly [Name in keyof Tree & string as CamelCase<Name>]: Tree[Name] extends Setting<infer Loaded>
    ? Loaded
    : SettingsOf<Tree[Name]>;
};

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/** Text; may be empty if its default is. */
export function text(value: string, doc: string): Setting<string> {
  return { default: value, kind: { kind: "text", mayBeEmpty: value === "" }, doc };
}

/** Text that is not logged. */
export function secret(doc: string): Setting<string> {
  return { ...text("", doc), isSecret: true };
}

export function word<const Words extends readonly string[]>(
  value: NoInfer<Words[number]>,
  words: Words,
  doc: string,
): Setting<Words[number]> {
  return { default: value, kind: { kind: "word", words }, doc };
}

export function integer(value: number, minimum: number, maximum: number, doc: string): Setting<number> {
  return { default: value, kind: { kind: "integer", minimum, maximum }, doc };
}

export function flag(value: boolean, doc: string): Setting<boolean> {
  return { default: value, kind: { kind: "flag" }, doc };
}

export function seconds(value: readonly number[], doc: string): Setting<readonly number[]> {
  return { default: value, kind: { kind: "seconds" }, doc };
}

export function networks(doc: string, { mayBeUnix = false } = {}): Setting<readonly string[]> {
  return { default: [], kind: { kind: "networks", mayBeUnix }, doc };
}

export function emails(doc: string): Setting<readonly string[]> {
  return { default: [], kind: { kind: "emails" }, doc };
}

export function header(doc: string): Setting<string> {
  return { default: "", kind: { kind: "header" }, doc };
}

export function permissions(value: string, doc: string): Setting<string> {
  return { default: value, kind: { kind: "permissions" }, doc };
}

export function schedule(doc: string): Setting<string> {
  return { default: "", kind: { kind: "schedule" }, doc };
}

/** An http or https address; may be empty if its default is. */
export function url(value: string, doc: string, { isBase = false } = {}): Setting<string> {
  return { default: value, kind: { kind: "url", mayBeEmpty: value === "", isBase }, doc };
}

/** A path; `name` in the data directory when empty. */
export function pathInDataDir(name: string, doc: string): Setting<string> {
  return { default: "", kind: { kind: "path", empty: { inDataDir: name } }, doc };
}

/** A path; stays empty when empty. */
export function optionalPath(doc: string): Setting<string> {
  return { default: "", kind: { kind: "path", empty: { value: "" } }, doc };
}

/** A path; null when empty. */
export function pathOrNull(doc: string): Setting<string | null> {
  return { default: "", kind: { kind: "path", empty: { value: null } }, doc };
}
