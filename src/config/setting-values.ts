/** Checks the values of settings, describes what is valid, and parses values from the environment. */
import { isIP } from "node:net";
import { EMAIL_REGEX } from "valibot";
import type { SettingKind, SettingValue } from "../foundation/setting.ts";
import type { Text } from "../foundation/text.ts";

const PAUSE_SECONDS_MAX = 30 * 86_400;
/** Limit for lists, to catch mistakes. */
const ITEMS_MAX = 50;
/** RFC 9110, section 5.6.2; empty for none. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

const PERMISSIONS = /^0?[0-7]{3}$/;
/** In `server.trusted_proxies`: callers through the socket file. */
export const UNIX_PEER = "unix";

/** Whether a setting of this kind may have the value. */
export function fits(value: unknown, kind: SettingKind): value is SettingValue {
  switch (kind.kind) {
    case "text":
      return typeof value === "string" && (kind.mayBeEmpty || value !== "");
    case "header":
      return typeof value === "string" && HEADER_NAME.test(value);
    case "word":
      return typeof value === "string" && kind.words.includes(value);
    case "integer":
      return Number.isSafeInteger(value) && isWithin(value, kind.minimum, kind.maximum);
    case "flag":
      return typeof value === "boolean";
    case "seconds":
      return isList(value, 1) && value.every((item) => isWithin(item, 0, PAUSE_SECONDS_MAX));
    case "networks":
      return (
        isList(value, 0) && value.every((item) => isNetwork(item) || (kind.mayBeUnix && item === UNIX_PEER))
      );
    case "emails":
      return isList(value, 0) && value.every((item) => typeof item === "string" && EMAIL_REGEX.test(item));
    case "permissions":
      return typeof value === "string" && PERMISSIONS.test(value);
    case "schedule":
      return value === "" || (typeof value === "string" && isCron(value));
    case "url":
      return value === "" ? kind.mayBeEmpty : isHttpAddress(value);
    case "path":
      return typeof value === "string";
  }
}

/** Continues "must be"; never contains the given value, which may be a secret. */
export function describeKind(kind: SettingKind): Text {
  switch (kind.kind) {
    case "text":
      return kind.mayBeEmpty
        ? { en: "text", el: "κείμενο" }
        : { en: "text that is not empty", el: "κείμενο που δεν είναι κενό" };
    case "path":
      return { en: "text", el: "κείμενο" };
    case "header":
      return { en: "the name of an HTTP header", el: "όνομα κεφαλίδας HTTP" };
    case "word":
      return { en: `one of ${kind.words.join(", ")}`, el: `ένα από τα ${kind.words.join(", ")}` };
    case "integer":
      return {
        en: `a whole number from ${kind.minimum} to ${kind.maximum}`,
        el: `ακέραιος αριθμός από ${kind.minimum} έως ${kind.maximum}`,
      };
    case "flag":
      return { en: "true or false", el: "true ή false" };
    case "seconds":
      return {
        en: `a list of 1 to ${ITEMS_MAX} pauses, each from 0 to ${PAUSE_SECONDS_MAX} seconds`,
        el: `λίστα με 1 έως ${ITEMS_MAX} παύσεις, από 0 έως ${PAUSE_SECONDS_MAX} δευτερόλεπτα η καθεμία`,
      };
    case "networks": {
      const unix = kind.mayBeUnix ? `"${UNIX_PEER}"` : undefined;
      return {
        en: `a list of addresses, or networks like 10.0.0.0/8${unix === undefined ? "" : `, or ${unix}`}, at most ${ITEMS_MAX}`,
        el: `λίστα με διευθύνσεις ή δίκτυα όπως 10.0.0.0/8${unix === undefined ? "" : ` ή ${unix}`}, έως ${ITEMS_MAX}`,
      };
    }
    case "emails":
      return {
        en: `a list of email addresses, at most ${ITEMS_MAX}`,
        el: `λίστα με διευθύνσεις email, έως ${ITEMS_MAX}`,
      };
    case "permissions":
      return {
        en: 'the permissions of a file in octal, like "0660"',
        el: 'δικαιώματα αρχείου σε οκταδική μορφή, όπως "0660"',
      };
    case "schedule":
      return {
        en: 'five fields of cron in numbers, like "30 3 * * *", or empty',
        el: 'πέντε πεδία cron με αριθμούς, όπως "30 3 * * *", ή κενό',
      };
    case "url":
      return {
        en: "an address that starts with http:// or https://, without user name, password, query or fragment",
        el: "διεύθυνση που αρχίζει με http:// ή https://, χωρίς όνομα χρήστη, κωδικό, παραμέτρους ή fragment",
      };
  }
}

function isWithin(value: unknown, minimum: number, maximum: number): boolean {
  return typeof value === "number" && value >= minimum && value <= maximum;
}

function isList(value: unknown, least: number): value is unknown[] {
  return Array.isArray(value) && value.length >= least && value.length <= ITEMS_MAX;
}

function isNetwork(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const [address = "", prefix, ...rest] = value.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

function isHttpAddress(value: unknown): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const url = new URL(value);
  const isBare = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return (url.protocol === "http:" || url.protocol === "https:") && isBare;
}

/** Parses a value from the environment: numbers in digits, true or false, lists separated by commas or as JSON. */
export function readEnvironmentText(given: string, kind: SettingKind): unknown {
  switch (kind.kind) {
    case "integer":
      return numberOf(given.trim());
    case "flag":
      return flagOf(given.trim());
    case "seconds":
      return listOf(given).map((item) => (typeof item === "string" ? numberOf(item) : item));
    case "networks":
    case "emails":
      return listOf(given);
    default:
      return given;
  }
}

/** The number, or the unchanged text, which `fits` then rejects. */
function numberOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The flag, or the unchanged text, which `fits` then rejects. */
function flagOf(text: string): boolean | string {
  return ["true", "false"].includes(text) ? text === "true" : text;
}

function listOf(given: string): unknown[] {
  if (given.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON, so separated by commas.
  }
  return given.split(",").map((item) => item.trim());
}

/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const ITEM = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** Whether `text` has the five numeric fields of `man 5 crontab`: `30 3 * * *` is every day at 3:30. */
export function isCron(text: string): boolean {
  const fields = text.trim().split(/\s+/);
  return (
    fields.length === RANGES.length &&
    fields.every((field, at) => {
      const [minimum, maximum] = RANGES[at]!;
      return field.split(",").every((item) => isWithinField(item, minimum, maximum));
    })
  );
}

function isWithinField(item: string, minimum: number, maximum: number): boolean {
  const found = ITEM.exec(item);
  if (found === null) return false;
  const [, first, last, step] = found;
  const from = first === undefined ? minimum : Number(first);
  const to = last === undefined ? from : Number(last);
  if (step !== undefined) {
    const isRange = first === undefined || last !== undefined;
    if (!isRange || Number(step) < 1 || Number(step) > maximum) return false;
  }
  return from >= minimum && to <= maximum && from <= to;
}
