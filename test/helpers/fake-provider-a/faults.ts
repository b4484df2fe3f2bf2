/** Faults of requests, either planned for the next one or drawn at random from a seed. */
import type { Verdict } from "./world.ts";

type FaultKind =
  /** The connection ends without a response: before the body is read, or after the work is done. */
  | { kind: "cut"; done: boolean }
  /** No response ever comes. */
  | { kind: "hold"; done: boolean }
  /** The response is late. */
  | { kind: "slow"; ms: number }
  /** Half of the JSON; an empty response; a gateway's page, with status 502 by default. */
  | { kind: "garbled"; done: boolean }
  | { kind: "empty"; done: boolean }
  | { kind: "html"; done: boolean; status?: number }
  /** The token has expired: every token of the tenant is rejected from now on. */
  | { kind: "unauthorised" }
  | { kind: "limited"; retryAfterSeconds?: number }
  | { kind: "error"; done: boolean; status?: number }
  /** 422, as if the reference were taken: something in front of the provider sent the request twice. */
  | { kind: "duplicate"; done: boolean }
  /** The document is filed, the connection cut, and the document hidden from this many queries. */
  | { kind: "hidden"; askings: number }
  /** The request is processed, then connections are refused for this long. */
  | { kind: "down"; ms: number }
  | Verdict;

/** `on` is a route such as `GET /invoices/{ref}`, or `*` for every route. Default: POST /invoices. */
export type Fault = FaultKind & { on?: string };

export interface FaultPlan {
  next(fault: Fault): void;
  /** From now on each request fails with probability `p`, with one of `faults`. */
  random(p: number, faults: readonly Fault[]): void;
  /** The fault of this request, if any. */
  take(route: string): Fault | undefined;
  /** Planned faults that are still unused. */
  left(): readonly Fault[];
  /** Every fault that a request met, in order. */
  met(): readonly Fault[];
}

function meets(fault: Fault, route: string): boolean {
  const on = fault.on ?? "POST /invoices";
  return on === "*" || on === route;
}

export function createFaultPlan(draw: () => number): FaultPlan {
  const scripted: Fault[] = [];
  const met: Fault[] = [];
  let chance = { p: 0, faults: [] as readonly Fault[] };

  function takeTold(route: string): Fault | undefined {
    const index = scripted.findIndex((fault) => meets(fault, route));
    return index === -1 ? undefined : scripted.splice(index, 1)[0];
  }

  function drawOne(route: string): Fault | undefined {
    const fitting = chance.faults.filter((fault) => meets(fault, route));
    if (fitting.length === 0 || draw() >= chance.p) return undefined;
    return fitting[Math.floor(draw() * fitting.length)];
  }

  return {
    next: (fault) => void scripted.push(fault),
    random(p, faults) {
      chance = { p, faults };
    },
    take(route) {
      const fault = takeTold(route) ?? drawOne(route);
      if (fault !== undefined) met.push(fault);
      return fault;
    },
    left: () => scripted,
    met: () => met,
  };
}

/** Pseudo-random numbers from 0 up to, not including, 1, determined by `seed` (mulberry32). */
export function createDraw(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
