/** What can go wrong with a request, told to happen next or drawn by chance from a seed. */
import type { Verdict } from "./world.ts";

type FaultKind =
  /** The connection ends without an answer: before the body was read, or after the work was done. */
  | { kind: "cut"; done: boolean }
  /** No answer ever comes. */
  | { kind: "hold"; done: boolean }
  /** The answer comes late. */
  | { kind: "slow"; ms: number }
  /** Half of the JSON; an empty answer; a page of a gateway, whose status is 502 unless given. */
  | { kind: "garbled"; done: boolean }
  | { kind: "empty"; done: boolean }
  | { kind: "html"; done: boolean; status?: number }
  /** The token has ended on the way: every token of the tenant is refused from now on. */
  | { kind: "unauthorised" }
  | { kind: "limited"; retryAfterSeconds?: number }
  | { kind: "error"; done: boolean; status?: number }
  /** 422, as if the reference were taken: something in front of the provider sent the request twice, or once too often. */
  | { kind: "duplicate"; done: boolean }
  /** Filed, the connection cut, and not shown for so many askings. */
  | { kind: "hidden"; askings: number }
  /** Answered, and then no connection is taken for so long. */
  | { kind: "down"; ms: number }
  | Verdict;

/** `on` is a route such as `GET /invoices/{ref}`, or `*` for every route; POST /invoices unless given. */
export type Fault = FaultKind & { on?: string };

export interface FaultPlan {
  next(fault: Fault): void;
  /** From now on every request meets one of `faults` with probability `p`. */
  random(p: number, faults: readonly Fault[]): void;
  /** What this request meets. */
  take(route: string): Fault | undefined;
  /** Told, and not met yet. */
  left(): readonly Fault[];
  /** Every fault that a request has met, in order. */
  met(): readonly Fault[];
}

function meets(fault: Fault, route: string): boolean {
  const on = fault.on ?? "POST /invoices";
  return on === "*" || on === route;
}

export function createFaultPlan(draw: () => number): FaultPlan {
  const told: Fault[] = [];
  const met: Fault[] = [];
  let chance = { p: 0, faults: [] as readonly Fault[] };

  function takeTold(route: string): Fault | undefined {
    const index = told.findIndex((fault) => meets(fault, route));
    return index === -1 ? undefined : told.splice(index, 1)[0];
  }

  function drawOne(route: string): Fault | undefined {
    const fitting = chance.faults.filter((fault) => meets(fault, route));
    if (fitting.length === 0 || draw() >= chance.p) return undefined;
    return fitting[Math.floor(draw() * fitting.length)];
  }

  return {
    next: (fault) => void told.push(fault),
    random(p, faults) {
      chance = { p, faults };
    },
    take(route) {
      const fault = takeTold(route) ?? drawOne(route);
      if (fault !== undefined) met.push(fault);
      return fault;
    },
    left: () => told,
    met: () => met,
  };
}

/** Numbers from 0 to below 1 that follow from `seed` (mulberry32). */
export function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
