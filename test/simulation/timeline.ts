/** Simulated time: everything that will happen, in order. */
import type { Timer } from "./platform.ts";

interface Event {
  atMs: number;
  /** A tick that only looks for work, and may come later when there is none. */
  isTick: boolean;
  isCancelled: boolean;
  run(): void;
}

/** How late ticks come: less than a lease allows, or much later if nothing else happens for a minute. */
const LATE_MS = 20_000;
const IDLE_LATE_MS = 1_800_000;
const IDLE_MS = 60_000;

export function createTimeline(startMs: number) {
  let nowMs = startMs;
  const events = createQueue();
  const ticks = createQueue();

  return {
    nowMs: () => nowMs,
    at(atMs: number, run: () => void, isTick = false): Timer {
      const event: Event = { atMs: Math.ceil(Math.max(atMs, nowMs)), isTick, isCancelled: false, run };
      (isTick ? ticks : events).insert(event);
      return {
        cancel() {
          event.isCancelled = true;
        },
      };
    },
    /**
     * Runs the next event, and advances to its time; false if there is none. Ticks come late as long as nothing is due before
     * `dueMs`, as on a busy machine: most of them find nothing to do.
     */
    step(dueMs: number) {
      const [event, tick] = [events.first(), ticks.first()];
      const eventMs = event?.atMs ?? Infinity;
      const lateMs = eventMs - nowMs > IDLE_MS ? IDLE_LATE_MS : LATE_MS;
      const tickMs =
        tick === undefined ? Infinity : Math.max(tick.atMs, nowMs, Math.min(dueMs, tick.atMs + lateMs));
      if (event === undefined && tick === undefined) return false;
      const queue = tickMs < eventMs ? ticks : events;
      nowMs = Math.max(nowMs, Math.min(tickMs, eventMs));
      queue.take()?.run();
      return true;
    },
  };
}

export type Timeline = ReturnType<typeof createTimeline>;

/** Events in order of time, and of insertion at the same time. */
function createQueue() {
  const events: Event[] = [];
  function first(): Event | undefined {
    while (events[0]?.isCancelled === true) events.shift();
    return events[0];
  }
  return {
    first,
    take: () => (first() === undefined ? undefined : events.shift()),
    insert(event: Event): void {
      let index = events.length;
      while (index > 0 && events[index - 1]!.atMs > event.atMs) index -= 1;
      events.splice(index, 0, event);
    },
  };
}
