/** The kinds of settings, each with the values that it takes and how they are read. Loading, config.example.toml and docs/configuration.md use them. */
import { isIP } from "node:net";
import { join } from "node:path";
import { EMAIL_REGEX } from "valibot";
import type { Setting, SettingPlaces } from "./setting.ts";
import type { Text } from "./text.ts";

const TEXT: Text = { en: "text", el: "κείμενο" };

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/** Text; may be empty if its default is. */
export function text(value: string, doc: string): Setting<string> {
  if (value === "") return { default: value, doc, fits: isText, valid: TEXT };
  const valid = { en: "text that is not empty", el: "κείμενο που δεν είναι κενό" };
  return { default: value, doc, fits: (given) => isText(given) && given !== "", valid };
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
  const valid = { en: `one of ${words.join(", ")}`, el: `ένα από τα ${words.join(", ")}` };
  return { default: value, doc, fits: (given) => isText(given) && words.includes(given), valid, words };
}

function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}

function readNumber(given: string): number | string {
  return /^\d+(\.\d+)?$/.test(given) ? Number(given) : given;
}

export function integer(value: number, minimum: number, maximum: number, doc: string): Setting<number> {
  return {
    default: value,
    doc,
    fits: (given) => Number.isSafeInteger(given) && isWithin(given, minimum, maximum),
    valid: {
      en: `a whole number from ${minimum} to ${maximum}`,
      el: `ακέραιος αριθμός από ${minimum} έως ${maximum}`,
    },
    read: (given) => readNumber(given.trim()),
    limits: [minimum, maximum],
  };
}

export function flag(value: boolean, doc: string): Setting<boolean> {
  return {
    default: value,
    doc,
    fits: (given) => typeof given === "boolean",
    valid: { en: "true or false", el: "true ή false" },
    read: (given) => ({ true: true, false: false })[given.trim()] ?? given,
  };
}

/** Limit for lists, to catch mistakes. */
const ITEMS_MAX = 50;

/** `what` names the items. From the environment they are separated by commas, or JSON. */
function list<Item>(
  value: readonly Item[],
  doc: string,
  isItem: (item: unknown) => boolean,
  what: Text,
): Setting<readonly Item[]> & Pick<Required<Setting>, "read"> {
  return {
    default: value as readonly string[],
    doc,
    fits: (given) => Array.isArray(given) && given.length <= ITEMS_MAX && given.every(isItem),
    valid: {
      en: `a list of ${what.en}, at most ${ITEMS_MAX}`,
      el: `λίστα με ${what.el}, έως ${ITEMS_MAX}`,
    },
    read: readList,
  };
}

function readList(given: string): unknown[] {
  if (given.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON, so separated by commas.
  }
  return given.split(",").map((item) => item.trim());
}

const PAUSE_SECONDS_MAX = 30 * 86_400;

/** A list of pauses, at least one. */
export function seconds(value: readonly number[], doc: string): Setting<readonly number[]> {
  const setting = list(value, doc, (item) => isWithin(item, 0, PAUSE_SECONDS_MAX), {
    en: `pauses, each from 0 to ${PAUSE_SECONDS_MAX} seconds, at least one`,
    el: `παύσεις, από 0 έως ${PAUSE_SECONDS_MAX} δευτερόλεπτα η καθεμία, τουλάχιστον μία`,
  });
  return {
    ...setting,
    fits: (given) => setting.fits(given) && (given as unknown[]).length > 0,
    read: (given) => readList(given).map((item) => (isText(item) ? readNumber(item) : item)),
  };
}

/** In a list of networks: callers through the socket file. */
export const UNIX_PEER = "unix";

