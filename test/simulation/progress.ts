/** Compares documents with how they were before: the order of their numbers, the pace of their queries, and how often they are sent. */
export interface Watched {
  id: string;
  reference: string;
  provider: string;
  uid: string | null;
  series: string | null;
  number: number | null;
  phase: string;
  attempts: number;
  polls: number;
  /** When it is due next. */
  due: string | null;
  /** The merchant, type and series. */
  counter: string;
}

export interface ProgressOptions {
  nowMs(): number;
  /** How far the clocks of the processes are apart at most. What one has put off is due that much earlier for another. */
  clocksApartMs(): number;
  /** Since when no process has started, and all have known of the last jump of the clock. What was stored at a kill is seen late. */
  steadySinceMs(): number;
  /** How often a document is sent before it fails. */
  attemptsMax: number;
  /** Whether a document may be registered under the uid. */
  isDoubtful(uid: string): boolean;
  complain(rule: string, what: string): void;
}

/** The shortest pause between two queries about a document, a little less than the product's. */
const PAUSE_MS_MIN = 1500;

export function createProgress(options: ProgressOptions) {
  const { nowMs, complain } = options;
  let before = new Map<string, Watched>();
  const uids = new Map<string, string>();
  const queriedAtMs = new Map<string, number>();

  /** Whether it was given its number since the last check. */
  const isNumbered = ({ id, number, provider }: Watched) =>
    provider === "registry_direct" && number !== null && (before.get(id)?.number ?? null) === null;

  /** Whether `one` was accepted before `other`, and could have had the lower number. */
  function isPassedOver(one: Watched, other: Watched): boolean {
    if (one.counter !== other.counter || one.id >= other.id) return false;
    if (isNumbered(one)) return one.number! > other.number!;
    const [was, otherWas] = [before.get(one.id), before.get(other.id)];
    // What was not due is passed over by nobody, and passes over nobody.
    const hasWaited = [was, one].every((each) => each?.phase === "queued" && each.number === null);
    return hasWaited && (was?.due ?? "9") <= (otherWas?.due ?? "0");
  }

  function checkQueries({ id, reference, phase, polls }: Watched): void {
    const was = before.get(id);
    if (was === undefined || polls <= was.polls || phase !== was.phase) return;
    const askedAtMs = queriedAtMs.get(id) ?? 0;
    const pauseMs = nowMs() - askedAtMs;
    if (pauseMs < PAUSE_MS_MIN - options.clocksApartMs() && askedAtMs > options.steadySinceMs())
      complain("pace", `${reference} was asked about again after ${pauseMs} ms`);
    queriedAtMs.set(id, nowMs());
  }

  return {
    /** Called when documents have changed, in order of acceptance. */
    check(documents: readonly Watched[]) {
      for (const document of documents) {
        const { id, reference, uid, attempts } = document;
        if (uid !== null) uids.set(id, uid);
        if (attempts > options.attemptsMax) complain("attempts", `${reference} was sent ${attempts} times`);
        checkQueries(document);
        const first = isNumbered(document) && documents.find((other) => isPassedOver(other, document));
        if (first) complain("order of numbers", `${reference} has its number before ${first.reference}`);
      }
      before = new Map(documents.map((document) => [document.id, document]));
    },
    /** The number of the document may be given to another one. */
    released(id: string) {
      if (options.isDoubtful(uids.get(id) ?? ""))
        complain("released numbers", `the number of ${id} is free, although it may be registered`);
    },
  };
}

export type Progress = ReturnType<typeof createProgress>;
