/** Rejects backups made during a rotation of the master key, unless both keys are available. */
import { inspectDatabase } from "../../../storage/sqlite/inspection.ts";
import { createKeyRing, isKeyOf } from "../../../storage/encryption/key-ring.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { findRotation } from "../../keys/rotation-plan.ts";

/**
 * Throws ConfigurationError if the database in `file`, which messages call `name`, needs a second key that is not in
 * `masterKeys`. Without it the appliance would start, but could not read some credentials.
 */
export async function refuseHalfRotated(
  file: string,
  name: string,
  masterKeys: readonly Uint8Array[],
): Promise<void> {
  const inspection = inspectDatabase(file);
  try {
    const rotation = await findRotation(inspection.session);
    if (rotation === undefined) return;
    const ring = createKeyRing(() => masterKeys);
    if (!isKeyOf(ring, Buffer.from(rotation.fromCheck, "base64"))) throw lacksKey(name);
  } finally {
    inspection.close();
  }
}

function lacksKey(name: string): ConfigurationError {
  return new ConfigurationError({
    en:
      `${name} was made during a rotation of the master key, and needs the old key as well. Set FISCAL_MASTER_KEY and ` +
      "FISCAL_MASTER_KEY_PREVIOUS, or put the old key (master.key.retired-…) in place of master.key and the new one beside it " +
      "as master.key.new. Afterwards finish the rotation with `fiscal keys rotate-master`",
    el:
      `Το ${name} έγινε ενώ αντικαθίστατο το κύριο κλειδί, και χρειάζεται και το παλιό κλειδί. Ορίστε τα FISCAL_MASTER_KEY ` +
      "και FISCAL_MASTER_KEY_PREVIOUS, ή βάλτε το παλιό κλειδί (master.key.retired-…) στη θέση του master.key και το νέο δίπλα " +
      "του ως master.key.new. Μετά ολοκληρώστε την αντικατάσταση με την `fiscal keys rotate-master`",
  });
}