function isNetwork(value: unknown): boolean {
  if (!isText(value)) return false;
  const [address = "", prefix, ...rest] = value.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/** A list of addresses or networks; with `mayBeUnix` also UNIX_PEER. */
export function networks(doc: string, { mayBeUnix = false } = {}): Setting<readonly string[]> {
  const [orEn, orEl] = mayBeUnix ? [`, or "${UNIX_PEER}"`, ` ή "${UNIX_PEER}"`] : ["", ""];
  return list<string>([], doc, (item) => isNetwork(item) || (mayBeUnix && item === UNIX_PEER), {
    en: `addresses, or networks like 10.0.0.0/8${orEn}`,
    el: `διευθύνσεις ή δίκτυα όπως 10.0.0.0/8${orEl}`,
  });
}

export function emails(doc: string): Setting<readonly string[]> {
  return list<string>([], doc, (item) => isText(item) && EMAIL_REGEX.test(item), {
    en: "email addresses",
    el: "διευθύνσεις email",
  });
}

/** A text that must match `form`. */
function formed(value: string, doc: string, form: RegExp, valid: Text): Setting<string> {
  return { default: value, doc, fits: (given) => isText(given) && form.test(given), valid };
}

/** RFC 9110, section 5.6.2; empty for none. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

/** The name of an HTTP header, or empty; loaded in lower case. */
export function header(doc: string): Setting<string> {
  const valid = { en: "the name of an HTTP header", el: "όνομα κεφαλίδας HTTP" };
  return { ...formed("", doc, HEADER_NAME, valid), load: (value) => value.toLowerCase() };
}

/** Permissions of a file in octal. */
export function permissions(value: string, doc: string): Setting<string> {
  return formed(value, doc, /^0?[0-7]{3}$/, {
    en: 'the permissions of a file in octal, like "0660"',
    el: 'δικαιώματα αρχείου σε οκταδική μορφή, όπως "0660"',
  });
}

/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */
const CRON_FIELDS = [
  "[0-5]?[0-9]",
  "(?:[01]?[0-9]|2[0-3])",
  "(?:0?[1-9]|[12][0-9]|3[01])",
  "(?:0?[1-9]|1[0-2])",
  "0?[0-7]",
].map((number) => {
  const step = `(?:/(?!0+(?:[,\\s]|$))${number})?`;
  const item = `(?:\\*${step}|${number}-${number}${step}|${number})`;
  return `${item}(?:,${item})*`;
});
const CRON = new RegExp(`^${CRON_FIELDS.join("\\s+")}$`);

/**
 * Whether `given` has the five numeric fields of `man 5 crontab`: `30 3 * * *` is every day at 3:30. Not by the library that runs
 * schedules: every command reads the settings, and would load it.
 */
export function isCron(given: string): boolean {
  const ranges = [...given.matchAll(/(\d+)-(\d+)/g)];
  return CRON.test(given.trim()) && ranges.every(([, from, to]) => Number(from) <= Number(to));
}

/** A cron expression of five fields, or empty for never. */
export function schedule(doc: string): Setting<string> {
  return {
    default: "",
    doc,
    fits: (given) => given === "" || (isText(given) && isCron(given)),
    valid: {
      en: 'five fields of cron in numbers, like "30 3 * * *", or empty',
      el: 'πέντε πεδία cron με αριθμούς, όπως "30 3 * * *", ή κενό',
    },
  };
}

function isHttpAddress(value: unknown): boolean {
  if (!isText(value) || !URL.canParse(value)) return false;
  const { protocol, username, password, search, hash } = new URL(value);
  return ["http:", "https:"].includes(protocol) && `${username}${password}${search}${hash}` === "";
}

/** An http or https address; may be empty if its default is. `isBase` removes slashes at its end. */
export function url(value: string, doc: string, { isBase = false } = {}): Setting<string> {
  return {
    default: value,
    doc,
    fits: (given) => (given === "" ? value === "" : isHttpAddress(given)),
    valid: {
      en: "an address that starts with http:// or https://, without user name, password, query or fragment",
      el: "διεύθυνση που αρχίζει με http:// ή https://, χωρίς όνομα χρήστη, κωδικό, παραμέτρους ή fragment",
    },
    load: (given) => (isBase ? given.replace(/\/+$/, "") : given),
    isAddress: true,
  };
}

function path<Empty extends string | null>(
  doc: string,
  empty: (places: SettingPlaces) => Empty,
): Setting<string | Empty> {
  const load = (value: string, places: SettingPlaces) =>
    value === "" ? empty(places) : places.resolve(value);
  return { default: "", doc, fits: isText, valid: TEXT, load };
}

/** A path; `name` in the data directory when empty. */
export function pathInDataDir(name: string, doc: string): Setting<string> {
  return path(doc, ({ dataDir }) => join(dataDir, name));
}

/** A path; stays empty when empty. */
export function optionalPath(doc: string): Setting<string> {
  return path(doc, () => "");
}

/** A path; null when empty. */
export function pathOrNull(doc: string): Setting<string | null> {
  return path(doc, () => null);
}
