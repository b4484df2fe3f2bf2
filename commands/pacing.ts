/** Waits as long as a provider asks for, and says so. */
import type { Pacing } from "../src/issuing/provider-call.ts";
import { type ProgramIo, printNote } from "./io.ts";

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

/** Resolves after `ms`, or once the signal is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
