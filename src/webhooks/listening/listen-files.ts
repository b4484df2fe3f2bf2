/**
 * The state of `webhooks listen`: its secret and the position of each receiver, as files in the data directory because they belong to the
 * developer's machine, and the events that were sent again, in the database because other processes write them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createPrivateFileOnce,
  findText,
  makePath,
  replacePrivateFile,
} from "../../../storage/files/folder.ts";
import { hash } from "node:crypto";
import * as v from "valibot";
import { isId } from "../../../storage/database/ids.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import type { Session } from "../../../storage/database/session.ts";
import { findWatermark, upsertWatermark } from "../../../storage/upkeep/appliance-state.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import { readJson } from "../../foundation/json.ts";
import { makeSecret, SECRET_FORM } from "../signature.ts";

function makeListeningFolder(dataDir: string): string {
  const folder = join(dataDir, "listening");
  makePath(folder);
  return folder;
}

const PositionSchema = v.strictObject({
  url: v.string(),
  /** The last event that the receiver accepted; null to start with the very first event. */
  after: v.nullable(
    v.pipe(
      v.string(),
      v.check((id) => isId(id, "evt")),
    ),
  ),
  /** The number of the last resend request that was seen. */
  resends: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

export type Position = Omit<v.InferOutput<typeof PositionSchema>, "url">;

export type Cursor = ReturnType<typeof openCursor>;

/** The cursor of one receiver. Throws an error with the file's name if it cannot be read. */
export function openCursor(dataDir: string, mode: Mode, url: string) {
  // A URL is not a valid file name; 16 hex digits of its hash are enough for one machine.
  const name = `${mode}-${hash("sha256", url, "hex").slice(0, 16)}.json`;
  const file = join(makeListeningFolder(dataDir), name);
  let position = readPosition(file);
  return {
    /** Undefined if there has been no listener for this mode and URL yet. */
    position: () => position,
    /** Updates the given fields. Throws if the first position is incomplete. */
    move(to: Partial<Position>): void {
      const moved = v.parse(PositionSchema, { ...position, ...to, url });
      replacePrivateFile(file, `${JSON.stringify(moved)}\n`);
      position = { after: moved.after, resends: moved.resends };
    },
  };
}

function readPosition(file: string): Position | undefined {
  const text = findText(file);
  if (text === undefined) return undefined;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), PositionSchema), text);
  if (parsed.success) return { after: parsed.output.after, resends: parsed.output.resends };
  throw new Error(`${file} is damaged; delete it, and name the event to continue after`);
}

export function isWebhookSecret(text: string): boolean {
  return SECRET_FORM.test(text);
}

/** The secret of this data directory, created on first use and readable only by its owner. */
export function loadListenSecret(dataDir: string): string {
  const file = join(makeListeningFolder(dataDir), "secret");
  // Two processes that start at the same time use the same secret.
  if (findText(file) === undefined) createPrivateFileOnce(file, `${makeSecret()}\n`);
  const text = readFileSync(file, "utf8").trim();
  if (isWebhookSecret(text)) return text;
  throw new Error(
    `${file} does not contain a secret (whsec_ and 44 characters); delete it, and the next start creates one`,
  );
}

/** A listener that was away for longer continues with the oldest one kept. */
const KEPT_MAX = 1000;
const RESENDS_WATERMARK = "resends";

interface ResendRequest {
  mode: Mode;
  eventId: string;
}

interface StoredRequests {
  last: number;
  /** Oldest first. */
  requests: ResendRequest[];
}

async function readStored(session: Session): Promise<StoredRequests> {
  const stored = await findWatermark(session, { name: RESENDS_WATERMARK });
  return stored === undefined ? { last: 0, requests: [] } : readJson<StoredRequests>(stored);
}

export async function noteResend(trx: Transaction, mode: Mode, eventId: string): Promise<void> {
  const { last, requests } = await readStored(trx);
  const kept = [...requests, { mode, eventId }].slice(-KEPT_MAX);
  await upsertWatermark(trx, {
    name: RESENDS_WATERMARK,
    through: JSON.stringify({ last: last + 1, requests: kept }),
  });
}

/** The number of the last request, after which a new listener starts. */
export async function lastResend(session: Session): Promise<number> {
  return (await readStored(session)).last;
}

/** The requests after number `from`, oldest first, each with its own; `last` is where to continue. */
export async function readResends(
  session: Session,
  from: number,
): Promise<{ requests: (ResendRequest & { number: number })[]; last: number }> {
  const { last, requests } = await readStored(session);
  const first = last - requests.length + 1;
  const numbered = requests.map((request, index) => ({ ...request, number: first + index }));
  return { requests: numbered.filter(({ number }) => number > from), last };
}
