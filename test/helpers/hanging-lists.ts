/** An appliance whose provider answers sends at once, or loses the answer, while its list operation may hang. */
import { acceptDocument } from "../../src/documents/accept.ts";
import type { IssueOutcome, ReconcileOutcome } from "../../src/domain/provider-adapter.ts";
import { type Bench, type BenchOptions, buildIssueBody, CAUSE, openBench } from "./appliance.ts";
import { createScriptedProvider, ERROR } from "./scripted-provider.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";

/** When a call to a silent provider gives up. */
const CALL_TIMEOUT_MS = 30_000;

export type SendFault = "lost" | "down";

export interface HangingBench extends Bench {
  /** A merchant with its own connection; its id. */
  connect(externalId: string): Promise<string>;
  accept(merchant: string, series: string): Promise<string>;
  /** Fails every send of the series until it is cleared. */
  faults: Map<string, SendFault>;
  /** Whether the list operation hangs until its timeout. */
  listsHang: boolean;
  /** Lets time pass second by second, and works what falls due. */
  pass(seconds: number): Promise<void>;
  /** When each issued document got its MARK. */
  issuedAtMs: Map<string, number>;
}

export async function openHangingBench(options: BenchOptions = {}): Promise<HangingBench> {
  let marks = 0;
  const waiting: { atMs: number; release(): void }[] = [];
  const faults = new Map<string, SendFault>();
  const issuedAtMs = new Map<string, number>();
  const hang = (nowMs: number) =>
    new Promise<void>((release) => waiting.push({ atMs: nowMs + CALL_TIMEOUT_MS, release }));

  const adapter = {
    ...createScriptedProvider({ issueBatchMax: 50 }).adapter,
    async issue(documents: readonly { id: string; series: string | null }[]): Promise<IssueOutcome[]> {
      const nowMs = appliance.clock.nowMs();
      if (documents.some(({ series }) => faults.get(series!) === "down")) await hang(nowMs);
      return documents.map(({ id, series }) => {
        const fault = faults.get(series!);
        if (fault === "lost") return { kind: "unknown", error: ERROR };
        if (fault === "down") return { kind: "not_sent", error: ERROR };
        issuedAtMs.set(id, nowMs);
        marks += 1;
        return { kind: "issued", mark: `4${String(marks).padStart(14, "0")}`, uid: null, qrUrl: null };
      });
    },
    async reconcile(documents: readonly unknown[]): Promise<ReconcileOutcome[]> {
      if (!bench.listsHang) return documents.map(() => ({ kind: "absent" }));
      await hang(appliance.clock.nowMs());
      return documents.map(() => ({ kind: "unknown", error: ERROR }));
    },
  };
  const own = await openBench({ ...options, adapters: [adapter] });
  const { appliance } = own;
  // Loads the queue, so that the first documents do not wait for its modules.
  await own.settle();

  /** Lets everything that can happen at this instant happen. */
  async function work(): Promise<void> {
    appliance.issuing.poke();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  const bench: HangingBench = {
    ...own,
    faults,
    listsHang: false,
    issuedAtMs,
    async connect(externalId) {
      const merchant = await own.makeMerchant(externalId);
      await appliance.store.write(async (trx) => {
        const id = trx.newId("con");
        const credentials = appliance.store.cipher.seal(
          placeIn("connections", id),
          JSON.stringify({ key: "hidden" }),
        );
        await trx.query((db) =>
          db.insertInto("connections").values({
            id,
            merchant_id: merchant,
            provider: "provider_b",
            mode: "test",
            status: "active",
            credentials,
            verified_at: trx.now,
            last_error_json: null,
            created_at: trx.now,
            disconnected_at: null,
          }),
        );
      });
      return merchant;
    },
    accept: async (merchant, series) =>
      (await acceptDocument(appliance, buildIssueBody(merchant, { series }), CAUSE)).id,
    async pass(seconds) {
      for (let second = 0; second < seconds; second += 1) {
        await work();
        own.advance(1000);
        const nowMs = appliance.clock.nowMs();
        for (const call of waiting.filter(({ atMs }) => atMs <= nowMs)) {
          waiting.splice(waiting.indexOf(call), 1);
          call.release();
        }
      }
      await work();
    },
    async close() {
      bench.listsHang = false;
      for (const { release } of waiting) release();
      await own.close();
    },
  };
  return bench;
}
