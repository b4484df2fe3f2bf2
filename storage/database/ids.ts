/**
 * Ids: a prefix and 22 base-62 characters that sort in the order of creation (docs/contract.md#identifiers). They encode 128
 * bits: 48 of milliseconds and 80 random ones, which are incremented within a millisecond. Ids never decrease, neither when
 * the clock is set back nor between processes: `write` reads the last id from the database before it creates one.
 */
import { randomBytes } from "node:crypto";

export const ID_PREFIXES = [
  "doc",
  "mer",
  "con",
  "evt",
  "pcl",
  "rql",
  "cs",
  "we",
  "whd",
  "key",
  "ser",
  "eml",
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 22;
const BASE = BigInt(ALPHABET.length);
/** 62^8 fits a double exactly, so that most of the work uses plain numbers, which takes a tenth of the time. */
const CHUNK_LENGTH = 8;
const CHUNK = BASE ** 8n;
const RANDOM_BITS = 80n;

const SHAPE = /^[a-z]{2,3}_[0-9A-Za-z]{22}$/;

/** Lower than the body of every id. */
export const LOWEST_ID_BODY = "0".repeat(BODY_LENGTH);

/** Encodes 128 bits as 22 characters that sort like the numbers. */
function encode(value: bigint): string {
  let text = "";
  for (let rest = value; text.length < BODY_LENGTH; rest /= CHUNK) {
    let chunk = Number(rest % CHUNK);
    for (let index = 0; index < CHUNK_LENGTH; index += 1) {
      text = ALPHABET[chunk % ALPHABET.length]! + text;
      chunk = Math.floor(chunk / ALPHABET.length);
    }
  }
  return text.slice(-BODY_LENGTH);
}

function decode(body: string): bigint {
  let value = 0n;
  for (const character of body) value = value * BASE + BigInt(ALPHABET.indexOf(character));
  return value;
}

/** Whether `text` has the form of an id with `prefix`. */
export function isId(text: string, prefix: IdPrefix): boolean {
  return SHAPE.test(text) && text.startsWith(`${prefix}_`);
}

/** The lowest body of ids created at `ms` or later. Converts a range of instants to a range of ids. */
export function idBodyAt(ms: number): string {
  return encode(BigInt(Math.max(0, ms)) << RANDOM_BITS);
}

/** The millisecond in which a body was created; after the clock was set back, the highest one before. */
export function msOfIdBody(body: string): number {
  return msOf(decode(body));
}

const msOf = (bits: bigint) => Number(bits >> RANDOM_BITS);

export interface IdGenerator {
  /** A new id body, higher than all before it. */
  next(nowMs: number): string;
  raiseTo(body: string): void;
  /** The last body, created or set by `raiseTo`. */
  last(): string;
  lastMs(): number;
}

const newRandom = () => BigInt(`0x${randomBytes(10).toString("hex")}`);

/** Increments within a millisecond are random too, so that ids do not reveal how many documents there are. */
const STEP_MAX = 1 << 24;

export function createIdGenerator(): IdGenerator {
  let last = LOWEST_ID_BODY;
  let bits = 0n;
  let lastMs = 0;

  return {
    next(nowMs) {
      const step = 1 + Math.floor(Math.random() * STEP_MAX);
      bits = nowMs > lastMs ? (BigInt(nowMs) << RANDOM_BITS) | newRandom() : bits + BigInt(step);
      last = encode(bits);
      lastMs = msOf(bits);
      return last;
    },
    raiseTo(body) {
      if (body <= last) return;
      last = body;
      bits = decode(body);
      lastMs = msOf(bits);
    },
    last: () => last,
    lastMs: () => lastMs,
  };
}
