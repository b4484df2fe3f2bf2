/** Checks that a copy of the database is usable and describes its content, both when it is made and when it is restored. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { countRows, findLastEvent } from "../../../storage/journal/audit.ts";
import { findAppliance } from "../../../storage/upkeep/diagnosis.ts";
import { describeUnreleased, isStorageFailure, StorageError } from "../../../storage/database/errors.ts";
import { type FileInspection, inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import { isAnyKeyOf } from "../../../storage/sqlite/old-form.ts";
import { SCHEMA_VERSION } from "../../../storage/database/schema.ts";
import { findUnexpectedObjects } from "../../../storage/sqlite/migrate.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import { COUNTED_TABLES, type Manifest } from "./backup-format.ts";
import { findRotation } from "../../keys/rotation-plan.ts";

export type Content = Pick<Manifest, "schema" | "counts" | "last_event">;

/** What is examined: a backup, or a copy that was just made of a database in use, for which another backup is no remedy. Both are paths. */
type Examined = { backup: string } | { copied: string };

/**
 * Reads all of `file`. Throws ConfigurationError if the file is damaged, has a newer schema, has other tables than its version
 * (docs/contract.md#restored-schema), or is encrypted with a master key that is not in `masterKeys`; a backup may need two. If that is null,
 * the keys are not checked.
 */
export async function examineDatabase(
  file: string,
  examined: Examined,
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  let inspection: FileInspection | undefined;
  try {
    inspection = inspectDatabase(file);
    return await examineOpen(inspection, examined, masterKeys);
  } catch (error) {
    if (error instanceof StorageError || isStorageFailure(error)) throw damaged(examined, error);
    throw error;
  } finally {
    inspection?.close();
  }
}

async function examineOpen(
  inspection: FileInspection,
  examined: Examined,
  masterKeys: readonly Uint8Array[] | null,
): Promise<Content> {
  const name = nameOf(examined);
  const schema = inspection.version();
  if (schema === 0) throw notADatabase(name);
  if (inspection.isUnreleased())
    throw new ConfigurationError(describeUnreleased({ en: name.en, el: `Το ${name.el}` }));
  refuseNewer(schema, name);
  if (inspection.findDamage("whole").length > 0 || inspection.findBrokenReferences().length > 0)
    throw damaged(examined);
  const { session } = inspection;
  const objects = await findUnexpectedObjects(session, schema);
  if (objects.length > 0) throw hasOtherSchema(examined, objects);
  const appliance = await findAppliance(session);
  if (appliance === undefined) throw notADatabase(name);
  if (masterKeys !== null) {
    if (!isAnyKeyOf(masterKeys, appliance.key_check)) throw wrongKey(name);
    // Without the second key the appliance would start, but could not read some credentials.
    const rotation = "backup" in examined ? await findRotation(session) : undefined;
    if (rotation !== undefined && !isAnyKeyOf(masterKeys, Buffer.from(rotation.fromCheck, "base64")))
      throw lacksKey(name);
  }
  const counts = await countRows(session, COUNTED_TABLES);
  return { schema, counts, last_event: (await findLastEvent(session)) ?? null };
}

function nameOf(examined: Examined): Text {
  return "backup" in examined
    ? sameInBoth(examined.backup)
    : { en: `the copy of ${examined.copied}`, el: `αντίγραφο της βάσης ${examined.copied}` };
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

function hasOtherSchema(examined: Examined, objects: readonly string[]): ConfigurationError {
  const shown = objects.slice(0, OBJECTS_SHOWN_MAX).join("; ");
  if ("copied" in examined)
    return new ConfigurationError({
      en:
        `No backup was made of ${examined.copied}, because a restore would refuse it: its schema is not the one that fiscal ` +
        `creates (- missing, + additional): ${shown}. Undo in the database what was changed by hand, and back it up ` +
        "again",
      el:
        `Δεν έγινε αντίγραφο ασφαλείας της ${examined.copied}, γιατί η επαναφορά θα το απέρριπτε: το σχήμα της δεν είναι εκείνο ` +
        `που δημιουργεί το fiscal (- λείπει, + πρόσθετο): ${shown}. Αναιρέστε στη βάση ό,τι άλλαξε ` +
        "με το χέρι και δημιουργήστε ξανά το αντίγραφο",
      next: { operation: "doctor" },
    });
  const name = nameOf(examined);
  return new ConfigurationError({
    en:
      `The schema of ${name.en} is not the one that fiscal creates (${shown}), so it could run unknown code or accept wrong ` +
      "data. Use another backup, or undo in the database what was changed by hand",
    el:
      `Το σχήμα στο ${name.el} δεν είναι εκείνο που δημιουργεί το fiscal (${shown}), οπότε θα μπορούσε να εκτελέσει άγνωστο ` +
      "κώδικα ή να δεχτεί λάθος δεδομένα. Χρησιμοποιήστε άλλο αντίγραφο ή αναιρέστε στη βάση ό,τι άλλαξε με το χέρι",
  });
}

function damaged(examined: Examined, cause?: unknown): ConfigurationError {
  const text =
    "copied" in examined
      ? {
          en: `No backup was made of ${examined.copied}, because it is damaged; restore the last good backup`,
          el: `Δεν έγινε αντίγραφο ασφαλείας της ${examined.copied}, γιατί έχει φθαρεί· επαναφέρετε το τελευταίο καλό αντίγραφο`,
          next: { operation: "doctor" } as const,
        }
      : {
          en: `${examined.backup} is damaged and cannot be used; use another backup`,
          el: `Το ${examined.backup} έχει φθαρεί και δεν μπορεί να χρησιμοποιηθεί· χρησιμοποιήστε άλλο αντίγραφο`,
        };
  return new ConfigurationError(text, { cause });
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
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

function lacksKey(name: Text): ConfigurationError {
  return new ConfigurationError({
    en:
      `${name.en} was made during a rotation of the master key, and needs the old key as well. Set FISCAL_MASTER_KEY and ` +
      "FISCAL_MASTER_KEY_PREVIOUS, or put the old key (master.key.retired-…) in place of master.key and the new one beside it " +
      "as master.key.new. Afterwards finish the rotation",
    el:
      `Το ${name.el} έγινε ενώ αντικαθίστατο το κύριο κλειδί, και χρειάζεται και το παλιό κλειδί. Ορίστε τα FISCAL_MASTER_KEY ` +
      "και FISCAL_MASTER_KEY_PREVIOUS, ή βάλτε το παλιό κλειδί (master.key.retired-…) στη θέση του master.key και το νέο δίπλα " +
      "του ως master.key.new. Μετά ολοκληρώστε την αντικατάσταση",
    next: { operation: "rotateMasterKey" },
  });
}
