/** Checks that a copy of the database is usable and describes its content, both when it is made and when it is restored. */
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
import type { Text } from "../../foundation/text.ts";
import { COUNTED_TABLES, type Manifest } from "./manifest.ts";

export type Content = Pick<Manifest, "schema" | "counts" | "last_event">;

/**
 * Reads all of `file`, which messages call `name`; in Greek a neuter noun without an article. Throws ConfigurationError if the
 * file is damaged, has a newer schema, has another schema than its version (docs/contract.md#restored-schema), or is encrypted with a
 * master key that is not in `masterKeys`. If that is null, the key is not checked.
 */
export async function examineDatabase(
  file: string,
  name: Text,
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
  name: Text,
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  const schema = inspection.version();
  if (schema === 0) throw notADatabase(name);
  if (inspection.isUnreleased())
    throw new ConfigurationError(describeUnreleased({ en: name.en, el: `Το ${name.el}` }));
  refuseNewer(schema, name);
  if (inspection.findDamage("whole").length > 0 || inspection.findBrokenReferences().length > 0)
    throw damaged(name);
  const { session } = inspection;
  const objects = await findUnexpectedObjects(session, schema);
  if (objects.length > 0) throw hasOtherSchema(name, objects);
  const appliance = await findAppliance(session);
  if (appliance === undefined) throw notADatabase(name);
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

function notADatabase(name: Text): ConfigurationError {
  return new ConfigurationError({
    en: `${name.en} contains no database of fiscal`,
    el: `Το ${name.el} δεν περιέχει βάση του fiscal`,
  });
}

function refuseNewer(schema: number, name: Text): void {
  if (schema <= SCHEMA_VERSION) return;
  throw new ConfigurationError({
    en: `${name.en} was written by a newer fiscal (schema ${schema}, this one supports ${SCHEMA_VERSION}); install that version or a newer one`,
    el: `Το ${name.el} γράφτηκε από νεότερη έκδοση του fiscal (σχήμα ${schema}, αυτή υποστηρίζει έως ${SCHEMA_VERSION})· εγκαταστήστε εκείνη ή νεότερη`,
  });
}

const OBJECTS_SHOWN_MAX = 5;

function hasOtherSchema(name: Text, objects: readonly string[]): ConfigurationError {
  const shown = objects.slice(0, OBJECTS_SHOWN_MAX).join("; ");
  return new ConfigurationError({
    en:
      `The schema of ${name.en} is not the one that fiscal creates (${shown}), so it could run unknown code or accept wrong ` +
      "data. Use another backup, or undo in the database what was changed by hand",
    el:
      `Το σχήμα στο ${name.el} δεν είναι εκείνο που δημιουργεί το fiscal (${shown}), οπότε θα μπορούσε να εκτελέσει άγνωστο ` +
      "κώδικα ή να δεχτεί λάθος δεδομένα. Χρησιμοποιήστε άλλο αντίγραφο ή αναιρέστε στη βάση ό,τι άλλαξε με το χέρι",
  });
}

function damaged(name: Text, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    {
      en: `${name.en} is damaged and cannot be used; use another backup`,
      el: `Το ${name.el} έχει φθαρεί και δεν μπορεί να χρησιμοποιηθεί· χρησιμοποιήστε άλλο αντίγραφο`,
    },
    { cause },
  );
}

function wrongKey(name: Text): ConfigurationError {
  return new ConfigurationError({
    en:
      `The master key is not the one that ${name.en} was made with, and without that key nothing in it can be read or sent. Put ` +
      "it in place of the present key, or set FISCAL_MASTER_KEY. Retired keys are in master.key.retired-…",
    el:
      `Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε το ${name.el}, και χωρίς εκείνο τίποτα δεν διαβάζεται ούτε ` +
      "στέλνεται. Βάλτε το στη θέση του τωρινού ή ορίστε το FISCAL_MASTER_KEY. Τα παλιά κλειδιά είναι στα master.key.retired-…",
  });
}

/** Returns the SHA-256 of the file, in hexadecimal. */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  const source = createReadStream(file);
  for await (const chunk of source) hash.update(chunk as Buffer);
  return hash.digest("hex");
}
