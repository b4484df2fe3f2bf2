/**
 * Watches that documents are sent soon after their turn, also during a storm. A document waits for its turn while another of its
 * counter is being sent, and longer only after a disturbance of its own: one merchant's failures never delay another's.
 */
export interface Queued {
  reference: string;
  merchant: number;
  /** The merchant, type and series. */
  counter: string;
  phase: string;
  attempts: number;
}

/** From its turn until a document is sent. */
const TURN_MS_MAX = 10_000;
/** How long a disturbance is felt: a lease, the restart of a server, or the longest pause of an account. */
const FELT_MS = 90_000;

export function createTurns(nowMs: () => number) {
  /** Since when documents could have been sent, by order. */
  let since = new Map<string, { merchant: number; sinceMs: number }>();
  const feltUntilMs = new Map<number | "all", number>();

  return {
    /** A fault that may delay documents for a while: of one merchant, or of all. */
    disturbed(merchant: number | "all") {
      feltUntilMs.set(merchant, nowMs() + FELT_MS);
    },
    /** Called when documents have changed. */
    changed(documents: readonly Queued[]) {
      const busy = new Set(
        documents.filter(({ phase }) => phase === "submitting").map(({ counter }) => counter),
      );
      const waiting: typeof since = new Map();
      for (const document of documents) {
        if (document.phase !== "queued" || document.attempts > 0 || busy.has(document.counter)) continue;
        const { reference, merchant } = document;
        waiting.set(reference, since.get(reference) ?? { merchant, sinceMs: nowMs() });
      }
      since = waiting;
    },
    /** The documents that have waited for too long. */
    late() {
      const ready = (merchant: number | "all") => feltUntilMs.get(merchant) ?? 0;
      return [...since].flatMap(([reference, { merchant, sinceMs }]) =>
        nowMs() - Math.max(sinceMs, ready(merchant), ready("all")) > TURN_MS_MAX ? [reference] : [],
      );
    },
  };
}

export type Turns = ReturnType<typeof createTurns>;
