/**
 * Keeps the answers of a document that was put together at the terminal until it is accepted, so that nobody types them twice. One
 * file in the data directory, which only its owner can read, because it belongs to the person at this machine.
 */
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { codeOf } from "../../storage/database/system-errors.ts";
import { replacePrivateFile } from "../../storage/files/folder.ts";
import { MODES } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";

const UnissuedSchema = v.strictObject({
  /** When it was kept: an instant in UTC. */
  at: v.string(),
  mode: v.picklist(MODES),
  /** The merchant's external id. */
  merchant: v.string(),
  /** The answers as flags and their values. */
  args: v.array(v.string()),
});

export type Unissued = v.InferOutput<typeof UnissuedSchema>;

const fileIn = ({ config }: Pick<Context, "config">) => join(config.dataDir, "unissued.json");

export function keepUnissued(context: Context, unissued: Omit<Unissued, "at">): void {
  replacePrivateFile(fileIn(context), JSON.stringify({ at: context.clock.now(), ...unissued }));
}

/** Undefined if nothing is kept, or another version kept it in another form. */
export function findUnissued(context: Pick<Context, "config">): Unissued | undefined {
  try {
    const parsed = v.safeParse(
      v.pipe(v.string(), v.parseJson(), UnissuedSchema),
      readFileSync(fileIn(context), "utf8"),
    );
    return parsed.success ? parsed.output : undefined;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function forgetUnissued(context: Pick<Context, "config">): void {
  rmSync(fileIn(context), { force: true });
}
