/** Opens an appliance, and another made from its backup; both send to the same fake authority. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../src/upkeep/backup/backup-places.ts";
import { restoreBackup } from "../../src/upkeep/backup/restore-backup.ts";
import { resume } from "../../src/upkeep/resume.ts";
import { buildLine } from "./documents.ts";
import { openRegistryBench } from "./registry-bench.ts";

const MASTER_KEY = "a1".repeat(32);

/** An appliance in `folder`, whose documents differ in their reference and their net in cents. */
async function openSite(options: Parameters<typeof openRegistryBench>[0]) {
  const bench = await openRegistryBench({ ...options, env: { FISCAL_MASTER_KEY: MASTER_KEY } });
  return {
    ...bench,
    accept(reference: string, net = 833, extra: Record<string, unknown> = {}) {
      const lines = [buildLine({ quantity: "1", unit_price: net })];
      return bench.accept({ lines }, { external_reference: reference, ...extra });
    },
    /** Advances the clock until each has an outcome, at most an hour. */
    processAll: (...ids: string[]) => bench.processAll(ids, 60),
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Sends documents through registry_direct. */
export async function openSites() {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-sites-"));
  const first = await openSite({ folder: join(folder, "first"), pageSize: 1000 });
  let present = first;
  const backup = join(folder, "backup.db");
  return {
    registry: first.registry,
    /** Contains the folders of the appliances; deleted at the end. */
    folder,
    first,
    /** Backs up the first appliance. */
    async backUp() {
      const { config, clock } = first.appliance;
      await backUp({ config, clock, target: backup, force: false, passphraseFile: undefined });
    },
    /** Opens the appliance made from the backup, or from a replica of the database, held. From then on the first is off. */
    async restore(replica?: string) {
      const nowMs = first.appliance.clock.nowMs() + 600_000;
      await first.appliance.stop(1000);
      await restoreBackup({
        file: replica ?? backup,
        passphrase: null,
        withoutChecksum: replica !== undefined,
        masterKeys: [Buffer.from(MASTER_KEY, "hex")],
        database: join(folder, "second", "data", "fiscal.db"),
        replace: false,
        dataDir: join(folder, "second", "data"),
        nowMs,
      });
      present = await openSite({ folder: join(folder, "second"), startMs: nowMs, earlier: first });
      return present;
    },
    async resume({ appliance }: Site) {
      if (!(await resume(appliance))) throw new Error("It was not held");
    },
    async close() {
      await present.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
