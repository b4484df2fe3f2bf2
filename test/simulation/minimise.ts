/** Finds out which orders and faults of a history are needed for its violation. */
import type { History } from "./simulation.ts";

/** Plays the same seed without some of its orders and faults. */
export type Replay = (without: ReadonlySet<string>) => Promise<History>;

/**
 * Leaves out as much as possible, in portions that become smaller, as long as the same invariant is broken. Returns the shortest
 * history found.
 */
export async function minimise(history: History, replay: Replay): Promise<History> {
  const rule = history.violations[0]?.rule;
  let shortest = history;
  let without: ReadonlySet<string> = new Set();
  for (let size = history.happened.size; size >= 1; size = Math.floor(size / 2)) {
    const names = [...shortest.happened.keys()];
    for (let start = 0; start < names.length; start += size) {
      const tried = new Set([...without, ...names.slice(start, start + size)]);
      const shorter = await replay(tried);
      if (!shorter.violations.some((violation) => violation.rule === rule)) continue;
      without = tried;
      shortest = shorter;
    }
  }
  return shortest;
}
