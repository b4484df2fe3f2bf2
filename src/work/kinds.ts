/** The kinds of due work beside documents: where each is stored, how long a claim is valid, and the delay until an attempt is repeated (docs/contract.md#webhook-schedule). */
import { deliveryWork } from "../../storage/webhooks/deliveries.ts";
import { filingCheckWork, surplusMarkWork } from "../../storage/documents/surplus-marks.ts";
import { mailWork } from "../../storage/documents/mails.ts";
import { pdfWork } from "../../storage/documents/document-substance.ts";
import { viesCheckWork } from "../../storage/merchants/customers.ts";
import type { WorkRow, WorkTable } from "../../storage/database/work.ts";
import type { Config } from "../config/config.ts";

export interface WorkKind<Row extends WorkRow, Scope extends object> {
  table: WorkTable<Row, Scope>;
  /** Longer than an attempt can take, so that only claims of dead processes expire. */
  leaseMs: number;
  /** Before each attempt, starting with the first. */
  delaysSeconds: readonly number[];
  /** How long it waits in any case. Time that only the clock jumped over does not count. */
  safetyMs: number;
  /** The longest pause outside the schedule, while a person is asked to act. */
  personMs: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Allows a delivery more than its timeout: for the claim, recording the result, and a busy machine. */
const DELIVERY_MARGIN_MS = 10_000;

/** Between calls of a provider: long enough for it to come back, or for a person to fix refused credentials. */
const PROVIDER_PAUSES = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];
const everyFourHours = (times: number): number[] => Array.from({ length: times }, () => 4 * HOUR);

const DEFAULTS = { leaseMs: 5 * MINUTE * 1000, safetyMs: 0, personMs: 0 };

/** Over two days in all, so that no mail is lost to a weekend's outage (docs/contract.md#mail). */
export const MAILS = {
  ...DEFAULTS,
  table: mailWork,
  delaysSeconds: [0, 30, 5 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 12 * HOUR, DAY],
};

/**
 * About four days in all. The first delay leaves sends the first turn at a provider that limits requests; the first request
 * only makes the provider begin; later ones outlast an outage of days.
 */
export const PROVIDER_PDFS = {
  ...DEFAULTS,
  table: pdfWork,
  delaysSeconds: [10, 15, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY, DAY],
};

/** The first one after the document became final (docs/contract.md#surplus-marks). */
export const FILING_CHECKS = {
  ...DEFAULTS,
  table: filingCheckWork,
  delaysSeconds: [10 * MINUTE, ...PROVIDER_PAUSES, ...everyFourHours(7)],
  safetyMs: 10 * MINUTE * 1000,
};

/** Cancellations, over several days, and lookups whether a person has cancelled a MARK. */
export const SURPLUS_MARKS = {
  ...DEFAULTS,
  table: surplusMarkWork,
  delaysSeconds: [0, ...PROVIDER_PAUSES, ...everyFourHours(25)],
  personMs: DAY * 1000,
};

/** Once a day at most, for a week. */
export const VIES_CHECKS = {
  ...DEFAULTS,
  table: viesCheckWork,
  delaysSeconds: [0, DAY, DAY, DAY, DAY, DAY, DAY],
};

/** docs/contract.md#webhook-schedule */
export function deliveriesOf({ webhooks }: Config) {
  return {
    ...DEFAULTS,
    table: deliveryWork,
    leaseMs: webhooks.timeoutSeconds * 1000 + DELIVERY_MARGIN_MS,
    delaysSeconds: webhooks.delaysSeconds,
  };
}

/** Every kind, as far as it is the same for all. */
export function allKinds(config: Config) {
  return [MAILS, PROVIDER_PDFS, FILING_CHECKS, SURPLUS_MARKS, VIES_CHECKS, deliveriesOf(config)];
}

/** Spreads out the retries of deliveries that failed together. */
const JITTER = 0.2;
/** `Retry-After` can extend a delay up to this factor. */
const RETRY_AFTER_FACTOR_MAX = 2;

export interface Failure {
  /** Attempts made so far: 1 after the first. */
  tries: number;
  /** Undefined if the response had none. */
  retryAfterMs: number | undefined;
  /** From 0 to 1. */
  random: number;
}

/**
 * Returns the milliseconds until the next attempt, or undefined once the schedule is exhausted. `delaysSeconds` are the delays
 * before each attempt, starting with the first. `Retry-After` is clamped to one to two times the delay, after the jitter, so
 * that no retry comes sooner than requested.
 */
export function nextDelayMs(
  { tries, retryAfterMs, random }: Failure,
  delaysSeconds: readonly number[],
): number | undefined {
  const seconds = delaysSeconds[tries];
  if (seconds === undefined) return undefined;
  const stepMs = seconds * 1000;
  const jitteredMs = Math.round(stepMs * (1 - JITTER + 2 * JITTER * random));
  if (retryAfterMs === undefined) return jitteredMs;
  const askedMs = Math.max(jitteredMs, retryAfterMs);
  return Math.min(Math.max(askedMs, stepMs), stepMs * RETRY_AFTER_FACTOR_MAX);
}

/** The longest that a retry may wait under this schedule. */
export function longestDelayMs(delaysSeconds: readonly number[]): number {
  return RETRY_AFTER_FACTOR_MAX * Math.max(...delaysSeconds) * 1000;
}

/** More than any attempts. Columns of attempts are integers of 32 bits. */
const ATTEMPTS_MAX = 2_147_483_647;

/**
 * The pause after each number of attempts. More attempts than the schedule has, after an unexpected failure or under an earlier
 * schedule, wait as long as its last.
 */
export function pausesOf(delaysSeconds: readonly number[]) {
  return delaysSeconds.map((seconds, attemptsMin) => ({
    attemptsMin,
    attemptsMax: attemptsMin === delaysSeconds.length - 1 ? ATTEMPTS_MAX : attemptsMin,
    pauseMs: seconds * 1000,
  }));
}
