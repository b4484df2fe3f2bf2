/** What happens to the machine and the hosts in one history, beside the faults of single requests. */
import type { DiskTrouble } from "./disk.ts";
import type { Fate, Operation } from "./fates.ts";
import type { Killing } from "./killing.ts";
import type { Draws } from "./random.ts";

export type Accident =
  /** Kills one server. */
  | { kind: "kill"; server: number; killing: Killing }
  /** Power cut: every process ends at once. */
  | { kind: "power cut" }
  /** The clock is wrong by this much, until the next jump. */
  | { kind: "clock"; aheadMs: number }
  | { kind: "disk"; trouble: DiskTrouble; lastsMs: number }
  /** Every request of the kind has the same fate. */
  | { kind: "outage"; operation: Operation; fate: Fate; lastsMs: number }
  /** The authority's listings show registrations this much later. */
  | { kind: "listing"; delayMs: number };

export interface PlannedAccident {
  name: string;
  /** After the start. */
  afterMs: number;
  accident: Accident;
}

const ACCIDENTS_MAX = 8;
const MINUTE_MS = 60_000;
/** How far clocks run ahead or behind: from just noticeable to hours. */
const JUMPS_MS = [15_000, 5 * MINUTE_MS, 70 * MINUTE_MS, 360 * MINUTE_MS];
const OPERATIONS = ["send", "list", "cancel", "issue", "ask", "account", "hook"] as const;

/** Draws the accidents of the first `stormMs`. */
export function planAccidents(draws: Draws, stormMs: number): PlannedAccident[] {
  const count = draws.between("accidents", 0, ACCIDENTS_MAX);
  return Array.from({ length: count }, (_, index) => {
    const name = `accident ${index + 1}`;
    return { name, afterMs: draws.between(`${name} at`, 0, stormMs), accident: drawAccident(draws, name) };
  });
}

function drawAccident(draws: Draws, name: string): Accident {
  const lastsMs = draws.between(`${name} lasts`, 200, 60_000);
  const killing: Killing = {
    operations: draws.between(`${name} operations`, 1, 120),
    how: draws.pick(`${name} how`, ["statement", "torn", "committed"] as const),
  };
  const sign = draws.draw(`${name} sign`) < 0.7 ? 1 : -1;
  const isSilent = draws.draw(`${name} silent`) < 0.5;
  const fate: Fate = isSilent
    ? { kind: "silent", arrives: draws.draw(`${name} arrives`) < 0.5 }
    : { kind: "refused" };
  const accidents: readonly Accident[] = [
    { kind: "kill", server: draws.between(`${name} server`, 0, 1), killing },
    { kind: "kill", server: draws.between(`${name} server`, 0, 1), killing },
    { kind: "power cut" },
    { kind: "clock", aheadMs: sign * draws.pick(`${name} jump`, JUMPS_MS) },
    { kind: "clock", aheadMs: 0 },
    {
      kind: "disk",
      trouble: draws.pick(`${name} trouble`, ["full", "failing", "locked"] as const),
      // A lock is held for less time than a write waits for it.
      lastsMs: draws.between(`${name} trouble lasts`, 50, 4000),
    },
    { kind: "outage", operation: draws.pick(`${name} operation`, OPERATIONS), fate, lastsMs },
    { kind: "listing", delayMs: draws.pick(`${name} delay`, [0, 20_000, MINUTE_MS, 5 * MINUTE_MS]) },
  ];
  return draws.pick(`${name} kind`, accidents);
}
