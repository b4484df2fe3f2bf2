/** Checks that a copy of the database is usable and describes its content, both when it is made and when it is restored. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { countRows, findLastEvent } from "../../../storage/journal/audit.ts";
import { findAppliance } from "../../../storage/upkeep/appliance-state.ts";
import { isStorageFailure, NewerSchemaError, StorageError } from "../../../storage/database/errors.ts";
import { type FileInspection, inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import { isAnyKeyOf } from "../../../storage/sqlite/old-form.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema.ts";
import { findUnexpectedObjects } from "../../../storage/sqlite/migrate.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { COUNTED_TABLES, type Manifest } from "./backup-format.ts";
import { findRotation } from "../../keys/rotation-plan.ts";

export type Content = Pick<Manifest, "schema" | "counts" | "last_event">;

/**
 * Reads all of `file`. Throws ConfigurationError if the file is damaged, has a newer schema, has other tables than its version
 * (docs/contract.md#restored-schema), or is encrypted with a master key that is not in `masterKeys`; a backup may need two. If that is null,
 * the keys are not checked. `path` is what messages name: a backup, or the database of which `file` is a copy that was just made.
 */
export async function examineDatabase(
  file: string,
  { path, isCopy = false }: { path: string; isCopy?: boolean },
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  let inspection: FileInspection | undefined;
  try {
    inspection = inspectDatabase(file);
    const { session } = inspection;
    const schema = inspection.version();
    if (schema === 0) throw notADatabase(path);
    if (schema > SCHEMA_VERSION) throw new ConfigurationError(new NewerSchemaError(path).text);
    if (inspection.findDamage("whole").length > 0 || inspection.findBrokenReferences().length > 0)
      throw damaged(path);
    const objects = await findUnexpectedObjects(session, schema);
    if (objects.length > 0) throw hasOtherSchema(path, objects);
    const appliance = await findAppliance(session);
    if (appliance === undefined) throw notADatabase(path);
    if (masterKeys !== null) {
      if (!isAnyKeyOf(masterKeys, appliance.key_check)) throw wrongKey(path);
      // Without the second key the appliance would start, but could not read some credentials.
      const rotation = isCopy ? undefined : await findRotation(session);
      if (rotation !== undefined && !isAnyKeyOf(masterKeys, Buffer.from(rotation.fromCheck, "base64")))
        throw lacksKey(path);
    }
    const counts = await countRows(session, COUNTED_TABLES);
    return { schema, counts, last_event: (await findLastEvent(session)) ?? null };
  } catch (error) {
    if (error instanceof StorageError || isStorageFailure(error)) throw damaged(path, error);
    throw error;
  } finally {
    inspection?.close();
  }
}

function notADatabase(path: string): ConfigurationError {
  return new ConfigurationError({
    en: `${path} contains no database of fiscal`,
    el: `Το ${path} δεν περιέχει βάση του fiscal`,
  });
}

const OBJECTS_SHOWN_MAX = 5;

function hasOtherSchema(path: string, objects: readonly string[]): ConfigurationError {
  const shown = objects.slice(0, OBJECTS_SHOWN_MAX).join("; ");
  return new ConfigurationError({
    en:
      `The schema of ${path} is not the one that fiscal creates (- missing, + additional): ${shown}. It could run unknown code ` +
      "or accept wrong data, so it is neither backed up nor restored: undo in the database what was changed by hand, and back it " +
      "up again",
    el:
      `Το σχήμα στο ${path} δεν είναι εκείνο που δημιουργεί το fiscal (- λείπει, + πρόσθετο): ${shown}. Θα μπορούσε να ` +
      "εκτελέσει άγνωστο κώδικα ή να δεχτεί λάθος δεδομένα, γι' αυτό δεν γίνεται ούτε αντίγραφο ούτε επαναφορά: αναιρέστε στη " +
      "βάση ό,τι άλλαξε με το χέρι και δημιουργήστε ξανά το αντίγραφο",
  });
}

function damaged(path: string, cause?: unknown): ConfigurationError {
  const text = {
    en: `${path} is damaged and cannot be used; restore the last good backup`,
    el: `Το ${path} έχει φθαρεί και δεν μπορεί να χρησιμοποιηθεί· επαναφέρετε το τελευταίο καλό αντίγραφο`,
  };
  return new ConfigurationError(text, { cause });
}

function wrongKey(path: string): ConfigurationError {
  return new ConfigurationError({
    en:
      `The master key is not the one that ${path} was made with, and without that key nothing in it can be read or sent. Put ` +
      "it in place of the present key, or set FISCAL_MASTER_KEY. Retired keys are in master.key.retired-…",
    el:
      `Το κύριο κλειδί δεν είναι εκείνο με το οποίο φτιάχτηκε το ${path}, και χωρίς εκείνο τίποτα δεν διαβάζεται ούτε ` +
      "στέλνεται. Βάλτε το στη θέση του τωρινού ή ορίστε το FISCAL_MASTER_KEY. Τα παλιά κλειδιά είναι στα master.key.retired-…",
  });
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function lacksKey(path: string): ConfigurationError {
  return new ConfigurationError({
    en:
      `${path} was made during a rotation of the master key, and needs the old key as well. Set FISCAL_MASTER_KEY and ` +
      "FISCAL_MASTER_KEY_PREVIOUS, or put the old key (master.key.retired-…) in place of master.key and the new one beside it " +
      "as master.key.new. Afterwards finish the rotation",
    el:
      `Το ${path} έγινε ενώ αντικαθίστατο το κύριο κλειδί, και χρειάζεται και το παλιό κλειδί. Ορίστε τα FISCAL_MASTER_KEY ` +
      "και FISCAL_MASTER_KEY_PREVIOUS, ή βάλτε το παλιό κλειδί (master.key.retired-…) στη θέση του master.key και το νέο δίπλα " +
      "του ως master.key.new. Μετά ολοκληρώστε την αντικατάσταση",
    next: { operation: "rotateMasterKey" },
  });
}
