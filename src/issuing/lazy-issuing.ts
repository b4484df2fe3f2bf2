/** The issuing queue, loaded when there is something to issue: most commands only read. */
import type { Context } from "../journal/context.ts";
import type { Drained, DrainOptions } from "./drain.ts";
import type { IssuingQueue } from "./issuing-queue.ts";

export interface LazyIssuing extends IssuingQueue {
  /** See src/issuing/drain.ts. */
  drain(options: DrainOptions): Promise<Drained>;
}

export function createLazyIssuing(context: Context): LazyIssuing {
  let queue: IssuingQueue | undefined;
  let opening: Promise<IssuingQueue> | undefined;
  const open = () => (opening ??= load());
  async function load(): Promise<IssuingQueue> {
    const { createIssuingQueue } = await import("./issuing-queue.ts");
    return (queue = createIssuingQueue(context));
  }
  async function openAndPoke(): Promise<void> {
    (await open()).poke();
  }
  return {
    poke() {
      if (queue === undefined) void openAndPoke();
      else queue.poke();
    },
    settleAll: async () => (await open()).settleAll(),
    rescue: async () => (await open()).rescue(),
    rescheduleAfterClockJump: async (wasSetBack) => (await open()).rescheduleAfterClockJump(wasSetBack),
    renew: async () => queue?.renew(),
    isBusy: () => queue?.isBusy() ?? false,
    stop: async () => (await opening)?.stop(),
    async drain(options) {
      const { drain } = await import("./drain.ts");
      return drain(context, await open(), options);
    },
  };
}
