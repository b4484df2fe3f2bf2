/** A backup that was made in the middle of a change of the master key: some of it is sealed with the key before. */
import { inspectDatabase } from "../../../storage/inspection.ts";
import { createKeyRing, isKeyOf } from "../../../storage/key-ring.ts";
import { ConfigurationError } from "../../foundation/errors.ts";
import { findRotation } from "../../keys/rotation-plan.ts";

/**
 * Throws ConfigurationError where the database in `file`, called `name` in messages, needs a second key that is not among
 * `masterKeys`: it would start, and credentials in it could not be read.
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
  return new ConfigurationError(
    `${name} was made while the master key was being replaced, and needs the key before as well: give both, as ` +
      "FISCAL_MASTER_KEY and FISCAL_MASTER_KEY_PREVIOUS, or put the key before (kept as master.key.retired-…) in the " +
      "place of master.key and the new one beside it as master.key.new; afterwards `fiscal keys rotate-master` ends it",
  );
}
