/** Opens an appliance, and another made from its backup; both send to the same fake authority. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../../src/upkeep/backup/backup-places.ts";
import { restoreBackup } from "../../src/upkeep/backup/restore-backup.ts";
import { acceptDocument } from "../../src/documents/accept.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { resume } from "../../src/upkeep/resume.ts";
import { type Bench, buildIssueBody, CAUSE, openBench } from "./appliance.ts";
import { startFakeRegistry } from "./fake-registry/server.ts";
import { ACCOUNT, connectToRegistry } from "./registry-bench.ts";

const MASTER_KEY = "a1".repeat(32);

export interface Site extends Bench {
  /** Accepts a document of `net` cents. */
  accept(reference: string, net?: number, extra?: Record<string, unknown>): Promise<string>;
  /** Advances the clock until each has an outcome, at most an hour. */
  processAll(...ids: string[]): Promise<DocumentObject[]>;
}

/** Sends documents through registry_direct. */
export async function openSites() {
  const folder = await mkdtemp(join(tmpdir(), "fiscal-sites-"));
  let present: Bench | undefined;
  const registry = await startFakeRegistry({
    accounts: [{ ...ACCOUNT }],
    nowMs: () => present?.appliance.clock.nowMs() ?? 0,
  });
  const env = {
    FISCAL_MASTER_KEY: MASTER_KEY,
    FISCAL_PROVIDERS__REGISTRY_DIRECT__TEST_URL: registry.url,
  };
  const sites: Site[] = [];
  let merchant = "";
  async function open(name: string, startMs?: number): Promise<Site> {
    const times = startMs === undefined ? {} : { startMs };
    const bench = await openBench({ folder: join(folder, name), env, ...times });
    present = bench;
    const site = siteOf(bench, () => merchant);
    sites.push(site);
    return site;
  }
  const first = await open("first");
  merchant = await first.makeMerchant();
  await connectToRegistry(first, merchant);
  const backup = join(folder, "backup.db");
  return {
    registry,
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
      await first.close();
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
      return open("second", nowMs);
    },
    async resume({ appliance }: Site) {
      if (!(await resume(appliance))) throw new Error("It was not held");
    },
    async close() {
      for (const site of sites) await site.close();
      await registry.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function siteOf(bench: Bench, merchant: () => string): Site {
  const { appliance } = bench;

  let isOpen = true;
  return {
    ...bench,
    async accept(reference, net = 833, extra = {}) {
      const body = buildIssueBody(merchant(), { external_reference: reference });
      const line = { description: "Καφές", quantity: "1", unit_price: net, vat_category: "standard" };
      const vat = Math.round(net * 0.24);
      const totals = { net, vat, gross: net + vat };
      const document = { ...(body["document"] as object), lines: [line], totals };
      return (await acceptDocument(appliance, { ...body, ...extra, document }, CAUSE)).id;
    },
    async processAll(...ids) {
      for (let passedMs = 0; passedMs < 3_600_000; passedMs += 10_000) {
        await bench.settle();
        const documents = await Promise.all(ids.map(bench.see));
        if (documents.every(({ status }) => status !== "pending")) break;
        bench.advance(10_000);
      }
      return Promise.all(ids.map(bench.see));
    },
    async close() {
      if (isOpen) await bench.close();
      isOpen = false;
    },
  };
}
