/**
 * Ids: a prefix and 22 base-62 characters that sort in the order of creation (docs/contract.md#identifiers). They encode 128
 * bits: 48 of milliseconds and 80 random ones, which are incremented within a millisecond. Ids never decrease, neither when
 * the clock is set back nor between processes: `write` reads the last id from the database before it creates one.
 */
import { randomFillSync } from "node:crypto";

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
const BASE = 62n;
/** 62^7 fits a double exactly, so that most of the work uses plain numbers. */
const CHUNK = BASE ** 7n;
const CHUNK_LENGTH = 7;
const RANDOM_BITS = 80n;

const SHAPE = /^[a-z]{2,3}_[0-9A-Za-z]{22}$/;

/** Lower than the body of every id. */
export const LOWEST_ID_BODY = "0".repeat(BODY_LENGTH);

function encodeChunk(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let index = 0; index < length; index += 1) {
    const digit = rest % 62;
    text = ALPHABET[digit]! + text;
    rest = (rest - digit) / 62;
  }
  return text;
}

/** Encodes 128 bits as 22 characters that sort like the numbers. */
function encode(value: bigint): string {
  const low = Number(value % CHUNK);
  const middle = Number((value / CHUNK) % CHUNK);
  const rest = value / (CHUNK * CHUNK);
  const high = Number(rest % CHUNK);
  const top = Number(rest / CHUNK);
  return (
    encodeChunk(top, BODY_LENGTH - 3 * CHUNK_LENGTH) +
    encodeChunk(high, CHUNK_LENGTH) +
    encodeChunk(middle, CHUNK_LENGTH) +
    encodeChunk(low, CHUNK_LENGTH)
  );
}

function decode(body: string): bigint {
  let value = 0n;
  for (const character of body) value = value * BASE + BigInt(ALPHABET.indexOf(character));
  return value;
}

/** `body` plus `step`, in plain numbers, which takes a tenth of the time; undefined if more than its last characters change. */
function raiseLastChunk(body: string, step: number): string | undefined {
  let value = step;
  let weight = 1;
  for (let index = BODY_LENGTH - 1; index >= BODY_LENGTH - CHUNK_LENGTH; index -= 1) {
    value += digitOf(body.charCodeAt(index)) * weight;
    weight *= 62;
  }
  return value < weight ? body.slice(0, -CHUNK_LENGTH) + encodeChunk(value, CHUNK_LENGTH) : undefined;
}

/** The value of a character of the alphabet. */
function digitOf(code: number): number {
  if (code >= 97) return code - 61;
  return code >= 65 ? code - 55 : code - 48;
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
  return Number(decode(body) >> RANDOM_BITS);
}

export interface IdGenerator {
  /** A new id body, higher than all before it. */
  next(nowMs: number): string;
  /** Makes the next body higher than `body`. */
  raiseTo(body: string): void;
  /** The last body, created or set by `raiseTo`. */
  last(): string;
  /** The millisecond of the last body. */
  lastMs(): number;
}

const RANDOM_BYTES = 10;
/** For 400 ids at once: requesting ten random bytes costs more than the rest of an id. */
const POOL_BYTES = 4000;

/** Returns a function that returns 80 new random bits. */
function createRandomPool(): () => bigint {
  const pool = Buffer.alloc(POOL_BYTES);
  let offset = POOL_BYTES;
  return () => {
    if (offset === POOL_BYTES) {
      randomFillSync(pool);
      offset = 0;
    }
    const high = pool.readUInt16BE(offset);
    const low = pool.readBigUInt64BE(offset + 2);
    offset += RANDOM_BYTES;
    return (BigInt(high) << 64n) | low;
  };
}

/** Increments within a millisecond are random too, so that ids do not reveal how many documents there are. */
const STEP_MAX = 1 << 24;

export function createIdGenerator(): IdGenerator {
  const nextRandom = createRandomPool();
  let last = LOWEST_ID_BODY;
  let lastMs = 0;

  function raiseTo(body: string): void {
    if (body <= last) return;
    last = body;
    lastMs = msOfIdBody(body);
  }

  return {
    next(nowMs) {
      const fresh = nowMs > lastMs ? encode((BigInt(nowMs) << RANDOM_BITS) | nextRandom()) : LOWEST_ID_BODY;
      if (fresh > last) {
        last = fresh;
        lastMs = nowMs;
        return last;
      }
      const step = 1 + Math.floor(Math.random() * STEP_MAX);
      const raised = raiseLastChunk(last, step);
      if (raised === undefined) raiseTo(encode(decode(last) + BigInt(step)));
      else last = raised;
      return last;
    },
    raiseTo,
    last: () => last,
    lastMs: () => lastMs,
  };
}
