/** The network between the processes and the hosts that they call. It carries each request at a moment of its own. */
import type { Fault } from "../helpers/fake-registry/faults.ts";
import { changeAnswer, firstInvoices } from "../helpers/gateway-troubles.ts";
import type { Ending } from "./doubts.ts";
import { describeFate, type Fate, type Operation } from "./fates.ts";
import type { Request, Response } from "./platform.ts";
import type { Timeline } from "./timeline.ts";

/** A process that sends requests. */
interface Caller {
  readonly name: string;
  readonly isAlive: boolean;
}

export interface Description {
  operation: Operation;
  /** What it is about, for the history. */
  subject: string;
  /** Whose account it uses, if any. */
  merchant?: number;
  /** How many documents it has, if any. */
  documents?: number;
}

/** A host, such as the authority. */
export interface Destination {
  describe(request: Request): Description;
  /** Processes a request; undefined if the connection ends without an answer. */
  receive(request: Request, fault: Fault | undefined): Response | undefined;
  /** Called when a process sends the request, before its fate is known. */
  sent?(request: Request): void;
  /** Called with what the process learned, if it is still alive. */
  ended?(request: Request, ending: Ending): void;
}

export interface Network {
  carry(caller: Caller, request: Request): Promise<Response>;
}

export interface NetworkOptions {
  timeline: Timeline;
  destinationOf(url: URL): Destination;
  /** The fault that the request called `name` meets, if any. */
  fateOf(name: string, request: Description): Fate | undefined;
  /** From 0 to 1. */
  random(): number;
  note(who: string, what: string): void;
}

const LATENCY_MS_MAX = 400;

const refused = () =>
  Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED", syscall: "connect" });
const cut = () => Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });

export function createNetwork(options: NetworkOptions): Network {
  const { timeline, note } = options;
  const counts = new Map<string, number>();
  const after = (ms: number, run: () => void) => void timeline.at(timeline.nowMs() + ms, run);
  const latencyMs = () => 5 + Math.floor(options.random() * LATENCY_MS_MAX);

  function carry(caller: Caller, request: Request): Promise<Response> {
    const destination = options.destinationOf(new URL(request.url));
    destination.sent?.(request);
    const description = destination.describe(request);
    const { operation, subject } = description;
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const name = `${operation} ${count}`;
    const fate = options.fateOf(name, description);
    note(caller.name, `${name} ${subject}${fate === undefined ? "" : ` -> ${describeFate(fate)}`}`);
    return new Promise((resolve, reject) => {
      let isOpen = true;
      const end = (ending: Ending, finish: () => void) => {
        if (!isOpen) return;
        isOpen = false;
        // A process that has ended hears nothing.
        if (!caller.isAlive) return;
        destination.ended?.(request, ending);
        finish();
      };
      const { signal } = request;
      signal?.addEventListener("abort", () => end("lost", () => reject(signal.reason)), { once: true });
      const deliver = (response: Response | undefined) =>
        response === undefined ? end("lost", () => reject(cut())) : end(response, () => resolve(response));
      const answer = (response: Response | undefined) => after(latencyMs(), () => deliver(response));
      const refuse = () => end("refused", () => reject(refused()));
      after(latencyMs(), () => meet(fate, request, destination, answer, refuse));
    });
  }

  /** The request arrives, or meets its fate. */
  function meet(
    fate: Fate | undefined,
    request: Request,
    destination: Destination,
    answer: (response: Response | undefined) => void,
    refuse: () => void,
  ): void {
    const arrive = (fault?: Fault) => destination.receive(request, fault);
    switch (fate?.kind) {
      case undefined:
        return answer(arrive());
      case "refused":
        return refuse();
      case "cut":
        if (fate.arrives) arrive();
        return answer(undefined);
      case "silent":
        if (fate.arrives) arrive();
        return;
      case "late":
        after(fate.ms, () => void arrive());
        return answer(undefined);
      case "slow": {
        const response = arrive();
        return after(fate.ms, () => answer(response));
      }
      case "twice":
        arrive();
        arrive();
        return answer(undefined);
      case "part": {
        const response = destination.receive(
          { ...request, body: firstInvoices(request.body ?? "", fate.count) },
          undefined,
        );
        return answer(fate.answers ? response : undefined);
      }
      case "authority":
        return answer(arrive(fate.fault));
      case "changed": {
        const response = arrive();
        return answer(response && { ...response, body: changeAnswer(fate.change, response.body) });
      }
      case "status":
        return answer({ status: fate.status, headers: { "retry-after": "7" }, body: "" });
    }
  }

  return { carry };
}
