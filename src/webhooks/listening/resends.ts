/**
 * Events that were asked for again. The deliveries of a resend go to endpoints, and a listener has none: so what is
 * resent to all is noted here too, one line each in the order of asking, and listeners read on from where they were.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MODES, type Mode } from "../../../storage/schema.ts";
import { hasCode, listeningFolder, writeOwnFile } from "./folder.ts";

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ mode: v.picklist(MODES), event: v.string() }),
);

/** A line is some 60 bytes: a thousand at a time. */
const READ_BYTES_MAX = 64 * 1024;
const LINE_FEED = 0x0a;

function fileOf(dataDir: string): string {
  return join(listeningFolder(dataDir), "resends.ndjson");
}

/** Tells the listeners of this data directory. Where there never was one, nothing is written. */
export function noteResend(dataDir: string, mode: Mode, eventId: string): void {
  if (!existsSync(listeningFolder(dataDir))) return;
  // Short lines appended in one write do not mix, whoever else appends.
  writeOwnFile(fileOf(dataDir), `${JSON.stringify({ mode, event: eventId })}\n`, "a");
}

export interface ResendRequest {
  mode: Mode;
  eventId: string;
  /** The bytes up to the end of this request: where to read on once it is done. */
  through: number;
}

/** The bytes noted so far: where a listener begins that wants only what comes. */
export function resendsNoted(dataDir: string): number {
  return withFile(dataDir, (handle) => fstatSync(handle).size) ?? 0;
}

export interface ResendBatch {
  /** Of every mode, oldest first. */
  requests: ResendRequest[];
  /** Where to read on once all of them are done; `from` itself when there was nothing. */
  through: number;
}

/**
 * The requests behind `from` bytes: some of them where there are many. A list that has become shorter was deleted and begun
 * again, and is read from its beginning.
 */
export function readResends(dataDir: string, from: number): ResendBatch {
  const batch = withFile(dataDir, (handle) => readLines(handle, fstatSync(handle).size < from ? 0 : from));
  return batch ?? { requests: [], through: from };
}

function withFile<T>(dataDir: string, use: (handle: number) => T): T | undefined {
  let handle: number;
  try {
    handle = openSync(fileOf(dataDir), "r");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
  try {
    return use(handle);
  } finally {
    closeSync(handle);
  }
}

function readLines(handle: number, start: number): ResendBatch {
  const buffer = Buffer.alloc(READ_BYTES_MAX);
  const bytes = buffer.subarray(0, readSync(handle, buffer, 0, READ_BYTES_MAX, start));
  const requests: ResendRequest[] = [];
  let begin = 0;
  // What has no line feed yet is still being written.
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, begin)) {
    const line = v.safeParse(LineSchema, bytes.toString("utf8", begin, end));
    begin = end + 1;
    // A line that was torn when the machine lost its power names no event any more.
    if (!line.success) continue;
    requests.push({ mode: line.output.mode, eventId: line.output.event, through: start + begin });
  }
  return { requests, through: start + begin };
}
