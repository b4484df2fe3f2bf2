/**
 * Events that were asked for again. The deliveries of a resend go to endpoints, and a listener has none: so what is
 * resent to all is noted here too, one line each in the order of asking, and listeners read on from where they were.
 *
 * The list lies in parts, of which the two newest are kept: `resends.ndjson`, then `resends-1.ndjson` and so on. A place in
 * it is one number, made of the part and the bytes within it. A listener that was away for longer than two parts begins
 * with the oldest that there is.
 */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { MODES, type Mode } from "../../../storage/stored-values.ts";
import { writeOwnFile } from "../../../storage/own-file.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { listeningFolder } from "./listen-folder.ts";

const LineSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ mode: v.picklist(MODES), event: v.string() }),
);

/** A line is some 60 bytes: a thousand at a time. */
const READ_BYTES_MAX = 64 * 1024;
const LINE_FEED = 0x0a;

/** Some ten thousand requests: nobody asks for so many between two looks of a listener. */
const PART_BYTES_MAX = 1024 * 1024;
/** Parts stay far below this, so that a place tells both. */
const PLACES_OF_PART = 2 ** 32;
const PART_FORM = /^resends(?:-([1-9]\d{0,5}))?\.ndjson$/;

function fileOf(dataDir: string, part: number): string {
  return join(listeningFolder(dataDir), part === 0 ? "resends.ndjson" : `resends-${part}.ndjson`);
}

/** The parts that there are, oldest first. */
function partsOf(dataDir: string): number[] {
  const folder = listeningFolder(dataDir);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder).flatMap((name) => {
    const form = PART_FORM.exec(name);
    return form === null ? [] : [Number(form[1] ?? 0)];
  });
  return found.sort((left, right) => left - right);
}

/** Tells the listeners of this data directory. Where there never was one, nothing is written. */
export function noteResend(dataDir: string, mode: Mode, eventId: string): void {
  if (!existsSync(listeningFolder(dataDir))) return;
  const parts = partsOf(dataDir);
  const newest = parts.at(-1) ?? 0;
  const size = statSync(fileOf(dataDir, newest), { throwIfNoEntry: false })?.size ?? 0;
  const part = size < PART_BYTES_MAX ? newest : newest + 1;
  // Short lines appended in one write do not mix, whoever else appends.
  writeOwnFile(fileOf(dataDir, part), `${JSON.stringify({ mode, event: eventId })}\n`, "a");
  for (const old of parts) if (old < part - 1) rmSync(fileOf(dataDir, old), { force: true });
}

export interface ResendRequest {
  mode: Mode;
  eventId: string;
  /** The place behind this request: where to read on once it is done. */
  through: number;
}

/** The place behind what was noted so far: where a listener begins that wants only what comes. */
export function resendsNoted(dataDir: string): number {
  const newest = partsOf(dataDir).at(-1);
  if (newest === undefined) return 0;
  return newest * PLACES_OF_PART + (withPart(dataDir, newest, (handle) => fstatSync(handle).size) ?? 0);
}

export interface ResendBatch {
  /** Of every mode, oldest first. */
  requests: ResendRequest[];
  /** Where to read on once all of them are done; `from` itself when there was nothing. */
  through: number;
}

/**
 * The requests behind the place `from`: some of them where there are many. A part that has become shorter was deleted and
 * begun again, and is read from its beginning.
 */
export function readResends(dataDir: string, from: number): ResendBatch {
  const nothing = { requests: [], through: from };
  const parts = partsOf(dataDir);
  const part = Math.floor(from / PLACES_OF_PART);
  const next = parts.find((other) => other > part);
  if (!parts.includes(part)) {
    const first = next ?? parts[0];
    return first === undefined ? nothing : (readPart(dataDir, first, 0) ?? nothing);
  }
  const batch = readPart(dataDir, part, from % PLACES_OF_PART) ?? nothing;
  // Nobody writes to a part any more behind which there is another.
  return batch.through !== from || next === undefined ? batch : (readPart(dataDir, next, 0) ?? nothing);
}

/** Undefined where the part is gone meanwhile. */
function readPart(dataDir: string, part: number, from: number): ResendBatch | undefined {
  const batch = withPart(dataDir, part, (handle) =>
    readLines(handle, fstatSync(handle).size < from ? 0 : from),
  );
  if (batch === undefined) return undefined;
  const begin = part * PLACES_OF_PART;
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
