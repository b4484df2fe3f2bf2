/** What a setting may be, and how its value is written in the environment. */
import { isIP } from "node:net";
import { isCron } from "../foundation/cron-fields.ts";
import type { SettingKind, SettingValue } from "../foundation/setting.ts";

const PAUSE_SECONDS_MAX = 30 * 86_400;
/** Of pauses and of networks: nobody needs more, and a slip of the pen ends here. */
const ITEMS_MAX = 50;
/** RFC 9110, section 5.6.2; empty for none. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]*$/;

const PERMISSIONS = /^0?[0-7]{3}$/;
/** In `server.trusted_proxies`: whoever comes by the socket file. */
export const UNIX_PEER = "unix";

/** Whether `value` is one that the setting may have. */
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
    case "seconds":
      return isList(value, 1) && value.every((item) => isWithin(item, 0, PAUSE_SECONDS_MAX));
    case "networks":
      return (
        isList(value, 0) && value.every((item) => isNetwork(item) || (kind.mayBeUnix && item === UNIX_PEER))
      );
    case "permissions":
      return typeof value === "string" && PERMISSIONS.test(value);
    case "schedule":
      return value === "" || (typeof value === "string" && isCron(value));
    case "url":
      return value === "" ? kind.mayBeEmpty : isHttpAddress(value);
  }
}

/** After "must be": says what fits, and never what was given, which may be a secret. */
export function describeKind(kind: SettingKind): string {
  switch (kind.kind) {
    case "text":
      return kind.mayBeEmpty ? "text" : "text that is not empty";
    case "header":
      return "the name of an HTTP header";
    case "word":
      return `one of ${kind.words.join(", ")}`;
    case "integer":
      return `a whole number from ${kind.minimum} to ${kind.maximum}`;
    case "seconds":
      return `a list of 1 to ${ITEMS_MAX} pauses, each from 0 to ${PAUSE_SECONDS_MAX} seconds`;
    case "networks":
      return `a list of addresses, or networks like 10.0.0.0/8${kind.mayBeUnix ? `, or "${UNIX_PEER}"` : ""}, at most ${ITEMS_MAX}`;
    case "permissions":
      return 'the permissions of a file in octal, like "0660"';
    case "schedule":
      return 'five fields of cron in numbers, like "30 3 * * *", or empty';
    case "url":
      return "an address that starts with http:// or https://, without user name, password, query or fragment";
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

/** A value as the environment writes it: numbers in digits, lists separated by commas or as JSON. */
export function readEnvironmentText(given: string, kind: SettingKind): unknown {
  switch (kind.kind) {
    case "integer":
      return numberOf(given.trim());
    case "seconds":
      return listOf(given).map((item) => (typeof item === "string" ? numberOf(item) : item));
    case "networks":
      return listOf(given);
    default:
      return given;
  }
}

/** The number, or the text as it was, which then does not fit. */
function numberOf(text: string): number | string {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function listOf(given: string): unknown[] {
  if (given.trim() === "") return [];
  try {
    const parsed: unknown = JSON.parse(given);
    if (Array.isArray(parsed)) return parsed;
  } catch {
    // Not JSON, so the other way of writing it.
  }
  return given.split(",").map((item) => item.trim());
}
