/**
 * Ids: a prefix and 22 base-62 characters, which sort as they were made. The 128 bits are 48 of milliseconds and 80
 * that start at random and count on within a millisecond. The generator never goes back: not when the clock does, and
 * not behind the last id of another process, which `write` reads from the file before it hands out the first one.
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
] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 22;
const BASE = 62n;
/** 62^7 still fits a double exactly, so that most of the work is done on plain numbers. */
const CHUNK = BASE ** 7n;
const CHUNK_LENGTH = 7;
const RANDOM_BITS = 80n;

const SHAPE = /^[a-z]{2,3}_[0-9A-Za-z]{22}$/;

/** The smallest body there is: below every id. */
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

/** 128 bits as 22 characters that sort as the numbers do. */
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

/** Whether `text` is an id of `prefix`: its form only, not that it names anything. */
export function isId(text: string, prefix: IdPrefix): boolean {
  return SHAPE.test(text) && text.startsWith(`${prefix}_`);
}

/** The lowest body that an id made at `ms` or later has: turns a range of instants into a range of ids. */
export function idBodyAt(ms: number): string {
  return encode(BigInt(Math.max(0, ms)) << RANDOM_BITS);
}

/** The millisecond at which a body was made; where a clock was set back, the latest one before. */
export function msOfIdBody(body: string): number {
  return Number(decode(body) >> RANDOM_BITS);
}

export interface IdGenerator {
  /** A new id body, above every one before it. */
  next(nowMs: number): string;
  /** Goes on above `body`, the last one that anybody handed out. */
  raiseTo(body: string): void;
  /** The last body handed out or raised to. */
  last(): string;
  /** The millisecond of the last body. */
  lastMs(): number;
}

const RANDOM_BYTES = 10;
/** Asking the system for ten bytes costs more than all the rest of an id: enough for four hundred are asked for at once. */
const POOL_BYTES = 4000;

/** 80 random bits, each time others. */
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

/** The steps within a millisecond are random too, so that ids do not tell how many documents there are. */
const STEP_MAX = 1 << 24;

export function createIdGenerator(): IdGenerator {
  const nextRandom = createRandomPool();
  let last = 0n;
  let lastBody = LOWEST_ID_BODY;
  return {
    next(nowMs) {
      const fresh = (BigInt(nowMs) << RANDOM_BITS) | nextRandom();
      const sameMs = fresh >> RANDOM_BITS <= last >> RANDOM_BITS;
      last = sameMs ? last + 1n + BigInt(Math.floor(Math.random() * STEP_MAX)) : fresh;
      lastBody = encode(last);
      return lastBody;
    },
    raiseTo(body) {
      if (body <= lastBody) return;
      last = decode(body);
      lastBody = body;
    },
    last: () => lastBody,
    lastMs: () => Number(last >> RANDOM_BITS),
  };
}
