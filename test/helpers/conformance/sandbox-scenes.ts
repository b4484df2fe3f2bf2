/** The sandbox simulates the situations itself, as documents request them; its ledger is kept in memory and files everything. */
import type { Scene, SceneClock, Scenes } from "../../../src/providers/adapter-test/describe.ts";
import type { Filing, SandboxLedger } from "../../../src/providers/sandbox/ledger.ts";

const FIRST_MARK = 400_000_000_000_001;

export interface MemoryLedger extends SandboxLedger {
  count(): number;
}

export function createMemoryLedger(): MemoryLedger {
  const filings: Filing[] = [];
  return {
    count: () => filings.length,
    async file(entries) {
      for (const { uid, documentId, filedAt, markAt } of entries) {
        const mark = String(FIRST_MARK + filings.length);
        filings.push({ uid, documentId, filedAt, markAt, mark, cancellationMark: null });
      }
      return entries.map(() => []);
    },
    findByUids: async (uids) =>
      filings.filter(({ uid }) => uids.includes(uid)).map((filing) => ({ ...filing })),
    list: async () => [],
    findByMark: async (mark) => filings.find((filing) => filing.mark === mark),
    async cancel(mark) {
      const filing = filings.find((one) => one.mark === mark);
      if (filing === undefined) return { kind: "unknown_mark" };
      filing.cancellationMark ??= `49${mark.slice(2)}`;
      return { kind: "cancelled", cancellationMark: filing.cancellationMark };
    },
  };
}

export function sandboxScenes(ledger: MemoryLedger): Scenes {
  const play = (scene: string) => async (_clock: SceneClock) => {
    const before = ledger.count();
    return {
      url: "http://sandbox.example",
      registrations: () => ledger.count() - before,
      requests: () => 0,
      adapt: (document) => ({ ...document, metadata: { sandbox: scene } }),
      close: async () => {},
    } satisfies Scene;
  };
  const inProcess = { cannotHappen: "the sandbox is in the process: there is no connection" };
  return {
    issues: { cannotHappen: "the sandbox gives its MARK at the first asking" },
    accepts: play("issued"),
    rejects: async (clock) => ({
      ...(await play("rejected")(clock)),
      refusal: {
        code: "203",
        message: "The total gross value is not the sum of net value, VAT and other taxes",
      },
    }),
    refusesCredentials: { cannotHappen: "the sandbox has no credentials" },
    cutsAfter: play("timeout"),
    unreachable: inProcess,
    slow: inProcess,
    cutsBefore: inProcess,
    garbled: inProcess,
    fails: inProcess,
  };
}
