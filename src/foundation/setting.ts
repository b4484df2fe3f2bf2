/** A setting: default, documentation, which values are valid, and how a value is read and loaded; and the types of tables of them. */
import type { Text } from "./text.ts";

/** As written in a file or the environment. */
export type SettingValue = string | number | boolean | readonly number[] | readonly string[];

export interface Setting<Loaded = unknown> {
  readonly default: SettingValue;
  /** One or two sentences: what it is, its unit, and what happens without it or with a wrong value. */
  readonly doc: string;
  /** Whether it may have the value. */
  fits(value: unknown): boolean;
  /** The values that fit, after "must be". Never contains the given value, which may be a secret. */
  readonly valid: Text;
  /** Reads text from the environment, unless the value is text. What it cannot read it leaves, so that it does not fit. */
  readonly read?: (given: string) => unknown;
  /** Makes the loaded value of text, unless they are the same. */
  readonly load?: (value: string, places: SettingPlaces) => string | null;
  /** The range of a number. */
  readonly limits?: readonly [minimum: number, maximum: number];
  /** All values that fit. */
  readonly words?: readonly string[];
  readonly isAddress?: true;
  /** Logged as `set` or `not set`. */
  readonly isSecret?: true;
  /** Never set: it carries the type of the loaded value. */
  readonly loaded?: Loaded;
}

/** What paths are made absolute with. */
export interface SettingPlaces {
  dataDir: string;
  /** Expands `~` and starts relative paths where they are given. */
  resolve(path: string): string;
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
