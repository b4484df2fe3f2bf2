/** What is in a copy of the database, and whether all of it can be used: asked when it is made and when it is taken back. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { countRows, findLastEvent } from "../../../storage/counting.ts";
import { findAppliance } from "../../../storage/diagnosis.ts";
import { describeUnreleased, isStorageFailure, StorageError } from "../../../storage/errors.ts";
import { type Inspection, inspectDatabase } from "../../../storage/inspection.ts";
import { createKeyRing, isKeyOf } from "../../../storage/key-ring.ts";
import { SCHEMA_VERSION } from "../../../storage/schema-version.ts";
import { findUnexpectedObjects } from "../../../storage/unexpected-objects.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { sameInBoth } from "../../foundation/text.ts";
import { COUNTED_TABLES, type Manifest } from "./manifest.ts";

export type Content = Pick<Manifest, "schema" | "counts" | "last_event">;

/**
 * Reads the whole of `file`, called `name` in messages. Throws ConfigurationError where it is damaged, of a newer schema, has
 * strangers in it (storage/unexpected-objects.ts), or is sealed with a master key that is not among `masterKeys`; null leaves the key
 * untried.
 */
export async function examine(
  file: string,
  name: string,
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  let inspection: Inspection | undefined;
  try {
    inspection = inspectDatabase(file);
    return await examineOpen(inspection, name, masterKeys);
  } catch (error) {
    if (error instanceof StorageError || isStorageFailure(error)) throw damaged(name, error);
    throw error;
  } finally {
    inspection?.close();
  }
}

async function examineOpen(
  inspection: Inspection,
  name: string,
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  const schema = inspection.version();
  if (schema === 0) throw new ConfigurationError(`${name} holds no database of fiscal`);
  if (inspection.isUnreleased()) throw new ConfigurationError(describeUnreleased(sameInBoth(name)));
  refuseNewer(schema, name);
  if (inspection.findDamage("whole").length > 0 || inspection.findBrokenReferences().length > 0)
    throw damaged(name);
  const { session } = inspection;
  const strangers = await findUnexpectedObjects(session, schema);
  if (strangers.length > 0) throw notOurs(name, strangers);
  const appliance = await findAppliance(session);
  if (appliance === undefined) throw new ConfigurationError(`${name} holds no database of fiscal`);
  if (
    masterKeys !== null &&
    !isKeyOf(
      createKeyRing(() => masterKeys),
      appliance.key_check,
    )
  )
    throw wrongKey(name);
  const counts = await countRows(session, COUNTED_TABLES);
  return { schema, counts, last_event: await findLastEvent(session) };
}

function refuseNewer(schema: number, name: string): void {
  if (schema <= SCHEMA_VERSION) return;
  throw new ConfigurationError(
    `${name} was written by a newer fiscal (schema ${schema}, this one knows ${SCHEMA_VERSION}); install that version or a newer one`,
  );
}

const STRANGERS_SHOWN_MAX = 5;

function notOurs(name: string, strangers: readonly string[]): ConfigurationError {
  const shown = strangers.slice(0, STRANGERS_SHOWN_MAX).join(", ");
  return new ConfigurationError(
    `${name} has triggers, or tables that are not as fiscal makes them (${shown}): it would not be known what runs in it. ` +
      "Take another backup, or remove what was added to the database by hand",
  );
}

function damaged(name: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${name} is damaged and cannot be used; take another backup`, { cause });
}

function wrongKey(name: string): ConfigurationError {
  return new ConfigurationError(
    `The master key is not the one that ${name} was made with: nothing in it could be sent or read; ` +
      "put the key that belongs to it in its place, or give it as FISCAL_MASTER_KEY; one that was replaced since is kept as " +
      "master.key.retired-…",
  );
}

/** SHA-256 of the file, in hexadecimal. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  const source = createReadStream(file);
  for await (const chunk of source) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
