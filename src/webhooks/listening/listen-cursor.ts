/** The position of a receiver, stored after each accepted event so that a restart of either side continues there. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { isId } from "../../../storage/database/ids.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { codeOf } from "../../../storage/database/system-errors.ts";
import { makeListeningFolder, replaceOwnFile } from "./listen-folder.ts";

const PositionSchema = v.strictObject({
  url: v.string(),
  /** The last event that the receiver accepted; null to start with the very first event. */
  after: v.nullable(
    v.pipe(
      v.string(),
      v.check((id) => isId(id, "evt")),
    ),
  ),
  /** The position in the list of resend requests. */
  resends: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

export type Position = Omit<v.InferOutput<typeof PositionSchema>, "url">;

export interface Cursor {
  /** Undefined if there has been no listener for this mode and URL yet. */
  position(): Position | undefined;
  /** Updates the given fields. Throws if the first position is incomplete. */
  move(to: Partial<Position>): void;
}

/** The cursor of one receiver. Throws an error with the file's name if it cannot be read. */
export function openCursor(dataDir: string, mode: Mode, url: string): Cursor {
  // A URL is not a valid file name; 16 hex digits of its hash are enough for one machine.
  const name = `${mode}-${hash("sha256", url, "hex").slice(0, 16)}.json`;
  const file = join(makeListeningFolder(dataDir), name);
  let position = readPosition(file);
  return {
    position: () => position,
    move(to) {
      const moved = v.parse(PositionSchema, { ...position, ...to, url });
      replaceOwnFile(file, `${JSON.stringify(moved)}\n`);
      position = { after: moved.after, resends: moved.resends };
    },
  };
}

function readPosition(file: string): Position | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), PositionSchema), text);
  if (parsed.success) return { after: parsed.output.after, resends: parsed.output.resends };
  throw new Error(`${file} is damaged; delete it and pass --after with the event to continue after`);
}
