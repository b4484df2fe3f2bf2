/** A migration cannot be taken back: before it the database is kept as it is, for those who must go back a version. */
import { join } from "node:path";
import { SCHEMA_VERSION } from "../../storage/open.ts";
import type { Clock } from "../clock.ts";
import type { Config } from "../config.ts";
import type { Log } from "../context.ts";
import { ConfigurationError } from "../errors.ts";
import { API_VERSION } from "../version.ts";
import { freeName } from "./files.ts";
import { makeBackup } from "./make.ts";
import { instantInName } from "./names.ts";

/**
 * Makes `backups/before-schema-N-….db` in the data directory; nothing removes it. Throws ConfigurationError where it cannot be
 * made: then nothing is migrated.
 */
export async function backUpBeforeMigration(
  { config, clock, log }: { config: Config; clock: Clock; log: Log },
  masterKeys: readonly Uint8Array[],
): Promise<void> {
  const nowMs = clock.nowMs();
  const folder = join(config.dataDir, "backups");
  try {
    const { file } = await makeBackup({
      database: config.storage.database,
      masterKeys,
      target: await freeName(folder, `before-schema-${SCHEMA_VERSION}-${instantInName(nowMs)}.db`),
      force: false,
      passphrase: null,
      program: API_VERSION,
      nowMs,
    });
    log.info({ file }, "kept the database as it was before its schema is brought up");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(
      `The database must be backed up before its schema is brought up, and the backup could not be made: ${reason}. ` +
        `Nothing was changed; make room in ${folder} or let it be written, then start again`,
      { cause: error },
    );
  }
}
