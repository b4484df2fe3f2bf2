/** How far a receiver has come: written after it took an event, so that a restart of either side goes on behind it. */
import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { isId } from "../../../storage/ids.ts";
import type { Mode } from "../../../storage/stored-values.ts";
import { codeOf } from "../../../storage/system-errors.ts";
import { makeListeningFolder, replaceOwnFile } from "./listen-folder.ts";

const PositionSchema = v.strictObject({
  url: v.string(),
  /** The last event that the receiver took; null before the first one that ever happened. */
  after: v.nullable(
    v.pipe(
      v.string(),
      v.check((id) => isId(id, "evt")),
    ),
  ),
  /** Bytes of the list of resend requests that are done. */
  resends: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

export type Position = Omit<v.InferOutput<typeof PositionSchema>, "url">;

export interface Cursor {
  /** Where it stands; undefined when there has been no listener for this mode and URL yet. */
  position(): Position | undefined;
  /** Moves it: what is not given stays. Throws where a first position is not whole. */
  move(to: Partial<Position>): void;
}

/** The cursor of one receiver. Throws an error that names the file when it cannot be read. */
export function openCursor(dataDir: string, mode: Mode, url: string): Cursor {
  // A URL does not fit a file's name; 16 hex digits tell those of one machine apart.
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
  throw new Error(`${file} is not what a listener wrote; delete it and say with --after where to go on`);
}
