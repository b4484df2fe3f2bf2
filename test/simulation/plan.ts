/** The plan of one history: what is ordered, and what goes wrong. */
import { type PlannedAccident, planAccidents } from "./accidents.ts";
import { type Order, planOrders } from "./clients.ts";
import { drawFate, drawRates, type Fate } from "./fates.ts";
import { ACCOUNTS } from "./merchants.ts";
import type { Description } from "./network.ts";
import type { Draws } from "./random.ts";

export interface Plan {
  /** How long faults happen. */
  stormMs: number;
  servers: number;
  orders: readonly Order[];
  accidents: readonly PlannedAccident[];
  /** The fault that the request called `name` meets. */
  fateOf(name: string, request: Description): Fate | undefined;
}

const STORM_MS_MAX = 120_000;
/** The share of sends of several documents after which all get the MARK of the first. */
const ONE_MARK_RATE = 0.2;

/** The names of plans that can be chosen instead of the one that the seed says. */
export const PLANS: Readonly<Record<string, (draws: Draws) => Plan>> = {
  any: drawPlan,
  "dead-lists": (draws) => planDeadLists(draws, 600_000, 300),
};

export function drawPlan(draws: Draws): Plan {
  return draws.draw("plan") < 0.1 ? planDeadLists(draws, STORM_MS_MAX, 12) : planAnything(draws);
}

function planAnything(draws: Draws): Plan {
  const stormMs = draws.between("storm", 10_000, STORM_MS_MAX);
  const rates = drawRates(draws);
  return {
    stormMs,
    servers: draws.draw("servers") < 0.5 ? 1 : 2,
    orders: planOrders(draws, stormMs),
    accidents: planAccidents(draws, stormMs),
    fateOf(name, { operation, documents = 0 }) {
      if (draws.draw(name) < rates[operation]) return drawFate(draws, operation, name);
      const isConfused = documents > 1 && draws.draw(`${name} marks`) < ONE_MARK_RATE;
      return isConfused ? { kind: "changed", change: "one MARK" } : undefined;
    },
  };
}

/** The merchant whose answers are lost. */
const UNLUCKY = 0;
/** After these only a listing shows what happened. */
const LOST: readonly Fate[] = [
  { kind: "cut", arrives: true },
  { kind: "cut", arrives: false },
  { kind: "silent", arrives: true },
];

/**
 * No listing answers, and one merchant's answers to sends are lost. Everybody else's documents are issued as if nothing was wrong
 * (docs/contract.md#provider-availability).
 */
function planDeadLists(draws: Draws, stormMs: number, orders: number): Plan {
  const isSilent = draws.draw("silent lists") < 0.5;
  const lists: Fate = isSilent ? { kind: "silent", arrives: false } : { kind: "refused" };
  return {
    stormMs,
    servers: 1,
    orders: Array.from({ length: orders }, (_, index) => ({
      name: `order ${index + 1}`,
      afterMs: Math.floor((index * stormMs) / orders),
      merchant: index % ACCOUNTS.length,
      type: "1.1",
      series: draws.pick(`order ${index + 1} series`, ["A", "B", "C", "D", "E"]),
      isCancelled: false,
    })),
    accidents: [],
    fateOf(name, { operation, merchant }) {
      if (operation === "list") return lists;
      const isLost = operation === "send" && merchant === UNLUCKY && draws.draw(name) < 0.7;
      return isLost ? draws.pick(`${name} fate`, LOST) : undefined;
    },
  };
}
