/** The waking of a queue: one look for work at a time, and one more when somebody poked meanwhile. */

export interface Poke {
  /** Looks for work now, or once more after the look that is under way. Never waits. */
  poke(): void;
  /** The look that is under way; undefined where there is none. */
  looking(): Promise<void> | undefined;
  /** Looks no more, and resolves once the last look is over. */
  stop(): Promise<void>;
}

/** `look` takes what there is and never throws; where it leaves something for want of a place, whoever frees one pokes. */
export function createPoke(look: () => Promise<void>): Poke {
  let looking: Promise<void> | undefined;
  let isPoked = false;
  let isStopping = false;

  async function lookWhilePoked(): Promise<void> {
    while (isPoked && !isStopping) {
      isPoked = false;
      await look();
    }
  }

  function poke(): void {
    isPoked = true;
    if (isStopping || looking !== undefined) return;
    looking = lookWhilePoked().finally(() => {
      looking = undefined;
      if (isPoked && !isStopping) poke();
    });
  }

  return {
    poke,
    looking: () => looking,
    async stop() {
      isStopping = true;
      await looking;
    },
  };
}
