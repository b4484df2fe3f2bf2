/** Declarations of settings: what a setting may be and its default. The tables of settings are built from these. */

export type SettingKind =
  | { kind: "text"; mayBeEmpty: boolean }
  /** The name of an HTTP header, or empty. */
  | { kind: "header" }
  | { kind: "word"; words: readonly string[] }
  | { kind: "integer"; minimum: number; maximum: number }
  /** A list of pauses, each at least 0, the first usually 0. */
  | { kind: "seconds" }
  /** A list of addresses, or of networks like 10.0.0.0/8; with `mayBeUnix` also `unix`, for callers through the socket file. */
  | { kind: "networks"; mayBeUnix: boolean }
  /** Permissions of a file, in octal: `0660`. */
  | { kind: "permissions" }
  /** An http or https address. */
  | { kind: "url"; mayBeEmpty: boolean }
  /** A cron expression of five fields, or empty for never. */
  | { kind: "schedule" };

export type SettingValue = string | number | readonly number[] | readonly string[];

export interface Setting<Value extends SettingValue = SettingValue> {
  default: Value;
  kind: SettingKind;
}

/** Settings by name, which is in lower case with underscores. */
export type SettingsTable = Readonly<Record<string, Setting>>;

/** The values of a table, under camel-case names: `live_url` is `liveUrl`. */
export type SettingsOf<Table extends SettingsTable> = {
  readonly [Name in keyof Table & string as CamelCase<Name>]: Table[Name] extends Setting<infer Value>
    ? Value
    : never;
};

export type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<CamelCase<Rest>>}`
  : Name;

export function camelCase<Name extends string>(name: Name): CamelCase<Name> {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>;
}

/** Text; may be empty if its default is. */
export function text(value = ""): Setting<string> {
  return { default: value, kind: { kind: "text", mayBeEmpty: value === "" } };
}

export function word<const Words extends readonly string[]>(
  value: NoInfer<Words[number]>,
  words: Words,
): Setting<Words[number]> {
  return { default: value, kind: { kind: "word", words } };
}

export function integer(value: number, minimum: number, maximum: number): Setting<number> {
  return { default: value, kind: { kind: "integer", minimum, maximum } };
}

export function seconds(value: readonly number[]): Setting<readonly number[]> {
  return { default: value, kind: { kind: "seconds" } };
}

export function networks(): Setting<readonly string[]> {
  return { default: [], kind: { kind: "networks", mayBeUnix: false } };
}

/** An http or https address; may be empty if its default is. */
export function url(value: string): Setting<string> {
  return { default: value, kind: { kind: "url", mayBeEmpty: value === "" } };
}
