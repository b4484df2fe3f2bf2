/** Waits for documents, or as long as a provider asks for, and says so (docs/contract.md#timeout-of-waiting-verbs). */
import { pause } from "../../src/foundation/pages.ts";
import type { Appliance } from "../../src/appliance.ts";
import { athensTime } from "../../src/foundation/clock.ts";
import { joinTexts, SEMICOLON, type Text } from "../../src/foundation/text.ts";
import type { DrainProgress, Stranded, WaitLimit } from "../../src/issuing/issuing-queue.ts";
import type { Mode } from "../../src/domain/vocabulary.ts";
import { printNote, printProblem, type ProgramIo } from "../io.ts";
import { contradiction, integer } from "../options.ts";
import { withProgress } from "../ui/progress.ts";
import { countText, wordText } from "../../src/operations/view.ts";
import type { Flags, OptionsOf } from "../define.ts";
import type { Pacing } from "../../src/issuing/provider-call.ts";

/** A day: longer than any retry of an outage takes. */
const TIMEOUT_SECONDS_MAX = 86_400;
/** With all delays set to 0, the attempts themselves still take time. */
const DEFAULT_SECONDS_MIN = 60;

export const WAIT_FLAGS = {
  "--no-wait": {
    en: "only accept and queue; a server or the next run sends what is queued",
    el: "μόνο αποδοχή και σειρά αναμονής· όσα μπήκαν στη σειρά τα στέλνει ένας διακομιστής ή η επόμενη εκτέλεση",
    // Commander sets the default of a lone --no- option before a lazy command is defined.
    initial: true,
  },
  "--timeout <seconds>": {
    en: "stop waiting after this time and exit with 5; the documents stay queued (default: the sum of issuing.delays_seconds)",
    el: "σταματά να περιμένει μετά από τόσα δευτερόλεπτα, με κωδικό 5· τα παραστατικά μένουν στη σειρά (προεπιλογή: το άθροισμα του issuing.delays_seconds)",
    read: integer(1, TIMEOUT_SECONDS_MAX),
  },
} satisfies Flags;

export type WaitOptions = OptionsOf<typeof WAIT_FLAGS>;

/** `--timeout` in seconds. Throws UsageError with `--no-wait`. */
export function timeoutOf({ wait, timeout }: WaitOptions): number | undefined {
  if (timeout !== undefined && wait !== true) throw contradiction("--timeout", "--no-wait");
  return timeout;
}

export interface Wait {
  documentIds: ReadonlySet<string>;
  signal: AbortSignal;
  /** `--timeout`. */
  timeoutSeconds: number | undefined;
}

/**
 * Issues the documents here; a server on the same database may issue some of them instead. Prints why documents are still pending
 * at the end, except after an interrupt.
 */
export async function waitForDocuments(
  io: ProgramIo,
  appliance: Appliance,
  mode: Mode,
  { documentIds, signal, timeoutSeconds }: Wait,
): Promise<void> {
  if (documentIds.size === 0 || signal.aborted) return;
  await appliance.startScheduler();
  const limit = limitOf(appliance, timeoutSeconds);
  const tell = createTeller(io, appliance);
  const { stranded, open } = await withProgress(io, { en: "issuing", el: "έκδοση" }, ({ update }) =>
    appliance.issuing.drain({
      documentIds,
      signal,
      limit,
      async onProgress(state) {
        const wait = describeWait(state);
        update(state.done, state.total, undefined, wait);
        await tell(state, wait);
      },
    }),
  );
  const program = mode === "live" ? "fiscal --live" : "fiscal";
  await printStranded(io, stranded, program);
  if (open === 0 || signal.aborted) return;
  const [first, ...others] = documentIds;
  const shown = others.length === 0 ? `documents show ${first}` : "documents list --status pending";
  await printTimeout(io, limit, open, `${program} ${shown}`);
}

