/** Faults of requests, planned for the next one to their route. */
import type { Verdict } from "./world.ts";

type FaultKind =
  /** The connection ends without a response: before the body is read, or after the work is done. */
  | { kind: "cut"; done: boolean }
  /** No response ever comes. */
  | { kind: "hold"; done: boolean }
  /** Half of the JSON; an empty response; a gateway's page. */
  | { kind: "garbled"; done: boolean }
  | { kind: "empty"; done: boolean }
  | { kind: "html"; done: boolean }
  | { kind: "limited"; retryAfterSeconds: number }
  | { kind: "error"; done: boolean }
  /** The document is filed, the connection cut, and the document hidden from this many queries. */
  | { kind: "hidden"; askings: number }
  | Verdict;

/** `on` is a route such as `GET /invoices/{ref}`. Default: POST /invoices. */
export type Fault = FaultKind & { on?: string };

export function createFaultPlan() {
  const planned: Fault[] = [];
  let lasting: Fault | undefined;
  const meets = (fault: Fault, route: string) => (fault.on ?? "POST /invoices") === route;
  return {
    next: (fault: Fault) => void planned.push(fault),
    /** Meets every later request to its route. */
    always: (fault: Fault) => void (lasting = fault),
    /** The fault of this request, if any. */
    take(route: string) {
      const index = planned.findIndex((fault) => meets(fault, route));
      if (index !== -1) return planned.splice(index, 1)[0];
      return lasting !== undefined && meets(lasting, route) ? lasting : undefined;
    },
    /** Planned faults that are still unused. */
    left: () => planned,
  };
}
