/** Runs `fiscal webhooks listen` during a test, until the test ends it. */
import type { RunningProgram, Workshop } from "./program.ts";

/** Resolves once the listener is registered, so that it receives every later event. */
export async function startListening(workshop: Workshop, url: string, args: readonly string[] = []) {
  let program: RunningProgram | undefined;
  let seen = "";
  const waiting = new Set<{ text: string; resolve: () => void }>();
  const run = workshop.run(["webhooks", "listen", "--forward-to", url, ...args], {
    onOutput(text, running) {
      program = running;
      seen += text;
      for (const entry of waiting) {
        if (!seen.includes(entry.text)) continue;
        waiting.delete(entry);
        entry.resolve();
      }
    },
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      if (seen.includes(text)) resolve();
      else waiting.add({ text, resolve });
    });
  // A listener that ends instead of starting has printed why.
  const failed = run.then(({ stderr }) => Promise.reject(new Error(`It ended at once: ${stderr}`)));
  await Promise.race([printed("Ctrl-C ends it."), failed]);
  failed.catch(() => undefined);
  return {
    /** Resolves once `text` is printed on either stream. */
    printed,
    /** Ends it, as Ctrl-C does. */
    end() {
      program?.interrupt();
      return run;
    },
  };
}
