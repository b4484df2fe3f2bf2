/**
 * The list of resend requests for listeners. The deliveries of a resend go to endpoints, and a listener has none, so
 * events resent to all endpoints are recorded here too, one per line, and listeners continue reading from their position.
 *
 * The list is split into parts, of which the two newest are kept: `resends.ndjson`, then `resends-1.ndjson` and so on. A
 * position is one number, composed of the part and the byte offset within it. A listener that missed more than two parts
 * continues with the oldest existing one.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MODES, type Mode } from "../../../storage/stored-values.ts";
import { writePrivateFile } from "../../../storage/files/private-file.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { listeningFolder } from "./listen-files.ts";

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ mode: v.picklist(MODES), event: v.string() }),
);

/** About a thousand lines of 60 bytes. */
const READ_BYTES_MAX = 64 * 1024;
const LINE_FEED = 0x0a;

/** More than ten thousand requests, far more than arrive between two reads of a listener. */
const PART_BYTES_MAX = 1024 * 1024;
/** Parts stay far below this size, so that part and offset can be separated again. */
const POSITIONS_PER_PART = 2 ** 32;
const PART_FORM = /^resends(?:-([1-9]\d{0,5}))?\.ndjson$/;

function fileOf(dataDir: string, part: number): string {
  return join(listeningFolder(dataDir), part === 0 ? "resends.ndjson" : `resends-${part}.ndjson`);
}

/** The existing parts, oldest first. */
function partsOf(dataDir: string): number[] {
  const folder = listeningFolder(dataDir);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => {
    const form = PART_FORM.exec(name);
    return form === null ? [] : [Number(form[1] ?? 0)];
  });
  return found.sort((left, right) => left - right);
}

/** Records a request for the listeners of this data directory. Does nothing if there has never been a listener. */
export function noteResend(dataDir: string, mode: Mode, eventId: string): void {
  if (!existsSync(listeningFolder(dataDir))) return;
  const parts = partsOf(dataDir);
  const newest = parts.at(-1) ?? 0;
  const size = statSync(fileOf(dataDir, newest), { throwIfNoEntry: false })?.size ?? 0;
  const part = size < PART_BYTES_MAX ? newest : newest + 1;
  // Short lines appended in one write stay intact even if other processes append too.
  writePrivateFile(fileOf(dataDir, part), `${JSON.stringify({ mode, event: eventId })}\n`, "a");
  for (const old of parts) if (old < part - 1) rmSync(fileOf(dataDir, old), { force: true });
}

export interface ResendRequest {
  mode: Mode;
  eventId: string;
  /** The position after this request. */
  through: number;
}

/** The position after the last request, where a new listener starts. */
export function resendsNoted(dataDir: string): number {
  const newest = partsOf(dataDir).at(-1);
  if (newest === undefined) return 0;
  return newest * POSITIONS_PER_PART + (withPart(dataDir, newest, (handle) => fstatSync(handle).size) ?? 0);
}

export interface ResendBatch {
  /** Of every mode, oldest first. */
  requests: ResendRequest[];
  /** The position after all of them; `from` itself if there were none. */
  through: number;
}

/**
 * Returns the requests after the position `from`, or some of them if there are many. A part that is now shorter was deleted and
 * recreated, so it is read from its beginning.
 */
export function readResends(dataDir: string, from: number): ResendBatch {
  const nothing = { requests: [], through: from };
  const parts = partsOf(dataDir);
  const part = Math.floor(from / POSITIONS_PER_PART);
  const next = parts.find((other) => other > part);
  if (!parts.includes(part)) {
    const first = next ?? parts[0];
    return first === undefined ? nothing : (readPart(dataDir, first, 0) ?? nothing);
  }
  const batch = readPart(dataDir, part, from % POSITIONS_PER_PART) ?? nothing;
  // Only the newest part still grows.
  return batch.through !== from || next === undefined ? batch : (readPart(dataDir, next, 0) ?? nothing);
}

/** Undefined if the part has been deleted in the meantime. */
function readPart(dataDir: string, part: number, from: number): ResendBatch | undefined {
  const batch = withPart(dataDir, part, (handle) =>
    readLines(handle, fstatSync(handle).size < from ? 0 : from),
  );
  if (batch === undefined) return undefined;
  const begin = part * POSITIONS_PER_PART;
  const requests = batch.requests.map((request) => ({ ...request, through: begin + request.through }));
  return { requests, through: begin + batch.through };
}

function withPart<T>(dataDir: string, part: number, use: (handle: number) => T): T | undefined {
  let handle: number;
  try {
    handle = openSync(fileOf(dataDir, part), "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
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
  // A line without a line feed is still being written.
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, begin)) {
    const line = v.safeParse(LineSchema, bytes.toString("utf8", begin, end));
    begin = end + 1;
    // A power failure may have damaged a line; skip it.
    if (!line.success) continue;
    requests.push({ mode: line.output.mode, eventId: line.output.event, through: start + begin });
  }
  return { requests, through: start + begin };
}
