/** Wakes a queue. Only one run is active at a time; a poke during a run starts another one afterwards. */

export interface Poke {
  /** Starts a run, or requests one more after the current run. Never waits. */
  poke(): void;
  /** The current run; undefined when there is none. */
  running(): Promise<void> | undefined;
  /** Starts no more runs, and resolves when the current one has ended. */
  stop(): Promise<void>;
}

/** `run` must not throw. If it leaves work because all slots are taken, the code that frees a slot must poke again. */
export function createPoke(run: () => Promise<void>): Poke {
  let running: Promise<void> | undefined;
  let isPoked = false;
  let isStopping = false;

  async function runWhilePoked(): Promise<void> {
    while (isPoked && !isStopping) {
      isPoked = false;
      await run();
    }
  }

  function poke(): void {
    isPoked = true;
    if (isStopping || running !== undefined) return;
    running = runWhilePoked().finally(() => {
      running = undefined;
      if (isPoked && !isStopping) poke();
    });
  }

  return {
    poke,
    running: () => running,
    async stop() {
      isStopping = true;
      await running;
    },
  };
}