function limitOf({ config }: Appliance, seconds: number | undefined): WaitLimit {
  if (seconds !== undefined) return { ms: seconds * 1000, restarts: false };
  const delays = config.issuing.delaysSeconds.reduce((sum, delay) => sum + delay, 0);
  return { ms: Math.max(DEFAULT_SECONDS_MIN, delays) * 1000, restarts: true };
}

/** `2 queued, next 14:40:38; 1 submitting; until 14:46:48`: what the wait is for, and until when, in Athens. */
function describeWait({ waitingFor, until }: DrainProgress): Text | undefined {
  if (waitingFor.length === 0) return undefined;
  const parts = waitingFor.map(({ phase, count, due }) => {
    const what = joinTexts([countText(count), wordText(phase)], " ");
    if (due === null) return what;
    const time = timeOfDay(due);
    return { en: `${what.en}, next ${time}`, el: `${what.el}, επόμενη ${time}` };
  });
  if (until !== null) {
    const time = timeOfDay(until);
    parts.push({ en: `until ${time}`, el: `έως ${time}` });
  }
  return joinTexts(parts, SEMICOLON);
}

/** Without documents becoming final. */
const STANDSTILL_MS = 5000;

/** Says once what a long wait is for where no progress bar says it. */
function createTeller(io: ProgramIo, { config }: Appliance) {
  let [done, sinceMs, isTold] = [0, performance.now(), io.stderr.isTTY === true];
  return async (state: DrainProgress, wait: Text | undefined): Promise<void> => {
    if (state.done > done) [done, sinceMs] = [state.done, performance.now()];
    if (isTold || wait === undefined || performance.now() - sinceMs < STANDSTILL_MS) return;
    isTold = true;
    const seconds = config.issuing.leaseSeconds;
    await printNote(io, {
      en: `Still waiting: ${wait.en}. If a process ended while it was sending, its documents are looked up after at most ${seconds} s, and later ones of their series wait until then.`,
      el: `Αναμονή: ${wait.el}. Αν μια διεργασία τερματίστηκε ενώ έστελνε, τα παραστατικά της αναζητούνται μετά από το πολύ ${seconds} δευτ., και ως τότε τα περιμένουν τα επόμενα της σειράς τους.`,
    });
  };
}

const timeOfDay = (instant: string) => athensTime(Date.parse(instant)).time;

async function printTimeout(io: ProgramIo, limit: WaitLimit, open: number, command: string): Promise<void> {
  const seconds = limit.ms / 1000;
  const { en, el } = countText(open);
  await printProblem(io, {
    en: `No longer waiting after ${seconds} s. Documents still pending: ${en}; a server or the next command that issues continues with them. To see where they are: ${command}`,
    el: `Η αναμονή τελείωσε μετά από ${seconds} δευτ. Παραστατικά που εκκρεμούν ακόμη: ${el}· τα συνεχίζει ένας διακομιστής ή η επόμενη εντολή που εκδίδει. Για την πορεία τους: ${command}`,
  });
}

/** One line for each connection that is refused or disconnected, with the next step. */
async function printStranded(io: ProgramIo, stranded: readonly Stranded[], program: string): Promise<void> {
  for (const { connectionId, documents } of stranded) {
    const verify = `${program} connections verify ${connectionId}`;
    await printProblem(io, {
      en: `Pending documents that wait because the provider refuses the connection or it is disconnected: ${documents}. To send them: ${verify}, or connect the merchant again.`,
      el: `Παραστατικά σε εκκρεμότητα, επειδή ο πάροχος αρνείται τη σύνδεση ή έχει αποσυνδεθεί: ${documents}. Για να σταλούν: ${verify}, ή συνδέστε ξανά την επιχείρηση.`,
    });
  }
}

/** `signal` ends a wait. */
export function pacingFor(io: ProgramIo, signal: AbortSignal): Pacing {
  return {
    signal,
    async wait(ms) {
      const seconds = Math.ceil(ms / 1000);
      await printNote(io, {
        en: `The provider asks to wait ${seconds} s.`,
        el: `Ο πάροχος ζητά αναμονή ${seconds} δ.`,
      });
      await pause(ms, signal);
    },
  };
}
