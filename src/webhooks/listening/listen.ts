/**
 * Sends events to a receiver on the developer's machine as they happen, signed as for an endpoint, but without an
 * endpoint, a server or a public address. Events are sent one by one, each until the receiver accepts it, so none is lost while
 * the receiver is down, failing or being changed.
 */
import type { EventType, Mode } from "../../../storage/stored-values.ts";
import type { Context } from "../../journal/context.ts";
import { unlessNotFound } from "../../foundation/errors.ts";
import { type EventObject, followEvents, getEvent, listEvents } from "../../journal/event-object.ts";
import { pause } from "../../foundation/pages.ts";
import { signatureHeaders } from "../signature.ts";
import { openCursor, type Cursor, lastResend, readResends } from "./listen-files.ts";
import type { FailureClass } from "../endpoint-object.ts";
import { createSender, isAccepted, type Post, type Sender } from "../sender.ts";

/** Where to start. `resume` continues where the last listener of this mode and URL stopped; without one it is `now`. */
export type ListenStart = "resume" | "now" | "first" | { after: string };

export interface ListenOptions {
  /** http or https. */
  url: URL;
  secret: string;
  /** Undefined means all types. */
  types?: readonly EventType[] | undefined;
  start: ListenStart;
  /** Stops listening. An attempt in progress counts as failed and is repeated next time. */
  signal: AbortSignal;
  intervalMs: number;
  /** Called once before anything is sent, with the event to continue after; null means from the very first event. */
  onBegin(begin: { after: string | null; isResumed: boolean }): Promise<void>;
  onAttempt(attempt: Attempt): Promise<void>;
  /** The delay after a number of failures of one event. */
  retryDelayMs?: (failures: number) => number;
}

export interface Attempt extends PostedOnce {
  event: EventObject;
  /** Counts from 1 for each event. */
  number: number;
  /** Whether it was sent because of a resend request. */
  isResent: boolean;
}

const CONNECTIONS_MAX = 16;
const RETRY_MS_FIRST = 250;
const RETRY_MS_MAX = 10_000;

/** 250 ms, doubling up to 10 s: quick for a receiver that restarts, gentle for one that stays away. */
export function listenRetryDelayMs(failures: number): number {
  return Math.min(RETRY_MS_MAX, RETRY_MS_FIRST * 2 ** (failures - 1));
}

/** Runs until the signal is aborted. Throws `not_found` if the start is not an event of the mode. */
export async function listen(context: Context, mode: Mode, options: ListenOptions): Promise<void> {
  const cursor = openCursor(context.config.dataDir, mode, options.url.href);
  const isResumed = options.start === "resume" && cursor.position() !== undefined;
  if (!isResumed) await placeCursor(context, mode, cursor, options.start);
  await options.onBegin({ after: positionOf(cursor).after, isResumed });
  const timeoutMs = context.config.webhooks.timeoutSeconds * 1000;
  const sender = createSender({ timeoutMs, connections: CONNECTIONS_MAX });
  const broken = new AbortController();
  const signal = AbortSignal.any([options.signal, broken.signal]);
  const work: Work = { context, mode, options: { ...options, signal }, cursor, sender };
  // If one of the two fails, the other ends before the error is thrown.
  const stopBoth = (error: unknown): never => {
    broken.abort();
    throw error;
  };
  try {
    const ends = await Promise.allSettled([
      forwardNew(work).catch(stopBoth),
      forwardResent(work).catch(stopBoth),
    ]);
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  } finally {
    await sender.close();
  }
}

interface Work {
  context: Context;
  mode: Mode;
  options: ListenOptions;
  cursor: Cursor;
  sender: Sender;
}

function positionOf(cursor: Cursor): { after: string | null; resends: number } {
  const position = cursor.position();
  if (position === undefined) throw new Error("A listener began without a position");
  return position;
}

/** Stores the start position before anything is sent, so that later events are not lost even if the receiver never accepts one. */
async function placeCursor(context: Context, mode: Mode, cursor: Cursor, start: ListenStart): Promise<void> {
  const resends = await lastResend(context.store.read);
  cursor.move({ after: await startOf(context, mode, start), resends });
}

async function startOf(context: Context, mode: Mode, start: ListenStart): Promise<string | null> {
  if (start === "first") return null;
  // Throws for an unknown event or one of the other mode, probably a typing error.
  if (typeof start === "object") return (await getEvent(context, mode, start.after)).id;
  const { data } = await listEvents(context, mode, { limit: 1 });
  return data[0]?.id ?? null;
}

async function forwardNew(work: Work): Promise<void> {
  const { context, mode, options, cursor } = work;
  const events = followEvents(context, mode, {
    after: positionOf(cursor).after ?? undefined,
    type: options.types,
    signal: options.signal,
    intervalMs: options.intervalMs,
  });
  for await (const event of events) {
    if (!(await sendUntilAccepted(work, event, false))) return;
    cursor.move({ after: event.id });
  }
}

async function forwardResent(work: Work): Promise<void> {
  const { context, mode, options, cursor } = work;
  while (!options.signal.aborted) {
    const from = positionOf(cursor).resends;
    const { requests, last } = await readResends(context.store.read, from);
    for (const { mode: ofMode, eventId, number } of requests) {
      // Retention may have deleted it.
      const event = ofMode === mode ? await unlessNotFound(getEvent(context, mode, eventId)) : undefined;
      const isWanted = event !== undefined && (options.types?.includes(event.type) ?? true);
      if (isWanted && !(await sendUntilAccepted(work, event, true))) return;
      cursor.move({ resends: number });
    }
    if (last === from) await pause(options.intervalMs, options.signal);
    else cursor.move({ resends: last });
  }
}

/**
 * Returns whether the receiver accepted it; false if interrupted before. Each attempt is signed again, because receivers refuse old
 * timestamps.
 */
async function sendUntilAccepted(work: Work, event: EventObject, isResent: boolean): Promise<boolean> {
  const { context, mode, sender, options } = work;
  const { signal, onAttempt, retryDelayMs = listenRetryDelayMs } = options;
  const body = JSON.stringify(event);
  for (let number = 1; !signal.aborted; number += 1) {
    const atSeconds = Math.floor(context.clock.nowMs() / 1000);
    const headers = signatureHeaders([options.secret], { id: event.id, body, atSeconds });
    const outcome = await postOnce(sender, { mode, url: options.url.href, headers, body }, signal);
    if (outcome === undefined) return false;
    await onAttempt({ ...outcome, event, number, isResent });
    if (outcome.error === null) return true;
    await pause(retryDelayMs(number), signal);
  }
  return false;
}

export interface PostedOnce {
  /** Null if there was no response. */
  status: number | null;
  /** Null if the receiver accepted it with any 2xx. */
  error: FailureClass | null;
  durationMs: number;
}

export async function postOnce(
  sender: Sender,
  post: Post,
  signal: AbortSignal,
): Promise<PostedOnce | undefined> {
  const started = performance.now();
  const outcome = await sender.post(post, signal);
  const durationMs = Math.round(performance.now() - started);
  if (outcome.kind === "stopped") return undefined;
  if (outcome.kind === "unanswered") return { status: null, error: outcome.failure, durationMs };
  return { status: outcome.status, error: isAccepted(outcome) ? null : "http", durationMs };
}
